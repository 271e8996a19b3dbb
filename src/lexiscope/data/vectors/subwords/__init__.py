"""Vectors of out-of-vocabulary words, computed from parts of the words."""
