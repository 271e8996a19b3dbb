"""What a paper says beside what was found: which of its numbers and orders came out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from lexiscope.bench.replies import Reader, Replied, main_probe
from lexiscope.bench.studied import Found, Ordered, Verdict
from lexiscope.bench.studyplan import Probe, Published, StudyPlan
from lexiscope.core.result import Comparison

_WIDE = 0.3  # an interval that says little
_RARE = 0.05  # how likely an outcome must be in our trials to count as seen


def verdicts(plan: StudyPlan, found: Sequence[Found], read: Reader) -> Iterator[Verdict]:
    criteria = {criterion.name: criterion for criterion in plan.criteria}
    models = {model.name: model for model in plan.models}
    for published in plan.published:
        if published.criterion not in criteria or published.model not in models:
            continue
        criterion = criteria[published.criterion]
        if published.at is not None and published.at not in criterion.points:
            continue
        probe = main_probe(plan, published.study)
        ours = next(f for f in found if _matches(f, published, probe))
        point = published.at if published.at is not None else criterion.points[0]
        column = read.at(criterion, probe, models[published.model], point)
        alike = _alike(column, published) if _is_of_each_trial(published) else None
        yield Verdict(published, ours, alike, verdict_on(ours, published, alike))


def _matches(found: Found, published: Published, probe: Probe) -> bool:
    return (found.criterion, found.model, found.variant, found.at) == (
        published.criterion, published.model, probe.label, published.at
    )  # fmt: skip


def _is_of_each_trial(published: Published) -> bool:
    """Whether what a paper says of all its trials holds for every one: for one, for all or none."""
    return published.trials == 1 or published.least == published.most in (0.0, 1.0)


def _alike(column: Replied, published: Published) -> float:
    """The share of trials whose share of right answers is what the paper says."""
    hits = column.given == column.gold
    shares = np.array([hits[column.trial == trial].mean() for trial in np.unique(column.trial)])
    near = 1e-9
    same = (shares >= published.least - near) & (shares <= published.most + near)
    return float(same.mean())


def verdict_on(ours: Found, published: Published, alike: float | None) -> str:
    """Whether the two agree; the report explains the words."""
    if ours.value is None:
        return "not known"
    low, high = (ours.value if end is None else end for end in (ours.low, ours.high))
    if low <= published.most and high >= published.least:
        return "agrees" if high - low <= _WIDE else "open"
    if alike is not None and alike ** (published.trials or 1) >= _RARE:
        return "possible"
    return "differs" if high - low <= _WIDE else "open"


def orders(plan: StudyPlan, comparisons: Sequence[Comparison]) -> Iterator[Ordered]:
    """What was found of every two neighbours of an order that a paper claims."""
    pairs = {(c.dataset, c.first, c.second): c for c in comparisons}
    for criterion, models in plan.orders:
        for worse, better in pairwise(models):
            found = pairs.get((criterion, better, worse))
            if found is None and (criterion, worse, better) in pairs:
                found = _turned(pairs[criterion, worse, better])
            if found is not None:
                yield Ordered(criterion, worse, better, found, _order_verdict(found))


def _turned(found: Comparison) -> Comparison:
    """The same comparison seen from the other side."""
    return replace(
        found, first=found.second, second=found.first, difference=_minus(found.difference),
        low=_minus(found.high), high=_minus(found.low),
    )  # fmt: skip


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _order_verdict(found: Comparison) -> str:
    if found.difference is None or not found.real:
        return "not told apart"
    return "agrees" if found.difference > 0 else "differs"
