"""Models that make vectors from text: one file each, its name on the command line."""
