"""Numbers as text: proportions in percent, correlations, differences, p-values."""

from typing import Any

NONE = "–"


def percent(value: float | None) -> str:
    """Format a proportion in percent."""
    return NONE if value is None else f"{100 * value:.1f} %"


def points(value: float | None) -> str:
    """Format a difference of proportions in percentage points."""
    return NONE if value is None else f"{100 * value + 0.0:+.1f}"  # no -0.0


def signed(value: float | None) -> str:
    """Format a correlation or a difference of correlations."""
    return NONE if value is None else f"{value:+.2f}"


def plain(value: float | None) -> str:
    """Format a score in the unit of its paper."""
    return NONE if value is None else f"{value:.1f}"


def p_value(p: float | None) -> str:
    """Format a p-value."""
    return NONE if p is None else f"{p:.2g}"


def percent_interval(found: Any) -> str:
    """Format the interval of a proportion, or of a difference of proportions."""
    if found.low is None or found.high is None:
        return found.state or NONE
    return f"{100 * found.low + 0.0:.1f} to {100 * found.high + 0.0:.1f}"


def signed_interval(found: Any) -> str:
    """Format the interval of a correlation, or the reason why there is none."""
    if found.low is None or found.high is None:
        return found.state or NONE
    return f"{found.low:+.2f} to {found.high:+.2f}"


def plain_interval(found: Any) -> str:
    """Format the interval of a score."""
    if found.low is None or found.high is None:
        return found.state or NONE
    return f"{found.low:.1f} to {found.high:.1f}"


def percent_cell(found: Any) -> str:
    """Format a proportion and its interval, in percent, for one cell."""
    if found is None or found.value is None:
        return NONE
    if found.low is None or found.high is None:
        return f"{100 * found.value:.1f}"
    return f"{100 * found.value:.1f} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def signed_cell(found: Any) -> str:
    """Format a correlation and its interval for one cell."""
    if found is None or found.value is None:
        return NONE if found is None else found.state or NONE
    if found.low is None or found.high is None:
        return signed(found.value)
    return f"{signed(found.value)} ({signed_interval(found)})"
