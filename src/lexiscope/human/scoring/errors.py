"""Standard errors over query words and judges, and intervals from them.

Ratings that share a query word or a judge are dependent. The variance of a score is the sum of the
variances over query words and over judges, minus that over their combinations, which is part of
both (Cameron, Gelbach and Miller 2011). Few judges give few degrees of freedom: each part has its
own, and they are combined after Satterthwaite. benchmarks/calibration_studies.py measures how often
the intervals cover the truth.
"""

from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.human.scoring.ratings import Codes, Ratings
from lexiscope.stats.intervals import CONFIDENCE_LEVEL, NORMAL_QUANTILE, Interval
from lexiscope.stats.standard_error import StandardError


class _Part(NamedTuple):
    """The variance over one kind of cluster."""

    variance: float
    degrees_of_freedom: float
    clusters: int


def crossed_error(contributions: Floats, weights: Floats, ratings: Ratings) -> StandardError:
    """Compute the standard error of a score over query words and judges.

    Parameters
    ----------
    contributions : ndarray of shape (ratings,)
        What each rating contributes to the error of the score; they sum to zero.
    weights : ndarray of shape (ratings,)
        The weight of each rating in the score, 0 if it has none.
    ratings : Ratings
        The ratings.
    """
    share = weights / weights.sum()
    by_query = _part(contributions, share, ratings.query, "query word")
    by_judge = _part(contributions, share, ratings.judge, "judge")
    cells = ratings.query * (int(ratings.judge.max()) + 1) + ratings.judge
    both = float(np.sum(np.bincount(cells, contributions) ** 2))
    # The difference can be too small by chance, even negative.
    variance = max(
        by_query.variance + by_judge.variance - both, by_query.variance, by_judge.variance
    )
    parts = sum(part.variance**2 / part.degrees_of_freedom for part in (by_query, by_judge))
    least = float(min(by_query.clusters, by_judge.clusters) - 1)
    freedom = variance**2 / parts if parts else least
    independent = float(np.sqrt(np.sum(contributions**2)))
    return StandardError(independent, float(np.sqrt(variance)), freedom, crossed=True)


def judge_error(contributions: Floats, weights: Floats, ratings: Ratings) -> StandardError:
    """Compute the standard error over judges alone, as if query words were given."""
    part = _part(contributions, weights / weights.sum(), ratings.judge, "judge")
    error = float(np.sqrt(part.variance))
    return StandardError(error, error, part.degrees_of_freedom)


def _part(contributions: Floats, share: Floats, codes: Codes, name: str) -> _Part:
    """The variance of a weighted mean over clusters.

    With cluster effects of variance 1, the sum of squares has the expectation trace(A) and the
    variance 2 trace(A A), where A = D - w d' - d w' + (w'w) w w', w are the weights of clusters, d
    their squares and D = diag(d). The factor makes the estimate unbiased, and the ratio gives the
    degrees of freedom (Bell and McCaffrey 2002); number - 1 if all weights are equal.
    """
    weight, total = np.bincount(codes, share), np.bincount(codes, contributions)
    weight, total = weight[weight > 0], total[weight > 0]
    if len(weight) < 2:
        raise Undefined(f"all ratings are of one {name}, so nothing is known of others")
    squares = weight**2
    form = (
        np.diag(squares)
        - np.outer(weight, squares)
        - np.outer(squares, weight)
        + squares.sum() * np.outer(weight, weight)
    )
    trace = float(np.trace(form))
    factor, freedom = float(squares.sum()) / trace, trace**2 / float(np.sum(form**2))
    return _Part(factor * float(np.sum(total**2)), freedom, len(weight))


def proportion_interval(value: float, error: StandardError, ratings: int) -> Interval:
    """Compute the Clopper-Pearson interval with the effective number of ratings.

    The number has the variance of the score, and is smaller for few degrees of freedom (Korn and
    Graubard 1998). A score without variance, such as 0, has the number of query words or of judges
    if these are fewer, because more ratings of the same ones say nothing about others.
    """
    from scipy.stats import beta

    size = error.degrees_of_freedom + 1
    if error.error and 0 < value < 1:
        ratio = NORMAL_QUANTILE / error.quantile((1 + CONFIDENCE_LEVEL) / 2)
        size = min(float(ratings), value * (1 - value) * (ratio / error.error) ** 2)
    tail, yes, no = (1 - CONFIDENCE_LEVEL) / 2, value * size, (1 - value) * size
    low = float(beta.ppf(tail, yes, no + 1)) if yes else 0.0
    high = float(beta.ppf(1 - tail, yes + 1, no)) if no else 1.0
    return Interval(low, high)


def share_interval(value: float, error: StandardError) -> Interval:
    """Compute the t interval of a share of a whole, on the logit scale."""
    if not error.error or not 0 < value < 1:
        raise Undefined("it was never chosen, or always, so there is no interval")
    half = error.quantile((1 + CONFIDENCE_LEVEL) / 2) * error.error / (value * (1 - value))
    centre = np.log(value / (1 - value))
    low, high = (1 / (1 + np.exp(-(centre + side * half))) for side in (-1, 1))
    return Interval(float(low), float(high))


def difference_interval(value: float, error: StandardError) -> Interval:
    """Compute the t interval of a difference of two proportions."""
    if not error.error:
        raise Undefined("the difference is the same for all query words and judges")
    half = error.quantile((1 + CONFIDENCE_LEVEL) / 2) * error.error
    return Interval(max(-1.0, value - half), min(1.0, value + half))
