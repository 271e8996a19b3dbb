"""Loops on plain arrays, compiled by numba. Nothing here knows what the numbers mean."""
