"""Power laws fitted by least squares on logarithms, with intervals over sampling units."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.stats.intervals import percentile_interval

Floats = NDArray[np.float64]
RESAMPLES = 999


class PowerLaw(NamedTuple):
    """y = coefficient * x ** exponent; arrays if several curves were fitted.

    A coefficient is infinite if it is above the largest float.
    """

    exponent: Floats
    coefficient: Floats
    r_squared: Floats


def power_law(x: Floats, y: Floats) -> PowerLaw:
    """Fit y = c x^b by least squares of log y on log x.

    The fit of log x on log y is another line: the product of both slopes is R squared.

    Parameters
    ----------
    x, y : ndarray of shape (..., points)
        Positive values; the last axis has the points of a curve.

    Examples
    --------
    >>> found = power_law(np.array([1.0, 10.0, 100.0]), np.array([2.0, 20.0, 200.0]))
    >>> round(float(found.exponent), 6), round(float(found.coefficient), 6)
    (1.0, 2.0)
    """
    if x.shape[-1] < 2 or (x <= 0).any() or (y <= 0).any():
        raise Undefined("a power law needs two or more positive points")
    log_x, log_y = np.log(x), np.log(y)
    across, up = (each - each.mean(axis=-1, keepdims=True) for each in (log_x, log_y))
    squares, products = np.sum(across**2, axis=-1), np.sum(across * up, axis=-1)
    total = np.sum(up**2, axis=-1)
    if not squares.all():
        raise Undefined("all points of a power law have the same x")
    slope = products / squares
    intercept = log_y.mean(axis=-1) - slope * log_x.mean(axis=-1)
    fit = np.divide(products**2, squares * total, out=np.zeros_like(total), where=total > 0)
    with np.errstate(over="ignore"):  # if y hardly depends on x, x as a power of y has no number
        coefficient = np.exp(intercept)
    return PowerLaw(np.asarray(slope), coefficient, np.asarray(fit))


class MeanCurve(NamedTuple):
    """A mean over units at each point, and the same for bootstrap samples of units."""

    mean: Floats
    samples: Floats

    def interval(self, point: int) -> tuple[float, float]:
        """Return the 95 % percentile interval of one point."""
        return percentile_interval(self.samples[:, point])


def mean_curve(values: Floats, rng: Generator, resamples: int = RESAMPLES) -> MeanCurve:
    """Average the rows of a table, and those of bootstrap samples of its rows.

    Parameters
    ----------
    values : ndarray of shape (units, points)
        NaN where a unit has no value at a point.
    rng : Generator
        Source of bootstrap samples.
    resamples : int
        The number of bootstrap samples.
    """
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    drawn = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=resamples)
    weights = np.concatenate([np.ones((1, len(values))), drawn])
    sums, numbers = weights @ filled, weights @ known.astype(np.float64)
    means = np.divide(sums, numbers, out=np.full_like(sums, np.nan), where=numbers > 0)
    return MeanCurve(means[0], means[1:])
