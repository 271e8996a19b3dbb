"""List the trainers and their hyperparameters."""

import json
from typing import Any

import click

from lexiscope.cli import options
from lexiscope.cli.options import format_default


@click.command()
@click.argument("name", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List the trainers, or describe the trainer NAME: paper and hyperparameters.

    NAME is a built-in or installed trainer, or a Python file that defines one.
    """
    from lexiscope.training.spec import trainer_class, trainer_names

    if name is None and not as_json:
        _list()
        return
    chosen = [name] if name else trainer_names()
    found = [_description(each, trainer_class(each)) for each in chosen]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    _print(found[0])


def _list() -> None:
    from lexiscope import trainers
    from lexiscope.core.contracts.registry import TRAINERS, names, summary

    for name in names(trainers, TRAINERS):
        click.echo(f"{name:<12} {summary(trainers, name, TRAINERS)}")
    click.echo("\nNext: lexiscope train NAME TEXT -o OUT.safetensors")


def _description(name: str, kind: type[Any]) -> dict[str, Any]:
    import sys
    from inspect import getdoc

    from lexiscope.cli.options import fields_of

    return {
        "name": name,
        "summary": (getdoc(kind) or "").partition("\n")[0],
        "text": getdoc(sys.modules[kind.__module__]) or "",
        "paper": kind.paper,
        "version": kind.version,
        "settings": {
            field.name: {"default": field.default, "type": field.type, "help": field.help}
            for field in fields_of(kind)
        },
    }


def _print(trainer: dict[str, Any]) -> None:
    click.echo(f"{trainer['name']}: {trainer['text'] or trainer['summary']}\n")
    click.echo(f"Paper: {trainer['paper']}\n\nHyperparameters:")
    for name, setting in trainer["settings"].items():
        default = "required" if setting["default"] is None else format_default(setting["default"])
        click.echo(f"  --{name.replace('_', '-'):<19} {default:<10} {setting['help']}")
