"""Vectors that any machine computes alike, and scores by independent code, for real datasets."""

import hashlib
import unicodedata
from functools import cache

import numpy as np
from scipy.stats import spearmanr

from lexiscope.core.embedding import Embedding, embedding


@cache
def vector(word: str) -> np.ndarray:
    """The sum of the hashed n-grams of a word, of two to four characters."""
    text = f"<{word}>"
    grams = [text[i : i + n] for n in (2, 3, 4) for i in range(len(text) - n + 1)]
    hashed = b"".join(hashlib.sha256(gram.encode()).digest() for gram in grams)
    rows = np.frombuffer(hashed, np.uint8).reshape(len(grams), -1).astype(np.float64)
    return (rows - 127.5).sum(0)


def hashed_vectors(words) -> Embedding:
    """An embedding of the words, in the order of the alphabet."""
    found = sorted(set(words))
    return embedding("hashed n-grams", found, np.array([vector(word) for word in found]))


def correlation(path, comment="#") -> tuple[int, float]:
    """The rows of a table of rated pairs, and Spearman's correlation with the cosine."""
    lines = path.read_text("utf-8-sig").splitlines()
    table = [line.replace(",", "\t").split("\t") for line in lines if line[:1] != comment][1:]
    rating = [float(row[2 if len(row) < 10 else -1]) for row in table]
    ours = [[unicodedata.normalize("NFC", word).casefold() for word in row[:2]] for row in table]
    return len(table), float(spearmanr([_cosine(*pair) for pair in ours], rating)[0])


def _cosine(one: str, other: str) -> float:
    a, b = vector(one), vector(other)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
