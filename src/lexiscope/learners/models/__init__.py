"""Supervised models of learning curves, one file each."""
