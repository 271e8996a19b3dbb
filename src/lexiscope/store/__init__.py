"""One SQLite file that keeps every prediction and every score."""
