"""One SQLite file that keeps every answer and every score."""
