"""Scales of bars that HTML draws: limits, ticks, and positions in per cent."""

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

from lexiscope.evaluation.analysis.comparable_scores import ComparableScore
from lexiscope.report.layout import Bar

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MARGIN = 4.0  # per cent of the width on each side, so that points are not clipped


class Scale(NamedTuple):
    """The lowest and the highest value of an axis."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """The position of a value in per cent of the width."""
        part = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(_MARGIN + (100 - 2 * _MARGIN) * min(1.0, max(0.0, part)), 2)

    def ticks(self, most: int = 5) -> list[float]:
        """At most this many round values on the axis."""
        step = _step((self.high - self.low) / max(1, most - 1))
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _step(least: float) -> float:
    """The smallest round step that is not below this."""
    if least <= 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in _STEPS if power * each >= least * (1 - 1e-9))


def scale_of(found: Iterable[ComparableScore], round_ends: bool = False) -> Scale:
    """The scale of some scores and their intervals, optionally extended to round values."""
    values = [
        value
        for each in found
        for value in (each.value, each.low, each.high, _own(each))
        if value is not None
    ]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if not round_ends or high <= low:
        return Scale(low, high)
    step = _step((high - low) / 4)
    return Scale(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step)


def _own(found: ComparableScore) -> float | None:
    """The score on own items where there is no comparable one."""
    return found.own.value if found.value is None else None


def bar(found: ComparableScore, scale: Scale) -> Bar | None:
    """The score as a point with its interval; hollow if the embedding covers too few items."""
    if found.value is None:
        own = found.own.value
        return None if own is None else Bar(scale.at(own), hollow=True)
    if found.low is None or found.high is None:
        return Bar(scale.at(found.value))
    return Bar(scale.at(found.value), scale.at(found.low), scale.at(found.high))
