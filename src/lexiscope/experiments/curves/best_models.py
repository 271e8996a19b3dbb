"""Curves of single models, and of the best model of each class at every training size.

The best model is selected by its validation score, never by test items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import BASELINES, Complexity
from lexiscope.core.contracts.metric import Floats
from lexiscope.experiments.curves.results import (
    BEST,
    BEST_LINEAR,
    BEST_NON_LINEAR,
    DatasetScores,
    ModelScores,
)
from lexiscope.stats.curves.selection import best_models

_CLASSES: dict[str, tuple[Complexity, ...]] = {
    BEST: ("constant", "linear", "non-linear"),
    BEST_LINEAR: ("constant", "linear"),
    BEST_NON_LINEAR: ("non-linear",),
}


@dataclass(frozen=True, eq=False)
class CurveScores:
    """The predictions and scores of a model, or of the best model at each repeat and size."""

    embedding: str
    control: bool
    model: str
    complexity: Complexity | Literal["best"]
    predicted: tuple[NDArray[Any], ...]
    scores: Floats


def all_curves(found: DatasetScores) -> list[CurveScores]:
    """Return the best-of-class curves of every embedding, and those of its models."""
    curves = []
    for name in found.embeddings:
        entries = [each for each in found.entries if each.embedding == name]
        for label, complexities in _CLASSES.items():
            members = [each for each in _candidates(entries) if each.complexity in complexities]
            if members:
                curves.append(_best(label, members))
        curves += [
            CurveScores(e.embedding, e.control, e.model, e.complexity, e.predicted, e.scores)
            for e in entries
        ]
    return curves


def best_curves(found: DatasetScores) -> dict[str, CurveScores]:
    """Return the curve of the best model of every embedding."""
    return {
        name: _best(BEST, _candidates([e for e in found.entries if e.embedding == name]))
        for name in found.embeddings
    }


def _candidates(entries: Sequence[ModelScores]) -> Sequence[ModelScores]:
    """The models of an embedding without the baselines, unless there are only these."""
    return [each for each in entries if each.model not in BASELINES] or entries


def _best(label: str, members: Sequence[ModelScores]) -> CurveScores:
    chosen = best_models(
        np.stack([each.validation for each in members]),
        [each.complexity for each in members],
        [each.model for each in members],
    )
    scores = np.take_along_axis(np.stack([each.scores for each in members]), chosen[None], 0)[0]
    predicted = tuple(
        np.stack([members[model].predicted[repeat][size] for size, model in enumerate(row)])
        for repeat, row in enumerate(chosen.tolist())
    )
    first = members[0]
    return CurveScores(first.embedding, first.control, label, "best", predicted, scores)
