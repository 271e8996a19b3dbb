"""Options of the commands that study made languages, and what they print."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.bench.studied import Studied
    from lexiscope.bench.studyplan import StudyPlan

_FILE = click.Path(dir_okay=False)


def of_a_study(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which models, how many trials, where and how; what is written."""
    for option in reversed((*_OPTIONS, shared.seed, *_PLACES, *_WRITTEN)):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="NAME",
        help="Only this model, or any trainer (repeatable).",
    ),
    click.option(
        "--trials", type=click.IntRange(1), metavar="N", help="How many corpora are sampled."
    ),
    click.option(
        "--sentences", type=click.IntRange(1), metavar="N", help="How long each corpus is."
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="[NAME.]FIELD=VALUE",
        help="A setting of all models, of one (skip.rate=0.05) or of a study (subspace.cost=10).",
    ),
)
_PLACES = (shared.jobs, shared.backend, shared.store, shared.report)
_WRITTEN = (
    click.option(
        "--json",
        "document",
        type=_FILE,
        metavar="FILE",
        help="Also write one JSON document; - prints it instead of tables.",
    ),
    click.option(
        "--markdown", type=_FILE, metavar="FILE", help="Also write the tables in Markdown."
    ),
)


def asked(options: dict[str, Any]) -> dict[str, Any]:
    """What the options say about a plan; what was not said stays away."""
    plan = {"models": options["models"], "settings": _settings(options["settings"])}
    plan["seed"] = options["seed"]
    plan |= {n: options[n] for n in ("sentences", "trials") if options[n] is not None}
    return plan


def _settings(texts: tuple[str, ...]) -> list[tuple[str, str]]:
    from lexiscope.core.errors import BadUsage

    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadUsage(f"--set takes FIELD=VALUE or NAME.FIELD=VALUE, found '{text}'.")
        found.append((name, value))
    return found


def carry_out(plan: "StudyPlan", options: dict[str, Any]) -> None:
    """Do what a plan says, and print and write what was found."""
    from lexiscope.bench.study import carried_out
    from lexiscope.cli.progress import progress

    with progress() as tell:
        found = carried_out(
            plan, options["store"], shared.chosen_backend(options), options["jobs"], tell
        )
    _show(found, options)


def _show(found: "Studied", options: dict[str, Any]) -> None:
    from lexiscope.report.studying import show, to_markdown, write

    if options["page"]:
        write(found, options["page"])
    if written(found.to_dict(), lambda: to_markdown(found), options):
        show(found)
        if options["page"]:
            click.echo(f"Report: {options['page']}", err=True)


def written(document: dict[str, Any], markdown: Callable[[], str], options: dict[str, Any]) -> bool:
    """Write Markdown and JSON where the options say so; False if JSON was printed instead."""
    from lexiscope.core.display import escaped

    if options["markdown"]:
        _write(options["markdown"], markdown())
    text = escaped(json.dumps(document, indent=2, ensure_ascii=False))
    if options["document"] == "-":
        click.echo(text)
        return False
    if options["document"]:
        _write(options["document"], text + "\n")
    return True


def _write(path: str, text: str) -> None:
    from lexiscope.data.files import replacing

    with replacing(Path(path)) as file:
        file.write(text.encode("utf-8"))
