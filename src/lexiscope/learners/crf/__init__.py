"""Sequence labelling with a linear-chain conditional random field."""
