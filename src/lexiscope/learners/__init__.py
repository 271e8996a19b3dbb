"""Supervised models on vectors, and the splits they are trained and tested on."""
