"""Nearest neighbour: is the nearest word in the full space of the same class?

The first of two full-space tests in Yaghoobzadeh and Schütze 2016, section 4.4.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.probe import NO, YES, Probe, ProbePredictions, require_words
from lexiscope.core.contracts.settings import setting
from lexiscope.core.embedding import Embedding
from lexiscope.pcfg.grammar import Grammar, Target


@dataclass(frozen=True)
class Neighbour(Probe):
    """Predict the class of a word as that of its nearest neighbour, without training."""

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    words: Literal["all", "held out"] = setting(
        "all", "Test items: all words of the target, or the held-out words."
    )
    among: Literal["all", "target"] = setting(
        "all", "Candidate neighbours: all words, or the words of the target."
    )

    def predict(
        self, embedding: Embedding, grammar: Grammar, target: str, rng: Generator
    ) -> ProbePredictions:
        labelled = grammar.targets[target]
        classes = {word: YES if labelled.is_positive(word) else NO for word in _words(labelled)}
        items = labelled.held_out if self.words == "held out" else tuple(classes)
        require_words(embedding, tuple(classes))
        near = Cosines(embedding, classes if self.among == "target" else embedding.words)
        found = [near.best(near.rows[[near.index[word]]], (word,)) for word in items]
        predicted = tuple(classes.get(each, "neither") for each in found)
        return ProbePredictions(items, predicted, tuple(classes[word] for word in items))


def _words(target: Target) -> tuple[str, ...]:
    """Return the words of a target without context words."""
    contexts = set(target.contexts)
    return tuple(word for word in (*target.positive, *target.negative) if word not in contexts)


class Cosines:
    """Unit vectors of some words, in the order of the vocabulary: the most frequent first.

    The nearest word is that with the highest cosine; ties go to the most frequent word.

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
