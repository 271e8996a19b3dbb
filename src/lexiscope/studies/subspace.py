"""Can a straight cut tell which words have a facet? A linear SVM learns it from the other words.

Yaghoobzadeh and Schütze 2016, section 4. LIBLINEAR's SVM with squared hinge loss, solved in its
primal form: the same optimum as in its dual form, and no chance in it.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.grammar import Grammar
from lexiscope.core.study import NO, YES, Replies, Study, must_know
from lexiscope.core.trainer import setting
from lexiscope.core.vectors import Vectors
from lexiscope.stats.cosine import unit

_NEAR = 1e-6  # to the optimum, so that no answer hangs on where the solver stopped
_MOST_STEPS = 10_000


@dataclass(frozen=True)
class Subspace(Study):
    """What a linear SVM says of the words that were held out."""

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    cost: float = setting(1.0, "What an error in training costs: the C of the SVM.", above=0)
    contexts: bool = setting(
        True, "Whether words that only serve as contexts are learned from too."
    )
    normalise: bool = setting(True, "Whether all vectors are made length 1 first.")
    intercept: bool = setting(True, "Whether the cut may miss the origin.")

    def answer(
        self, embedding: Embedding, grammar: Grammar, question: str, rng: Generator
    ) -> Replies:
        asked = grammar.questions[question]
        learned = asked.training(self.contexts)
        must_know(embedding, (*learned, *asked.held_out))
        svm = self._learned(self._rows(embedding, learned), map(asked.is_positive, learned))
        said = svm.predict(self._rows(embedding, asked.held_out)).tolist()
        gold = map(asked.is_positive, asked.held_out)
        return Replies(asked.held_out, _named(said), _named(gold))

    def _rows(self, embedding: Embedding, words: tuple[str, ...]) -> Vectors:
        rows = embedding[words].astype(np.float64)
        return _of_length_one(rows) if self.normalise else rows

    def _learned(self, rows: Vectors, positive: Iterable[bool]) -> Any:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        svm = LinearSVC(
            C=self.cost, dual=False, tol=_NEAR, max_iter=_MOST_STEPS, fit_intercept=self.intercept
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                return svm.fit(rows, np.fromiter(positive, np.bool_))
            except ConvergenceWarning:
                raise BadUsage(
                    f"With subspace.cost={self.cost:g} the SVM came to no end in {_MOST_STEPS:,} "
                    "steps. Take a smaller cost, or vectors of length 1."
                ) from None


def _of_length_one(rows: Vectors) -> Vectors:
    """Rows of length 1; a zero vector stays zero."""
    if not isinstance(rows, np.ndarray):
        return unit(rows)  # rows without numbers stay so
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


def _named(positive: Iterable[bool]) -> tuple[str, ...]:
    return tuple(YES if each else NO for each in positive)
