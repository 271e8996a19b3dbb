"""Findings of a run, from its stored predictions: what is found between embeddings."""
