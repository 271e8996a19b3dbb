"""Estimates over terms with their intervals."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import t as student

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.stats.between_terms import (
    bounded_mean_interval,
    error_of_terms,
    proportion_interval,
)

_ROUNDING = 1e-12  # a smaller standard error is 0 but for rounding


def estimate(values: Floats, influence: Floats | None = None) -> Estimate:
    """Return the mean of the finite values with its t interval over terms.

    `influence` (terms,) replaces the deviations from the mean, for values that share vectors.
    """
    usable = np.isfinite(values)
    if not usable.any():
        return Estimate(None, state="no term")
    value = float(np.mean(values[usable]))
    try:
        error = error_of_terms((values if influence is None else influence)[usable])
    except Undefined as reason:
        return Estimate(value, state=str(reason))
    if error.error <= _ROUNDING * max(1.0, abs(value)):
        return Estimate(value, state="all terms have the same value")
    half = error.quantile(0.975) * error.error
    return Estimate(value, value - half, value + half)


def estimate_over_samples(units: Floats) -> Estimate:
    """Return the mean cosine of the pairs of samples with its interval over samples.

    The terms are fixed, and other sentences are drawn. The samples of different terms are
    independent, so the variances of the terms add; that of a term is from the jackknife over its
    samples, which needs three.

    Parameters
    ----------
    units : ndarray of shape (samples, terms, dimension)
        Vectors of length 1; NaN where a term has no vector.
    """
    present: NDArray[np.bool_] = np.asarray(np.isfinite(units).all(axis=2))
    usable = present.sum(axis=0) >= 2
    if not usable.any():
        return Estimate(None, state="no term")
    found = [_jackknife(units[present[:, t], t]) for t in np.flatnonzero(usable).tolist()]
    value = float(np.mean([each.cosine for each in found]))
    if any(each.variance is None for each in found):
        return Estimate(value, state="two samples of a term have no variance")
    variances = np.array([each.variance for each in found], np.float64)
    if variances.sum() <= (_ROUNDING * len(found)) ** 2:
        return Estimate(value, state="all samples have the same vector")
    # Satterthwaite: the degrees of freedom of a sum of variances.
    freedom = variances.sum() ** 2 / (variances**2 / [each.samples - 1 for each in found]).sum()
    half = float(student.ppf(0.975, freedom) * np.sqrt(variances.sum()) / len(found))
    return Estimate(value, value - half, value + half)


class _Jackknife(NamedTuple):
    cosine: float
    variance: float | None
    samples: int


def _jackknife(units: Floats) -> _Jackknife:
    """The mean cosine over the pairs of samples of a term, and its variance over samples."""
    number = len(units)
    cosines = units @ units.T
    np.fill_diagonal(cosines, 0.0)
    total, own = cosines.sum() / 2, cosines.sum(axis=1)
    mean = total / (number * (number - 1) / 2)
    if number < 3:
        return _Jackknife(mean, None, number)
    without = (total - own) / ((number - 1) * (number - 2) / 2)
    variance = (number - 1) / number * ((without - without.mean()) ** 2).sum()
    return _Jackknife(mean, float(variance), number)


def mean_rank(ranks: Floats, words: int, rng: Generator) -> Estimate:
    """Return the mean of the finite ranks with its interval, which is from 1 to `words` + 1.

    Parameters
    ----------
    ranks : ndarray of shape (terms,)
        Ranks among the background vectors.
    words : int
        The number of background vectors.
    rng : Generator
        Source of bootstrap samples.
    """
    found = estimate(ranks)
    if found.state:
        return found
    usable = ranks[np.isfinite(ranks)]
    return replace(found, **bounded_mean_interval(usable, 1.0, words + 1.0, rng)._asdict())


def proportion(values: Floats) -> Estimate:
    """Return the mean of the finite values, all from 0 to 1, with its Wilson interval."""
    usable = values[np.isfinite(values)]
    if not len(usable):
        return Estimate(None, state="no term")
    value = float(np.mean(usable))
    return Estimate(value, *proportion_interval(value, len(usable)))
