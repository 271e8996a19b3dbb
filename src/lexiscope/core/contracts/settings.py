"""Settings: fields of tasks, trainers and probes, with bounds that are checked in one place."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from math import isfinite
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lexiscope.core.errors import BadUsage, UnknownName

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BUILT_IN = (
    "lexiscope.tasks", "lexiscope.trainers", "lexiscope.probes", "lexiscope.learners.models",
    "lexiscope.learners.term_models",
)  # fmt: skip


def setting(
    default: Any = MISSING,
    help: str = "",  # noqa: A002
    *,
    minimum: float | None = None,
    exclusive_minimum: float | None = None,
    maximum: float | None = None,
    exclusive_maximum: float | None = None,
) -> Any:
    """Declare a dataclass field as a setting.

    Parameters
    ----------
    default : optional
        The default value. A setting without one must be given.
    help : str
        One sentence for help texts.
    minimum : float, optional
        The lowest value.
    exclusive_minimum : float, optional
        A value must be greater.
    maximum : float, optional
        The highest value.
    exclusive_maximum : float, optional
        A value must be less.

    Returns
    -------
    dataclasses.Field
        The field of a `Task`, `Trainer` or `Probe`, which check the bounds when they are created.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import lexiscope
    >>> from lexiscope.tasks.similarity import Similarity
    >>> @dataclass(frozen=True)
    ... class Weighted(Similarity):
    ...     weight: float = lexiscope.setting(1.0, "Weight of a rating.", exclusive_minimum=0)
    >>> Weighted(weight=2.0).settings
    {'weight': 2.0}
    >>> Weighted(weight=0.0)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: weighted.weight must be more than 0, found 0.0.
    """
    bounds = {
        "minimum": minimum,
        "exclusive_minimum": exclusive_minimum,
        "maximum": maximum,
        "exclusive_maximum": exclusive_maximum,
    }
    return field(default=default, metadata={"help": help, **bounds})


@dataclass(frozen=True)
class Configurable:
    """Base of tasks, trainers and probes: its fields are settings, checked on creation."""

    def __post_init__(self) -> None:
        for name, value in self.settings.items():
            check_setting(type(self), name, value)
            if type(value) is int and _is_float(get_type_hints(type(self))[name]):
                # 1 and 1.0 are one value: settings are hashed and shown as text.
                object.__setattr__(self, name, float(value))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def name_of(kind: type[Any]) -> str:
    """The name of a task, trainer or probe.

    A built-in one has the name of its file; any other its `name`, else the class in snake case.
    """
    package, _, file = kind.__module__.rpartition(".")
    if package in _BUILT_IN:
        return file
    own = getattr(kind, "name", None)
    return own if isinstance(own, str) else _WORD_START.sub("_", kind.__name__).lower()


def check_setting(kind: type[Any], name: str, value: Any) -> None:
    """Raise an error if the value is outside the choices or the bounds of the setting."""
    hint, bounds = get_type_hints(kind)[name], kind.__dataclass_fields__[name].metadata
    label = f"{name_of(kind)}.{name}"
    _check_choice(hint, label, value)
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, int | float):
            _check_bounds(label, each, bounds)


def convert_setting(kind: type, owner: str, name: str, value: Any) -> Any:
    """Convert a value, which may be a string, to the type of the field `name`.

    Several values of one field are separated by commas in a string. `owner` is the name of the
    task, trainer or table in error messages.
    """
    import msgspec

    known = [each.name for each in fields(kind)]
    if name not in known:
        raise UnknownName(f"setting of {owner}", name, known)
    hint = get_type_hints(kind)[name]
    _check_choice(hint, f"{owner}.{name}", value)
    several = isinstance(value, str) and get_origin(hint) is tuple
    try:
        return msgspec.convert(value.split(",") if several else value, hint, strict=False)
    except msgspec.ValidationError as error:
        raise BadUsage(f"{owner}.{name}={value}: {error}.") from None


def validate_setting(kind: type[Any], owner: str, name: str, value: Any) -> Any:
    """Convert a value to the type of the field `name`, and check its bounds."""
    converted = convert_setting(kind, owner, name, value)
    check_setting(kind, name, converted)
    return converted


def _is_float(hint: Any) -> bool:
    """Whether a setting takes floats, but not integers as such."""
    kinds = get_args(hint) or (hint,)
    return float in kinds and int not in kinds


def _check_choice(hint: Any, label: str, value: Any) -> None:
    if get_origin(hint) is Literal and value not in get_args(hint):
        raise UnknownName(f"value of {label}", str(value), get_args(hint))


def _check_bounds(label: str, value: float, bounds: Mapping[str, Any]) -> None:
    if not isfinite(value):
        raise BadUsage(f"{label} must be a finite number, found {value}.")
    if not all(test(value, bounds[name]) for name, test in _TESTS.items() if _has(bounds, name)):
        raise BadUsage(f"{label} must be {_range(bounds)}, found {value}.")


_TESTS: dict[str, Callable[[float, float], bool]] = {
    "minimum": operator.ge,
    "exclusive_minimum": operator.gt,
    "maximum": operator.le,
    "exclusive_maximum": operator.lt,
}
_PHRASES = {
    ("minimum",): "{minimum} or more",
    ("exclusive_minimum",): "more than {exclusive_minimum}",
    ("maximum",): "{maximum} or less",
    ("exclusive_maximum",): "less than {exclusive_maximum}",
    ("minimum", "maximum"): "from {minimum} to {maximum}",
    ("exclusive_minimum", "exclusive_maximum"): (
        "between {exclusive_minimum} and {exclusive_maximum}"
    ),
    ("minimum", "exclusive_maximum"): "{minimum} or more, and less than {exclusive_maximum}",
    ("exclusive_minimum", "maximum"): "more than {exclusive_minimum}, and {maximum} or less",
}


def _range(bounds: Mapping[str, Any]) -> str:
    """Describe the allowed values, such as "1 or more" or "from 0 to 5"."""
    given = {name: _number(bounds[name]) for name in _TESTS if _has(bounds, name)}
    return _PHRASES[tuple(given)].format(**given)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _has(bounds: Mapping[str, Any], name: str) -> bool:
    return bounds.get(name) is not None
