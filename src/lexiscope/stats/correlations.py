"""How surely do two lists of scores go together, when they are short?

One evaluation predicts another if embeddings that do well on the one do well on the other
(Tsvetkov et al. 2015, section 5). Embeddings are few, so a bootstrap would be too narrow: intervals
are Fisher's for Pearson's correlation, those of Bonett and Wright 2000 for Spearman's.
"""

from math import factorial
from typing import Literal, NamedTuple

import numpy as np

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats
from lexiscope.stats.bootstrap import LEVEL
from lexiscope.stats.measures import pearson, spearman

Kind = Literal["pearson", "spearman"]
FEWEST = 4  # the error of a correlation is that of three numbers fewer
_PERFECT = 1 - 1e-12
_FLAT = 1e-12  # of a spread: what is left is rounding
_MEASURES = {"pearson": pearson, "spearman": spearman}


class Correlation(NamedTuple):
    """A correlation over `number` members, its interval, and the chance of one as far from 0.

    What does not exist is None, and `state` says why.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    number: int
    state: str = ""


class Hinge(NamedTuple):
    """The member without which a correlation would change most, and what it would be then."""

    member: int
    without: float


def correlation(one: Floats, other: Floats, kind: Kind) -> Correlation:
    """The correlation of two lists of scores with its interval."""
    number = len(one)
    try:
        value = _MEASURES[kind](one, other)
    except Undefined:
        few = f"too few members: {number}" if number < 3 else "all scores are equal"
        return Correlation(None, None, None, None, number, few)
    if number < FEWEST:
        return Correlation(value, None, None, None, number, "too few members for an interval: 3")
    if abs(value) > _PERFECT:
        # Fisher's interval would have no width; so many orders are possible, and two are perfect.
        return Correlation(
            value, None, None, 2 / factorial(number), number, "perfect: no interval can be given"
        )
    return _with_interval(value, number, kind)


def _with_interval(value: float, number: int, kind: Kind) -> Correlation:
    from scipy.stats import norm, t

    centre, error = np.arctanh(value), standard_error(value, number, kind)
    reach = norm.ppf((1 + LEVEL) / 2) * error
    low, high = np.tanh(centre - reach), np.tanh(centre + reach)
    # Far out, where corrected tests look, Fisher's scale is too sure of few members; this is exact
    # for Pearson's correlation of normal scores.
    p = 2 * t.sf(abs(value) * np.sqrt((number - 2) / (1 - value**2)), number - 2)
    return Correlation(value, float(low), float(high), float(p), number)


def standard_error(value: float, number: int, kind: Kind) -> float:
    """The standard error of a correlation on Fisher's scale."""
    more = 1 + value**2 / 2 if kind == "spearman" else 1.0
    return float(np.sqrt(more / (number - 3)))


def hinge(one: Floats, other: Floats) -> Hinge | None:
    """On whom Pearson's correlation hangs most; None where there would be none without someone."""
    if len(one) < FEWEST:
        return None
    x, y = one - one.mean(), other - other.mean()
    spreads = _without_each(x, x), _without_each(y, y)
    enough = (s.min() > _FLAT * (v @ v) for s, v in zip(spreads, (x, y), strict=True))
    if not all(enough):
        return None
    left = _without_each(x, y) / np.sqrt(spreads[0] * spreads[1])
    most = int(np.argmax(np.abs(left - (x @ y) / np.sqrt((x @ x) * (y @ y)))))
    return Hinge(most, float(left[most]))


def _without_each(x: Floats, y: Floats) -> Floats:
    """The sum of products around the mean without each member in turn, of lists with mean 0."""
    return np.asarray(x @ y - x * y * len(x) / (len(x) - 1))


def as_far_apart(ours: Correlation, theirs: float, number: int, kind: Kind) -> float | None:
    """The chance of two correlations as far apart, if one and the same lay behind both.

    `theirs` is over `number` other members.
    """
    from scipy.stats import norm

    if ours.value is None or min(ours.number, number) < FEWEST:
        return None
    one, other = np.clip([ours.value, theirs], -_PERFECT, _PERFECT).tolist()
    error = np.hypot(standard_error(one, ours.number, kind), standard_error(other, number, kind))
    return float(2 * norm.sf(abs(np.arctanh(one) - np.arctanh(other)) / error))


class Gap(NamedTuple):
    """How much better one list goes with a target than another, with its 95 % interval."""

    value: float
    low: float
    high: float


def gap(one: Floats, other: Floats, target: Floats) -> Gap | None:
    """Pearson's correlation of `one` with a target less that of `other`; None where there is none.

    The three are of the same members, so the correlations depend on each other (Zou 2007).
    """
    first, second = (correlation(each, target, "pearson") for each in (one, other))
    between = correlation(one, other, "pearson").value
    if first.low is None or second.low is None or between is None:
        return None
    return overlapping(first, second, between)


def overlapping(first: Correlation, second: Correlation, between: float) -> Gap:
    """The difference of two correlations that share a list, given that of the two other lists."""
    r1, r2 = float(first.value or 0.0), float(second.value or 0.0)
    down = r1 - float(first.low or 0.0), float(second.high or 0.0) - r2
    up = float(first.high or 0.0) - r1, r2 - float(second.low or 0.0)
    rest = 1 - r1**2 - r2**2 - between**2
    shared = (between - r1 * r2 / 2) * rest + between**3
    shared /= (1 - r1**2) * (1 - r2**2)
    reach = [float(np.sqrt(max(0.0, a**2 + b**2 - 2 * shared * a * b))) for a, b in (down, up)]
    return Gap(r1 - r2, r1 - r2 - reach[0], r1 - r2 + reach[1])
