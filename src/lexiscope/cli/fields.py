"""The fields of a dataclass as options of the command line."""

from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click


class Field(NamedTuple):
    """A setting as the command line shows it; a default of None means that it must be given."""

    name: str
    kind: str
    default: Any
    about: str
    choices: tuple[str, ...]


def fields_of(kind: type[Any]) -> list[Field]:
    """The settings of a trainer."""
    hints = get_type_hints(kind)
    return [
        Field(
            each.name,
            _named(hints[each.name]),
            None if each.default is MISSING else each.default,
            each.metadata.get("about", ""),
            get_args(hints[each.name]) if get_origin(hints[each.name]) is Literal else (),
        )
        for each in fields(kind)
    ]


def options_of(found: Iterable[Field]) -> list[click.Option]:
    """An option for each field; what is not given stays away, so that the defaults hold."""
    return [_option(field) for field in found]


def _option(field: Field) -> click.Option:
    dashed = field.name.replace("_", "-")
    about = field.about
    if field.default is not None:
        about = f"{about} [{default_shown(field.default)}]".strip()
    if field.kind == "bool":
        return click.Option([f"--{dashed}/--no-{dashed}"], default=None, help=about)
    kind: Any = click.Choice(field.choices) if field.choices else _TYPES.get(field.kind)
    return click.Option([f"--{dashed}"], type=kind, default=None, help=about)


_TYPES: dict[str, Any] = {"int": click.INT, "float": click.FLOAT}


def _named(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    if isinstance(hint, type):
        return hint.__name__
    plain = [each for each in get_args(hint) if each is not type(None)]
    return " | ".join(each.__name__ for each in plain)


def default_shown(value: Any) -> str:
    """A default as help shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
