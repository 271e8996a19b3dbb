"""Predictions of the baseline next to those of the new embedding, after a check of their score."""

import math
import re
from typing import Any

from lexiscope.core.errors import BadData, Undefined
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions
from lexiscope.regression.baseline import NEW_BASELINE, Baseline, BaselineEvaluation

_TOLERANCE = 1e-6  # other versions of libraries may differ in the last digits


def add_baseline(
    new: EvaluationPredictions, old: BaselineEvaluation, baseline: Baseline
) -> EvaluationPredictions:
    """The new predictions, then those of the baseline, which must give the stored score."""
    assert old.items is not None
    assert old.predictions is not None
    if not _has_score(new, old.items, old.predictions, old.score.value):
        raise BadData(
            f"{baseline.path}: the predictions of {old.score.variant} on {old.score.dataset} do "
            f"not give the stored score, so the file was changed. {NEW_BASELINE}"
        )
    stored = EmbeddingPredictions(baseline.embedding, old.items, old.predictions)
    return new._replace(predictions=[*new.predictions, stored])


def _has_score(
    evaluation: EvaluationPredictions, items: Any, predicted: Any, value: float | None
) -> bool:
    kinds = {array.dtype.kind for array in (predicted, evaluation.predictions[0].predicted)}
    if len(kinds) > 1 or (evaluation.metric.per_repeat and not _are_clusters(predicted)):
        return False
    units = None if evaluation.units is None else evaluation.units[items]
    try:
        found = evaluation.metric(predicted, evaluation.gold[items], units)
    except (Undefined, ValueError):
        return False
    return value is not None and math.isclose(found, value, abs_tol=_TOLERANCE)


def _are_clusters(predicted: Any) -> bool:
    """Whether each text is a list of cluster numbers, equally long and below the item count."""
    if not all(re.fullmatch(r"(\d{1,9}( \d{1,9})*)?", text, re.ASCII) for text in predicted):
        return False
    rows = [[int(number) for number in text.split()] for text in predicted if text]
    return len(set(map(len, rows))) == 1 and max(map(max, rows)) < len(predicted)
