"""Co-occurrence counts of a corpus, within a memory limit, and their transformations."""
