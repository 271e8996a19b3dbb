"""Standard errors that know which items are not independent.

Pairs share words and questions share pairs, so a lucky word helps all its items at once. The
variance of a mean over such items counts every two items that have a unit in common (Cameron,
Gelbach and Miller 2011 for two kinds of unit; Aronow, Samii and Assenova 2015 for pairs).
"""

from typing import NamedTuple

import numpy as np

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Moves, Values
from lexiscope.core.task import Answers
from lexiscope.stats.resampling import left_out

_FEW = 500
# A sum over shared units is a noisy thing and may even fall below 0. With this least share of what
# the items alone explain, p-values are even from 65 pairs of 48 words on (benchmarks/calibration).
_LEAST = 0.8


class StandardError(NamedTuple):
    """`alone`: as if items were independent; `error`: as they are, with its degrees of freedom."""

    alone: float
    error: float
    freedom: int

    @property
    def stretch(self) -> float:
        """How much wider an interval over single items must become."""
        from scipy.stats import norm, t

        if not self.alone:
            return 1.0
        return float(self.error / self.alone * t.ppf(0.975, self.freedom) / norm.ppf(0.975))


def influence(measure: Measure, answers: Answers) -> Floats:
    """How much each item moves the measure: the score's error is about the mean of these.

    n times the move when an item is left out; in closed form for means, and for correlations of
    so many items that the two agree.
    """
    from lexiscope.stats.measures import pearson, spearman

    given, gold = answers.given, answers.gold
    if measure.per_item is not None:
        values = measure.per_item(given, gold)
        return np.asarray(values - values.mean())
    if measure.scale is spearman.scale and len(given) > _FEW:
        return of_ranks(given, gold)
    if measure.scale is pearson.scale and len(given) > _FEW:
        return _of_correlation(_standard(given), _standard(gold))
    without = left_out(measure, answers)
    if not np.isfinite(without).all():
        raise Undefined("one item alone decides whether there is a score")
    return np.asarray((len(without) - 1) * (without.mean() - without))


def _of_correlation(x: Floats, y: Floats) -> Floats:
    """The influence on Pearson's correlation of standardised columns."""
    return np.asarray(x * y - np.mean(x * y) * (x**2 + y**2) / 2)


def of_ranks(given: Values, gold: Values) -> Floats:
    """The influence on Spearman's correlation: an item also moves the ranks of those above it."""
    from scipy.stats import rankdata

    ranks_x, ranks_y = rankdata(given), rankdata(gold)
    x, y = _standard(ranks_x), _standard(ranks_y)
    rho = np.mean(x * y)
    moved = _moved(ranks_x, y - rho * x) + _moved(ranks_y, x - rho * y)
    return np.asarray(_of_correlation(x, y) + moved)


def _moved(ranks: Floats, values: Floats) -> Floats:
    """What the values gain when each item lifts the ranks above it by 1, and equal ones by half."""
    return np.asarray((_above(ranks, values) - np.mean(ranks * values)) / ranks.std())


def _above(ranks: Floats, values: Floats) -> Floats:
    """For each item the sum of the values of items with higher rank, plus half of equal ones."""
    groups = np.unique(ranks, return_inverse=True)[1].ravel()
    sums = np.bincount(groups, values)
    above = sums[::-1].cumsum()[::-1] - sums / 2
    return np.asarray(above[groups], np.float64)


def _standard(values: Values) -> Floats:
    return np.asarray((values - np.mean(values)) / np.std(values), np.float64)


def standard_error(moves: Floats, units: Units | None) -> StandardError:
    """The standard error of a measure from its items' influence."""
    items = len(moves)
    if items < 2:
        raise Undefined("one item does not say how a score varies")
    alone = float(np.sum(moves**2)) / (items * (items - 1))
    if units is None:
        return StandardError(np.sqrt(alone), np.sqrt(alone), items - 1)
    number = len(np.unique(units))
    if number < 2:
        raise Undefined("all items belong to one unit, so nothing says how they vary")
    shared = _shared(moves, units) / items**2 * number / (number - 1)
    return StandardError(np.sqrt(alone), np.sqrt(max(_LEAST * alone, shared)), number - 1)


def standard_error_of_units(moves: Moves) -> StandardError:
    """The standard error of a mean over units that share items.

    What an item does to its two units was counted in both.
    """
    alone = float(np.sum(moves.items**2))
    number = int(np.count_nonzero(moves.units))
    if number < 2:
        raise Undefined("one unit does not say how a score varies")
    shared = (float(np.sum(moves.units**2)) - alone) * number / (number - 1)
    return StandardError(np.sqrt(alone), np.sqrt(max(_LEAST * alone, shared)), number - 1)


def _shared(moves: Floats, units: Units) -> float:
    """The sum of products of moves over all ordered pairs of items with a unit in common."""
    if units.shape[1] == 1:
        return float(np.sum(totals(units[:, 0], moves) ** 2))
    one, other = np.sort(units, axis=1).T
    different = one != other
    nodes = totals(np.concatenate([one, other[different]]), np.append(moves, moves[different]))
    # Items with both units in common were counted twice.
    both = one * (int(units.max()) + 1) + other
    twice = totals(both[different], moves[different])
    return float(np.sum(nodes**2) - np.sum(twice**2))


def totals(groups: Units, values: Floats) -> Floats:
    """The sum of the values of each group."""
    numbers = np.unique(groups, return_inverse=True)[1].ravel()
    return np.asarray(np.bincount(numbers, values), np.float64)
