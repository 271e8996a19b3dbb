"""Results for people: one HTML file, and the table of a terminal."""
