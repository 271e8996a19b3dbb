"""Nearest words of a small vocabulary by cosine; ties go to the most frequent word."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding


class Cosines:
    """Unit vectors of some words, in the order of the vocabulary: the most frequent first.

    Synthetic languages have few words, so that sparse vectors can be converted to dense ones.
    """

    def __init__(self, embedding: Embedding, words: Collection[str]) -> None:
        wanted = set(words)
        self.words = [word for word in embedding.words if word in wanted]
        self.index = {word: number for number, word in enumerate(self.words)}
        rows = embedding[self.words]
        dense = rows.astype(np.float64) if isinstance(rows, np.ndarray) else rows.toarray()
        lengths = np.linalg.norm(dense, axis=1, keepdims=True)
        self.rows: NDArray[np.float64] = dense / np.where(lengths > 0, lengths, 1.0)

    def best(self, direction: NDArray[np.float64], without: Collection[str]) -> str:
        """Return the word nearest to a direction (1, dimensions), excluding some words."""
        cosines = (self.rows @ direction[0]).round(12)  # differences below that are rounding
        cosines[[self.index[word] for word in without]] = -np.inf
        return self.words[int(cosines.argmax())]
