"""Inner loops that search a vocabulary."""
