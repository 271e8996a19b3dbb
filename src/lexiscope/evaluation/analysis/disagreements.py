"""Disagreements: the items for which the predictions of embeddings differ most."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.result import Disagreement
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions
from lexiscope.evaluation.load import LoadedEvaluation

_SHOWN = 10


def disagreements(evaluation: LoadedEvaluation) -> list[Disagreement]:
    """The items of an evaluation with the largest gap between embeddings, the largest first.

    Numbers are compared by their rank among the embedding's own predictions, because the cosines of
    two embeddings are on different scales; other predictions by whether they are right.
    """
    found = evaluation.predictions
    compared = [p for p in found.predictions if len(p.items)]
    if len(compared) < 2 or not evaluation.dataset.stored:
        return []
    items = _common_items(compared)
    if not len(items):
        return []
    values = np.array([_values(found, p)[np.searchsorted(p.items, items)] for p in compared])
    gaps = np.ptp(values, axis=0)
    order = np.argsort(-gaps, kind="stable")[:_SHOWN]
    labels = evaluation.dataset.labels
    return [
        Disagreement(
            found.variant,
            found.dataset,
            labels[items[k]],
            _text(found.gold[items[k]]),
            {
                p.embedding: _described(found.metric, p, items[k], value)
                for p, value in zip(compared, values[:, k], strict=True)
            },
            float(gaps[k]),
        )
        for k in order
        if gaps[k] > 0
    ]


def _common_items(compared: Sequence[EmbeddingPredictions]) -> NDArray[np.int64]:
    common = compared[0].items
    for other in compared[1:]:
        common = np.intersect1d(common, other.items, assume_unique=True)
    return common


def _values(found: EvaluationPredictions, predictions: EmbeddingPredictions) -> Floats:
    """A number from 0 to 1 per prediction: its rank, or how often it is right."""
    per_item = found.metric.per_item
    if per_item is not None and predictions.predicted.dtype.kind != "f":
        return per_item(predictions.predicted, found.gold[predictions.items])
    from scipy.stats import rankdata

    return np.asarray((rankdata(predictions.predicted) - 0.5) / len(predictions.predicted))


def _described(metric: Metric, found: EmbeddingPredictions, item: int, value: float) -> str:
    if metric.per_repeat is not None:
        return f"with its category in {value:.0%} of clusterings"
    predicted = found.predicted[np.searchsorted(found.items, item)]
    if isinstance(predicted, str):
        return predicted
    return f"{float(predicted):.3f} (rank {value:.0%})"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{float(value):g}"
