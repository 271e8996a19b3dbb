"""Subspace: can a linear SVM that is trained on other words predict the class of a word?

Yaghoobzadeh and Schütze 2016, section 4. LIBLINEAR's SVM with squared hinge loss is solved in its
primal form, which has the same optimum as the dual form and is deterministic.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.probe import NO, YES, Probe, ProbePredictions, require_words
from lexiscope.core.contracts.settings import setting
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.vectors import Vectors
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.pcfg.grammar import Grammar

_TOLERANCE = 1e-6  # small, so that no prediction depends on where the solver stops
_MAX_ITERATIONS = 10_000


@dataclass(frozen=True)
class Subspace(Probe):
    """Predict the class of the held-out words with a linear SVM."""

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    cost: float = setting(
        1.0, "C of the SVM: the penalty of a training error.", exclusive_minimum=0
    )
    contexts: bool = setting(True, "Include context words in the training set.")
    normalise: bool = setting(True, "Normalise all vectors to length 1.")
    intercept: bool = setting(True, "Fit an intercept.")

    def predict(
        self, embedding: Embedding, grammar: Grammar, target: str, rng: Generator
    ) -> ProbePredictions:
        labelled = grammar.targets[target]
        training, held_out = labelled.training(self.contexts), labelled.held_out
        require_words(embedding, (*training, *held_out))
        svm = self._fitted(self._rows(embedding, training), map(labelled.is_positive, training))
        predicted = svm.predict(self._rows(embedding, held_out)).tolist()
        gold = map(labelled.is_positive, held_out)
        return ProbePredictions(held_out, _labels(predicted), _labels(gold))

    def _rows(self, embedding: Embedding, words: tuple[str, ...]) -> Vectors:
        rows = embedding[words].astype(np.float64)
        return _unit_rows(rows) if self.normalise else rows

    def _fitted(self, rows: Vectors, positive: Iterable[bool]) -> Any:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        svm = LinearSVC(
            C=self.cost,
            dual=False,
            tol=_TOLERANCE,
            max_iter=_MAX_ITERATIONS,
            fit_intercept=self.intercept,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                return svm.fit(rows, np.fromiter(positive, np.bool_))
            except ConvergenceWarning:
                raise BadUsage(
                    f"With subspace.cost={self.cost:g} the SVM did not converge in "
                    f"{_MAX_ITERATIONS:,} iterations. Use a smaller cost, or normalise=true."
                ) from None


def _unit_rows(rows: Vectors) -> Vectors:
    """Normalise rows to length 1; a zero row stays zero."""
    norms = np.linalg.norm(rows, axis=1) if isinstance(rows, np.ndarray) else None
    return normalize_rows(rows, norms)


def _labels(positive: Iterable[bool]) -> tuple[str, ...]:
    return tuple(YES if each else NO for each in positive)
