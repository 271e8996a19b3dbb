"""What can be trained."""

import json
from typing import Any

import click

from lexiscope.cli import options
from lexiscope.cli.fields import default_shown


@click.command()
@click.argument("name", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List the trainers, or explain the trainer NAME with its paper and settings."""
    from lexiscope.bench.training import trainer_class, trainer_names

    if name is None and not as_json:
        _list()
        return
    found = [_about(each, trainer_class(each)) for each in ([name] if name else trainer_names())]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    _explain(found[0])


def _list() -> None:
    from lexiscope import trainers
    from lexiscope.core.discovery import names, summary

    for name in names(trainers):
        click.echo(f"{name:<12} {summary(trainers, name)}")
    click.echo("\nNext: lexiscope train NAME TEXT -o OUT.safetensors")


def _about(name: str, kind: type[Any]) -> dict[str, Any]:
    import sys
    from inspect import getdoc

    from lexiscope.cli.fields import fields_of

    return {
        "name": name,
        "summary": (getdoc(kind) or "").partition("\n")[0],
        "text": getdoc(sys.modules[kind.__module__]) or "",
        "paper": kind.paper,
        "version": kind.version,
        "settings": {
            field.name: {"default": field.default, "type": field.kind, "about": field.about}
            for field in fields_of(kind)
        },
    }


def _explain(about: dict[str, Any]) -> None:
    click.echo(f"{about['name']}: {about['text']}\n")
    click.echo(f"Paper: {about['paper']}\n\nSettings:")
    for name, setting in about["settings"].items():
        default = "needed" if setting["default"] is None else default_shown(setting["default"])
        click.echo(f"  --{name.replace('_', '-'):<14} {default:<10} {setting['about']}")
