"""Estimates over terms with their intervals."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

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
