"""Correlations between short lists of scores, with confidence intervals and p-values.

One evaluation predicts another if embeddings that score high on one score high on the other
(Tsvetkov et al. 2015, section 5). There are few embeddings, so a bootstrap interval would be too
narrow. Intervals are Fisher's for Pearson's correlation, and those of Bonett and Wright 2000 for
Spearman's.
"""

from math import factorial
from typing import Literal, NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.stats.intervals import CONFIDENCE_LEVEL

Kind = Literal["pearson", "spearman"]
MIN_MEMBERS = 4  # the standard error on Fisher's z scale is 1 / sqrt(n - 3)
_PERFECT = 1 - 1e-12
_CONSTANT = 1e-12  # of a sum of squares: less is rounding
_METRICS = {"pearson": pearson, "spearman": spearman}


class Correlation(NamedTuple):
    """A correlation over `number` members, its 95 % confidence interval and its p-value.

    What does not exist is None, for the reason in `state`.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    number: int
    state: str = ""


class MostInfluential(NamedTuple):
    """The most influential member, and the correlation without it."""

    member: int
    without: float


def correlation(one: Floats, other: Floats, kind: Kind) -> Correlation:
    """Compute the correlation of two lists of scores with its confidence interval.

    >>> found = correlation(np.arange(6.0), np.array([1, 0, 2, 4, 3, 5.0]), "pearson")
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), round(found.p, 3)
    (0.89, 0.26, 0.99, 0.019)
    """
    number = len(one)
    try:
        value = _METRICS[kind](one, other)
    except Undefined:
        reason = f"too few members: {number}" if number < 3 else "all scores are equal"
        return Correlation(None, None, None, None, number, reason)
    if number < MIN_MEMBERS:
        return Correlation(value, None, None, None, number, "too few members for an interval: 3")
    if abs(value) > _PERFECT:
        # Fisher's interval would have no width. Of all permutations, two are perfect.
        return Correlation(
            value, None, None, 2 / factorial(number), number, "perfect: no interval can be given"
        )
    return _with_interval(value, number, kind)


def _with_interval(value: float, number: int, kind: Kind) -> Correlation:
    from scipy.stats import norm, t

    centre, error = np.arctanh(value), fisher_standard_error(value, number, kind)
    margin = norm.ppf((1 + CONFIDENCE_LEVEL) / 2) * error
    low, high = np.tanh(centre - margin), np.tanh(centre + margin)
    # For few members, Fisher's approximation gives too small p-values in the tails, which matter
    # after a correction. This test is exact for Pearson's correlation of normal scores.
    p = 2 * t.sf(abs(value) * np.sqrt((number - 2) / (1 - value**2)), number - 2)
    return Correlation(value, float(low), float(high), float(p), number)


def fisher_standard_error(value: float, number: int, kind: Kind) -> float:
    """Compute the standard error of a correlation on Fisher's z scale."""
    variance = 1 + value**2 / 2 if kind == "spearman" else 1.0
    return float(np.sqrt(variance / (number - 3)))


def most_influential(one: Floats, other: Floats) -> MostInfluential | None:
    """Find the member whose removal changes Pearson's correlation most.

    None if the scores of one list would be constant without some member.

    >>> most_influential(np.array([1, 2, 3, 4, 9.0]), np.array([2, 1, 2, 1, 9.0])).member
    4
    """
    if len(one) < MIN_MEMBERS:
        return None
    x, y = one - one.mean(), other - other.mean()
    spreads = _without_each(x, x), _without_each(y, y)
    enough = (s.min() > _CONSTANT * (v @ v) for s, v in zip(spreads, (x, y), strict=True))
    if not all(enough):
        return None
    left = _without_each(x, y) / np.sqrt(spreads[0] * spreads[1])
    most = int(np.argmax(np.abs(left - (x @ y) / np.sqrt((x @ x) * (y @ y)))))
    return MostInfluential(most, float(left[most]))


def _without_each(x: Floats, y: Floats) -> Floats:
    """The sum of cross products around the mean without each member, of lists with mean 0."""
    return np.asarray(x @ y - x * y * len(x) / (len(x) - 1))


def correlation_difference_p(
    ours: Correlation, theirs: float, number: int, kind: Kind
) -> float | None:
    """Compute the p-value of the difference between two independent correlations.

    `theirs` is over `number` other members. None if either has too few members.
    """
    from scipy.stats import norm

    if ours.value is None or min(ours.number, number) < MIN_MEMBERS:
        return None
    one, other = np.clip([ours.value, theirs], -_PERFECT, _PERFECT).tolist()
    error = np.hypot(
        fisher_standard_error(one, ours.number, kind), fisher_standard_error(other, number, kind)
    )
    return float(2 * norm.sf(abs(np.arctanh(one) - np.arctanh(other)) / error))


class CorrelationDifference(NamedTuple):
    """The difference of two correlations with a target, and its 95 % confidence interval."""

    value: float
    low: float
    high: float


def correlation_difference(
    one: Floats, other: Floats, target: Floats
) -> CorrelationDifference | None:
    """Compute Pearson's correlation of `one` with a target minus that of `other` (Zou 2007).

    All three are scores of the same members, so the two correlations are dependent. None if a
    correlation does not exist.
    """
    first, second = (correlation(each, target, "pearson") for each in (one, other))
    between = correlation(one, other, "pearson").value
    if first.low is None or second.low is None or between is None:
        return None
    return difference_of_dependent(first, second, between)


def difference_of_dependent(
    first: Correlation, second: Correlation, between: float
) -> CorrelationDifference:
    """Compute the difference of two correlations that share a list.

    `between` is the correlation of the two other lists.
    """
    r1, r2 = float(first.value or 0.0), float(second.value or 0.0)
    down = r1 - float(first.low or 0.0), float(second.high or 0.0) - r2
    up = float(first.high or 0.0) - r1, r2 - float(second.low or 0.0)
    rest = 1 - r1**2 - r2**2 - between**2
    shared = (between - r1 * r2 / 2) * rest + between**3
    shared /= (1 - r1**2) * (1 - r2**2)
    margins = [float(np.sqrt(max(0.0, a**2 + b**2 - 2 * shared * a * b))) for a, b in (down, up)]
    return CorrelationDifference(r1 - r2, r1 - r2 - margins[0], r1 - r2 + margins[1])
