"""List the trainers and their hyperparameters."""

from typing import Any

import click

from lexiscope.cli import options
from lexiscope.cli.options import format_default
from lexiscope.cli.paragraphs import print_paragraph, print_text


@click.command()
@click.argument("name", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List the trainers, or describe the trainer NAME: paper and hyperparameters.

    NAME is a built-in or installed trainer, or a Python file that defines one.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.training.spec import trainer_class

    if name is None and not as_json:
        _list()
        return
    found = [_description(each, trainer_class(each)) for each in ([name] if name else _names())]
    if as_json:
        print_json(found)
        return
    _print(found[0])


def _names() -> list[str]:
    from lexiscope import trainers
    from lexiscope.core.contracts.registry import TRAINERS, loadable_names
    from lexiscope.core.contracts.trainer import Trainer

    return loadable_names(trainers, Trainer, TRAINERS)


def _list() -> None:
    from lexiscope import trainers
    from lexiscope.core.contracts.registry import TRAINERS, summary
    from lexiscope.training.trainer_groups import grouped

    for title, group in grouped(_names()).items():
        click.echo(f"{title}:")
        for name in group:
            print_paragraph(summary(trainers, name, TRAINERS), f"  {name:<12} ")
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
    print_text(f"{trainer['name']}: {trainer['text'] or trainer['summary']}")
    click.echo()
    print_paragraph(trainer["paper"], "Paper: ")
    click.echo("\nHyperparameters:")
    for name, setting in trainer["settings"].items():
        default = "required" if setting["default"] is None else format_default(setting["default"])
        print_paragraph(setting["help"], f"  --{name.replace('_', '-'):<19} {default:<10} ")
