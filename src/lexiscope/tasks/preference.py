"""Does a word fit a slot of a verb?

The mean of the words that typically fill the slot is its prototype; the answer is the cosine of
the candidate with it. Schnabel et al. 2015, section 3.1; Baroni et al. 2014, section 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.datasets import Preferences
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.core.vectors import Vectors
from lexiscope.stats.cosine import dots, unit
from lexiscope.stats.measures import pearson, spearman

_ITEMS = 256  # prototypes at once


@dataclass(frozen=True)
class Preference(Task[Preferences]):
    """Rank correlation between nearness to a slot's prototype and human typicality."""

    fillers: int = 20  # known fillers that make a prototype, the most associated first

    reads = Preferences
    measure = spearman
    beside = (pearson,)
    blank = 0.0
    local = True

    def __post_init__(self) -> None:
        if self.fillers < 1:
            raise BadUsage(f"preference.fillers must be 1 or more, found {self.fillers}.")

    def answer(self, embedding: Embedding, items: Preferences, rng: Generator) -> Answers:
        slots = [embedding.vocabulary.find(dict.fromkeys(words)) for words in items.fillers]
        words = embedding.vocabulary.find(items.word)
        chosen = [
            slot[(slot >= 0) & (slot != word)][: self.fillers]
            for slot, word in zip(slots, words, strict=True)
        ]
        given = _nearness(embedding.vectors, words, chosen)
        return Answers(given=given, gold=items.rating)


def _nearness(
    vectors: Vectors, words: NDArray[np.int64], fillers: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """The cosine of each word with the sum of its fillers, which has its mean's direction."""
    from scipy.sparse import csr_array

    places, columns = np.unique(np.concatenate(fillers), return_inverse=True)
    ends = np.cumsum([0, *map(len, fillers)])
    members = csr_array((np.ones(len(columns)), columns, ends), (len(words), len(places)))
    fitting = unit(vectors[places].astype(np.float64))
    near = np.zeros(len(words))
    for start in range(0, len(words), _ITEMS):  # sums of sparse vectors are not very sparse
        some = slice(start, start + _ITEMS)
        prototypes, asked = members[some] @ fitting, unit(vectors[words[some]].astype(np.float64))
        lengths, products = np.sqrt(dots(prototypes, prototypes)), dots(prototypes, asked)
        # Fillers that cancel out point nowhere: the word is neither near nor far.
        np.divide(products, lengths, out=near[some], where=lengths > 1e-12)
    return near
