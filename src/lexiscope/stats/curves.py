"""The area under a learning curve (Jastrzebski et al. 2017, section 2), on an axis that is named.

The area is a share: 1 is a curve at the best possible score from its first size to its last.
Counting items or giving shares of them makes no difference to it; a logarithmic axis does, as it
gives weight to the small sizes.
"""

from typing import Literal

import numpy as np

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Floats

Axis = Literal["share", "count", "log share", "log count"]


def areas(
    sizes: Floats, scores: Floats, axis: Axis, best: float = 1.0, worst: float = 0.0
) -> Floats:
    """The area under each curve (curves,), 0..1, from scores at growing sizes (curves, sizes)."""
    from scipy.integrate import trapezoid

    _must_grow(sizes, axis)
    if scores.min() < worst or scores.max() > best:
        raise BadUsage(
            f"Scores must lie between worst and best, {worst:g} and {best:g}, "
            f"found {scores.min():g} to {scores.max():g}."
        )
    x = np.log(sizes) if axis.startswith("log") else np.asarray(sizes, np.float64)
    heights = (scores - worst) / (best - worst)
    return np.asarray(trapezoid(heights, x, axis=-1) / (x[-1] - x[0]))


def _must_grow(sizes: Floats, axis: Axis) -> None:
    if len(sizes) < 2:
        raise Undefined("one training size makes no curve")
    if sizes[0] <= 0 or (np.diff(sizes) <= 0).any():
        raise BadUsage(f"Training sizes must grow from above 0, found {list(map(float, sizes))}.")
    if axis.endswith("share") and sizes[-1] > 1:
        raise BadUsage(f"A share of the training items is at most 1, found {sizes[-1]:g}.")
    if axis.endswith("count") and (sizes != np.rint(sizes)).any():
        raise BadUsage("Counts of training items must be whole numbers. Are these shares?")
