"""A difference from two scores and their intervals alone (MOVER; Zou and Donner 2008).

It knows nothing of the items in common, so it misses more than a paired test.
"""

from dataclasses import replace

import numpy as np

from lexiscope.bench.baseline import Row
from lexiscope.core.result import Comparison, Result
from lexiscope.stats.paired import CHANCE, POWER

UNPAIRED = "unpaired, from the two intervals"


def unpaired(now: Result, before: Row) -> Comparison:
    """New minus baseline from two scores and their intervals alone."""
    assert now.value is not None
    assert before.value is not None
    value = now.value - before.value
    blank = Comparison(
        now.embedding, before.embedding, now.task, now.dataset, now.measure, now.settings, value,
        None, None, None, None, min(now.used, before.used), UNPAIRED, False, variant=now.variant,
    )  # fmt: skip
    if now.low is None or now.high is None or before.low is None or before.high is None:
        return replace(blank, state="one of the two scores has no interval, and no answers")
    down = _reach(now.value - now.low, now.level, before.high - before.value, before.level)
    up = _reach(now.high - now.value, now.level, before.value - before.low, before.level)
    towards_zero = up if value < 0 else down
    if value and not towards_zero:
        return replace(blank, state="an interval without width says nothing")
    from scipy.stats import norm

    p = float(2 * norm.sf(abs(value) / towards_zero)) if value else 1.0
    wide = norm.ppf(0.5 + now.level / 2)
    detectable = (norm.ppf(1 - CHANCE / 2) + norm.ppf(POWER)) * (down + up) / 2
    return replace(
        blank, low=value - wide * down, high=value + wide * up, p=p, detectable=float(detectable)
    )


def _reach(now: float, level: float, before: float, level_before: float) -> float:
    """The standard error that two halves of intervals tell, joined as MOVER joins them."""
    from scipy.stats import norm

    return float(
        np.hypot(
            max(now, 0) / norm.ppf(0.5 + level / 2),
            max(before, 0) / norm.ppf(0.5 + level_before / 2),
        )
    )
