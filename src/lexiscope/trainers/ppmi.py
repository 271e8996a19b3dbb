"""How much more often than by chance a word stands near each other word: sparse vectors.

Positive pointwise mutual information with the shift and the smoothing of Levy, Goldberg and Dagan
2015; with a block for each position as in Yaghoobzadeh and Schütze 2016, section 3.1.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import setting
from lexiscope.core.vectors import MOST_DIMENSIONS, Sparse
from lexiscope.stats.association import blocks_of_length_one, ppmi
from lexiscope.stats.cooccurrence import by_position
from lexiscope.trainers._counts import telling
from lexiscope.trainers._pmi import OfPmi


@dataclass(frozen=True)
class Ppmi(OfPmi):
    """Positive pointwise mutual information with every context, sparse."""

    sparse: ClassVar[bool] = True

    positional: bool = setting(
        False, "Whether each place before and after the word has contexts of its own."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positional and self.weights != "flat":
            raise BadUsage(
                "With positional every place has contexts of its own, and all of them count alike: "
                f"weights must be flat, found {self.weights}."
            )

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        vectors = self._blocks if self.positional else self.table
        return corpus.embedding("ppmi", vectors(corpus, rng, tell))

    def _blocks(self, corpus: Corpus, rng: Generator, tell: Progress) -> Sparse:
        """A block of contexts for each place from -window to window, each of length 1."""
        _must_have_room(2 * self.window, len(corpus.vocabulary))
        places = by_position(corpus, self.contexts, rng, tell)
        blocks = [ppmi(counts, self.cds, self.neg) for counts in places.values()]
        return telling(corpus, blocks_of_length_one(blocks), self.neg)


def _must_have_room(places: int, words: int) -> None:
    if places * words > MOST_DIMENSIONS:
        raise BadUsage(
            f"{places} places with {words:,} contexts each make {places * words:,} dimensions; "
            f"{MOST_DIMENSIONS:,} are possible. Use a smaller window or fewer words."
        )
