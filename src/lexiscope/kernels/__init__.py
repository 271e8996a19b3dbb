"""Loops on plain arrays, compiled by numba, without any knowledge of words, tasks or files."""
