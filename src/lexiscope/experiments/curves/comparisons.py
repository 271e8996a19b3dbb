"""Pairwise comparisons of the best curves: different, equivalent or undecided."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import Undefined
from lexiscope.core.result import Outcome
from lexiscope.experiments.curves.best_models import CurveScores
from lexiscope.experiments.curves.curve_summary import areas
from lexiscope.experiments.curves.results import CurveComparison, DatasetScores, Quantity
from lexiscope.stats.curves.repeats import corrected_means
from lexiscope.stats.equivalence import equivalence_p_value
from lexiscope.stats.multiple_comparisons import holm

QUANTITIES: tuple[Quantity, ...] = ("area", "end")


def quantity_values(
    found: DatasetScores, best: Mapping[str, CurveScores], quantity: Quantity | str
) -> Floats:
    """Return the area, or the score at 30 or 100 %, by embedding and repeat; controls excluded."""
    return _values(found, [best[name] for name in found.compared], quantity)


def _values(
    found: DatasetScores, curves: Sequence[CurveScores], quantity: Quantity | str
) -> Floats:
    scores = [each.scores for each in curves]
    if quantity == "area":
        return np.stack([areas(found, each) for each in scores])
    size = found.start if quantity == "start" else -1
    return np.stack([each[:, size] for each in scores])


def compare(
    found: DatasetScores, best: Mapping[str, CurveScores], margin: float
) -> list[CurveComparison]:
    """Compare every two embeddings on a dataset, before the correction of p-values."""
    comparisons: list[CurveComparison] = []
    for quantity in QUANTITIES:
        try:
            values = quantity_values(found, best, quantity)
        except Undefined:  # a single training size has no area
            continue
        comparisons += (
            _comparison(found, quantity, (found.compared[i], found.compared[j]),
                        values[i] - values[j], margin)
            for i, j in combinations(range(len(values)), 2)
        )  # fmt: skip
    return comparisons


def compare_with_controls(
    found: DatasetScores, best: Mapping[str, CurveScores], margin: float
) -> list[CurveComparison]:
    """Compare the area of every embedding with that of every control, before the correction."""
    if len(found.sizes) < 2:
        return []
    area = {name: areas(found, best[name].scores) for name in found.embeddings}
    return [
        _comparison(found, "area", (name, control), area[name] - area[control], margin)
        for name in found.compared
        for control in found.controls
    ]


def _comparison(
    found: DatasetScores,
    quantity: Quantity,
    names: tuple[str, str],
    differences: Floats,
    margin: float,
) -> CurveComparison:
    blank = CurveComparison(
        found.dataset, quantity, *names, float(np.mean(differences)), None, None, None, None, None,
        margin, "undecided",
    )  # fmt: skip
    try:
        means = corrected_means(differences, found.test_ratio)
    except Undefined as reason:
        return replace(blank, state=str(reason))
    if not means.error:
        same = "the difference is the same in all repeats, so its variance cannot be estimated"
        return replace(blank, state=same)
    low, high = means.interval()
    p_equivalence = equivalence_p_value(
        float(means.value), float(means.error), means.degrees_of_freedom, margin
    )
    return replace(
        blank, low=float(low), high=float(high), p=float(means.p_value()),
        p_equivalence=p_equivalence,
    )  # fmt: skip


def corrected(
    comparisons: Sequence[CurveComparison], rule: DecisionRule
) -> tuple[CurveComparison, ...]:
    """Correct the p-values over all comparisons of a quantity, and decide the outcomes."""
    done: list[CurveComparison] = []
    for quantity in QUANTITIES:
        family = [each for each in comparisons if each.quantity == quantity]
        tested = [each for each in family if each.p is not None]
        ps = holm([each.p for each in tested if each.p is not None])
        equal = holm([each.p_equivalence for each in tested if each.p_equivalence is not None])
        decided = iter(
            replace(each, p_holm=float(p), p_equivalence=float(e), outcome=_outcome(p, e, rule))
            for each, p, e in zip(tested, ps, equal, strict=True)
        )
        done += [next(decided) if each.p is not None else each for each in family]
    return tuple(done)


def _outcome(p: float, p_equivalence: float, rule: DecisionRule) -> Outcome:
    if p < rule.alpha:
        return "different"
    return "equivalent" if p_equivalence < rule.alpha else "undecided"
