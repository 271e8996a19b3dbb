"""Evaluation of embeddings: load, align vocabulary, predict, score, interval, store, compare."""
