"""Loops on plain arrays, compiled by numba, without any knowledge of words, tasks or files."""

from lexiscope.kernels import _cache

_cache.prepare()
