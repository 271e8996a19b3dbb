"""Probes of embeddings that are trained on synthetic languages: one file per probe."""
