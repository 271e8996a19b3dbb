"""Trainers: models that learn word vectors from a corpus, one per file, named by the file."""
