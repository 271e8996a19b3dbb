"""An unpaired test from two scores and their intervals (MOVER; Zou and Donner 2008).

It does not use the items that both embeddings cover, so it has less power than a paired test.
"""

import math
from dataclasses import replace

import numpy as np

from lexiscope.core.result import Comparison, Result
from lexiscope.regression.baseline import BaselineScore

UNPAIRED = "unpaired, from the two intervals"


def unpaired(
    new: Result, old: BaselineScore, bounds: tuple[float, float] | None = None
) -> Comparison:
    """New minus baseline from two scores and their intervals; `bounds` are those of the metric.

    The sides of an interval may differ. The test uses those towards no difference; the standard
    error, for equivalence and power, is that of the wider sides.
    """
    assert new.value is not None
    assert old.value is not None
    value = new.value - old.value
    blank = Comparison(
        new.embedding, old.embedding, new.task, new.dataset, new.metric, new.settings, value,
        None, None, None, None, min(new.used, old.used), UNPAIRED, False, variant=new.variant,
        total=new.total, range=None if bounds is None else bounds[1] - bounds[0],
    )  # fmt: skip
    if new.low is None or new.high is None or old.low is None or old.high is None:
        return replace(blank, state="one of the two scores has no interval, and no predictions")
    down = _standard_error(new.value - new.low, new.level, old.high - old.value, old.level)
    up = _standard_error(new.high - new.value, new.level, old.value - old.low, old.level)
    towards_zero = up if value < 0 else down
    if value and not towards_zero:
        return replace(blank, state="an interval has no width")
    from scipy.stats import norm

    p = float(2 * norm.sf(abs(value) / towards_zero)) if value else 1.0
    quantile = norm.ppf(0.5 + new.level / 2)
    limit = math.inf if blank.range is None else blank.range
    return replace(
        blank,
        low=max(-limit, value - quantile * down),
        high=min(limit, value + quantile * up),
        p=p,
        error=max(down, up),
        degrees_of_freedom=math.inf,
    )


def _standard_error(new: float, level: float, old: float, old_level: float) -> float:
    """The standard error from one side of each of two intervals, combined as in MOVER."""
    from scipy.stats import norm

    return float(
        np.hypot(
            max(new, 0) / norm.ppf(0.5 + level / 2), max(old, 0) / norm.ppf(0.5 + old_level / 2)
        )
    )
