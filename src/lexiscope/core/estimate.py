"""A value with its interval, and values of results as plain data."""

from dataclasses import dataclass, fields
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % confidence interval; `state` says why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    state: str = ""

    @property
    def ends(self) -> tuple[float | None, float | None, float | None]:
        """The value and the two limits of its interval."""
        return self.value, self.low, self.high

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


def plain(value: Any) -> dict[str, Any]:
    """Return the fields of a value as plain data; numbers that JSON does not have become null."""
    return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
