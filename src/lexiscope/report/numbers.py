"""Numbers as text: one format for each kind of number."""

from collections.abc import Callable, Iterable
from typing import Protocol

from lexiscope.evaluation.analysis.comparable_scores import ComparableScore

MISSING = "–"
SCORE_FORMAT = ".3f"  # also a format of Vega-Lite, for charts


class HasInterval(Protocol):
    """Anything with a confidence interval, or with the reason why it has none."""

    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def state(self) -> str: ...


class Estimated(HasInterval, Protocol):
    """A value with a confidence interval."""

    @property
    def value(self) -> float | None: ...


def score(value: float | None) -> str:
    """A score or a difference of scores: 0.123."""
    return MISSING if value is None else f"{value:{SCORE_FORMAT}}"


def correlation(value: float | None) -> str:
    """A correlation coefficient: +0.12."""
    return signed(value, 2)


def signed(value: float | None, digits: int = 3) -> str:
    """A number with its sign: +0.012."""
    return MISSING if value is None else f"{value + 0.0:+.{digits}f}"  # + 0.0: no -0.000


def plain(value: float | None) -> str:
    """A score in the unit of a paper: 12.3."""
    return MISSING if value is None else f"{value:.1f}"


def percent(value: float | None) -> str:
    """A proportion in per cent: 12.3 %."""
    return MISSING if value is None else f"{100 * value:.1f} %"


def whole_percent(value: float) -> str:
    """A proportion in whole per cent: 12%."""
    return f"{value:.0%}"


def points(value: float | None) -> str:
    """A proportion in percentage points, without the unit: 12.3."""
    return MISSING if value is None else f"{100 * value + 0.0:.1f}"


def signed_points(value: float | None) -> str:
    """A difference of proportions in percentage points: +1.2."""
    return signed(None if value is None else 100 * value, 1)


def interval(
    low: float | None, high: float | None, write: Callable[[float | None], str] = score
) -> str:
    """A confidence interval: 0.123 to 0.456."""
    return MISSING if low is None or high is None else f"{write(low)} to {write(high)}"


def interval_of(found: HasInterval, write: Callable[[float | None], str] = score) -> str:
    """The confidence interval of a result, or the reason why it has none."""
    if found.low is None or found.high is None:
        return found.state or MISSING
    return interval(found.low, found.high, write)


def with_interval(found: Estimated, write: Callable[[float | None], str] = score) -> str:
    """A value in one cell with its confidence interval, if it has one: 0.300 (0.123 to 0.456)."""
    if found.value is None:
        return found.state or MISSING
    if found.low is None or found.high is None:
        return write(found.value)
    return f"{write(found.value)} ({interval_of(found, write)})"


def p_value(p: float | None) -> str:
    """A p-value: 0.012, or < 0.001."""
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def p_equals(p: float, name: str = "p") -> str:
    """A p-value in a sentence: p = 0.012, or p < 0.001."""
    return f"{name} < 0.001" if p < 0.001 else f"{name} = {p:.3f}"


def significant(value: float, digits: int = 6) -> str:
    """A number with at most this many significant digits: 0.25, 50."""
    return f"{value:.{digits}g}"


def detectable(difference: float) -> str:
    """A minimum detectable difference, with two digits because it is an estimate: 0.019."""
    return significant(difference, 2)


def margin(value: float) -> str:
    """An equivalence margin: ±0.05."""
    return f"±{significant(value)}"


def seconds(duration: float) -> str:
    """A duration in seconds, without the unit: 1.250."""
    return f"{duration:.3f}"


def count(number: float) -> str:
    """A number of things, with thousands separators: 2,278."""
    return f"{number:,}"


def count_range(numbers: Iterable[int]) -> str:
    """The lowest and the highest of some numbers of things: 90 to 3,000."""
    found = set(numbers)
    low, high = count(min(found)), count(max(found))
    return low if low == high else f"{low} to {high}"


def fraction(used: int, total: int) -> str:
    """The number of items covered, of all: 2,278/3,000."""
    return f"{count(used)}/{count(total)}"


def comparable_interval(found: ComparableScore) -> str:
    """The confidence interval of a comparable score, or why there is none."""
    if found.own.value is None:
        return interval_of(found.own)
    if found.value is None:
        return f"covers {count(found.own.used)} of {count(found.own.total)}"
    return found.own.state or MISSING if found.low is None else interval(found.low, found.high)
