"""Settings of tasks and trainers as options of the command line."""

from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click


class Field(NamedTuple):
    """A setting as it is shown on the command line. A default of None means that it is required."""

    name: str
    type: str
    default: Any
    help: str
    choices: tuple[str, ...]


def fields_of(kind: type[Any]) -> list[Field]:
    """The settings of a task or trainer."""
    hints = get_type_hints(kind)
    return [
        Field(
            each.name,
            _type_name(hints[each.name]),
            None if each.default is MISSING else each.default,
            each.metadata.get("help", ""),
            get_args(hints[each.name]) if get_origin(hints[each.name]) is Literal else (),
        )
        for each in fields(kind)
    ]


def options_of(settings: Iterable[Field]) -> list[click.Option]:
    """One option per setting. Options that are not given are None, so that defaults apply."""
    return [_option(setting) for setting in settings]


def _option(setting: Field) -> click.Option:
    dashed = setting.name.replace("_", "-")
    text = setting.help
    if setting.default is not None:
        text = f"{text} [{format_default(setting.default)}]".strip()
    if setting.type == "bool":
        return click.Option([f"--{dashed}/--no-{dashed}"], default=None, help=text)
    kind: Any = click.Choice(setting.choices) if setting.choices else _TYPES.get(setting.type)
    return click.Option([f"--{dashed}"], type=kind, default=None, help=text)


_TYPES: dict[str, Any] = {"int": click.INT, "float": click.FLOAT}


def _type_name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    if isinstance(hint, type):
        return hint.__name__
    plain = [each for each in get_args(hint) if each is not type(None)]
    return " | ".join(each.__name__ for each in plain)


def format_default(value: Any) -> str:
    """Format a default value for a help text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
