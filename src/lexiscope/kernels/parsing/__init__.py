"""Inner loops that parse text and binary files."""
