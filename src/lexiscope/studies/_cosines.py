"""Nearest words of a small vocabulary by cosine; of equally near ones the most frequent."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding


class Cosines:
    """Vectors of length 1 of some words, in the order of the vocabulary: the most frequent first.

    Made languages have few words, so that sparse vectors can be written out.
    """

    def __init__(self, embedding: Embedding, words: Collection[str]) -> None:
        wanted = set(words)
        self.words = [word for word in embedding.words if word in wanted]
        self.place = {word: number for number, word in enumerate(self.words)}
        rows = embedding[self.words]
        dense = rows.astype(np.float64) if isinstance(rows, np.ndarray) else rows.toarray()
        lengths = np.linalg.norm(dense, axis=1, keepdims=True)
        self.rows: NDArray[np.float64] = dense / np.where(lengths > 0, lengths, 1.0)

    def best(self, direction: NDArray[np.float64], without: Collection[str]) -> str:
        """The word nearest to a direction (1, dimensions), some words left out."""
        near = (self.rows @ direction[0]).round(12)  # last bits are no order
        near[[self.place[word] for word in without]] = -np.inf
        return self.words[int(near.argmax())]
