"""Probabilistic context-free grammars: notation, validation, sampling."""
