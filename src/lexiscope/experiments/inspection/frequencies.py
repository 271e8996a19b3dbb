"""Frequencies of the words of an embedding: from a table, a corpus or its own counts.

Without counts, the rank in the file stands in for frequency, and results say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data import norms
from lexiscope.data.vectors.transforms import has_counts
from lexiscope.experiments.inspection.results import FrequencySource, Unit

UNKNOWN = -1


@dataclass(frozen=True)
class Frequencies:
    """The count, or the rank, of each word of an embedding; `UNKNOWN` where there is none."""

    values: NDArray[np.int64]
    unit: Unit
    name: str

    @property
    def known(self) -> NDArray[np.int64]:
        """The indices of the words that have a frequency."""
        return np.flatnonzero(self.values != UNKNOWN)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each word by frequency, 1 for the most frequent; `UNKNOWN` without one.

        Words of equal frequency are ranked by their position.
        """
        if self.unit == "rank":
            return self.values
        known = self.known
        order = known[np.argsort(-self.values[known], kind="stable")]
        ranks = np.full(len(self.values), UNKNOWN, np.int64)
        ranks[order] = np.arange(1, len(order) + 1)
        return ranks

    @property
    def by_frequency(self) -> NDArray[np.int64]:
        """The indices of the words with a frequency, the most frequent first."""
        known = self.known
        return known[np.argsort(self.ranks[known], kind="stable")]

    def is_frequent(self, threshold: int) -> NDArray[np.bool_]:
        """Whether each word counts as frequent: a count from, or a rank up to the threshold."""
        if self.unit == "rank":
            return np.asarray(self.values <= threshold)
        return np.asarray(self.values >= threshold)

    def source(self) -> FrequencySource:
        """Return where the frequencies come from."""
        return FrequencySource(self.unit, self.name, len(self.known), len(self.values))


def frequencies_of(embedding: Embedding, table: Mapping[str, int] | None, name: str) -> Frequencies:
    """Return the frequencies of the words of an embedding.

    Parameters
    ----------
    embedding : Embedding
        The embedding.
    table : mapping of str to int, optional
        Counts of words. Without it, the embedding's own counts are used, then the order of its
        words.
    name : str
        What the table is called in results.
    """
    if table is not None:
        return Frequencies(_looked_up(embedding, table, name), "count", name)
    if embedding.counts is not None and has_counts(embedding):
        return Frequencies(embedding.counts, "count", "counts of the embedding")
    ranks = np.arange(1, len(embedding) + 1)
    return Frequencies(ranks, "rank", "order of the words in the file")


def _looked_up(embedding: Embedding, table: Mapping[str, int], name: str) -> NDArray[np.int64]:
    found = np.array([table.get(word, UNKNOWN) for word in embedding.words], np.int64)
    if (found == UNKNOWN).all():
        raise BadData(f"{name}: has no word of {embedding.name}. Is it another language or case?")
    return found


def read_table(path: str | Path) -> dict[str, int]:
    """Read a table of words and counts."""
    found = norms.read(Path(path))
    for word, number in found.items():
        if number < 0 or number != int(number):
            raise BadData(f"{path}: the count of '{word}' is {number:g}, not a whole number.")
    return {word: int(number) for word, number in found.items()}
