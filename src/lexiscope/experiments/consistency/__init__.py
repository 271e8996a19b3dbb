"""Consistency of embeddings that are learned from small text (S2)."""
