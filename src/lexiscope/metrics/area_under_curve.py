"""The normalised area under a learning curve (Jastrzebski et al. 2017, section 2).

An area of 1 is a curve at the best possible score from the first training size to the last. The
area is the same for fractions and for counts of training items. A logarithmic axis gives more
weight to small sizes, so the axis must be named.
"""

from typing import Literal

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined

Axis = Literal["fraction", "count", "log fraction", "log count"]


def area_under_curve(
    sizes: Floats, scores: Floats, axis: Axis, best: float = 1.0, worst: float = 0.0
) -> Floats:
    """Compute the area under each learning curve, from 0 to 1.

    Parameters
    ----------
    sizes : ndarray of shape (sizes,)
        Increasing training sizes.
    scores : ndarray of shape (curves, sizes)
        The scores at these sizes.
    axis
        Whether sizes are fractions or counts of the training items, and whether their logarithm
        is used.
    best, worst
        The scores at which the area is 1 and 0.

    Returns
    -------
    ndarray of shape (curves,)

    Examples
    --------
    >>> area_under_curve(np.array([0.1, 0.2, 0.3]), np.array([[0.5, 1.0, 1.0]]), "fraction")
    array([0.875])
    """
    from scipy.integrate import trapezoid

    _check_sizes(sizes, axis)
    if scores.min() < worst or scores.max() > best:
        raise BadUsage(
            f"Scores must be between worst and best, {worst:g} and {best:g}, "
            f"found {scores.min():g} to {scores.max():g}."
        )
    x = np.log(sizes) if axis.startswith("log") else np.asarray(sizes, np.float64)
    heights = (scores - worst) / (best - worst)
    return np.asarray(trapezoid(heights, x, axis=-1) / (x[-1] - x[0]))


def _check_sizes(sizes: Floats, axis: Axis) -> None:
    if len(sizes) < 2:
        raise Undefined("a learning curve needs at least two training sizes")
    if sizes[0] <= 0 or (np.diff(sizes) <= 0).any():
        raise BadUsage(
            f"Training sizes must be positive and increasing, found {list(map(float, sizes))}."
        )
    if axis.endswith("fraction") and sizes[-1] > 1:
        raise BadUsage(f"A fraction of the training items is at most 1, found {sizes[-1]:g}.")
    if axis.endswith("count") and (sizes != np.rint(sizes)).any():
        raise BadUsage("Counts of training items must be whole numbers. Are these fractions?")
