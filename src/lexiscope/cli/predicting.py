"""Carrying out a plan of models and evaluations, and what is printed about it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.bench.predictionplan import PredictionPlan


def carry_out(plan: "PredictionPlan", options: dict[str, Any]) -> None:
    """Train and ask what a plan says, and print and write what was found."""
    from lexiscope.bench.validation import Where, validate
    from lexiscope.cli.progress import progress
    from lexiscope.cli.studying import written
    from lexiscope.report import validating

    if options["fetch"]:
        _fetch(plan.named, options["data_dir"])
    where = Where(
        Path(options["folder"]),
        options["store"],
        options["data_dir"],
        shared.chosen_backend(options),
        options["jobs"],
    )
    with progress() as tell:
        found = validate(plan, where, tell)
    if options["page"]:
        validating.write(found, options["page"])
    if written(found.to_dict(), lambda: validating.to_markdown(found), options):
        validating.show(found)
        if options["page"]:
            click.echo(f"Report: {options['page']}", err=True)


def _fetch(names: list[str], folder: str | None) -> None:
    """Fetch what can be fetched; what cannot is told, and what needs it is not run."""
    from lexiscope.cli.fetching import fetch_named
    from lexiscope.core.display import shown
    from lexiscope.data.fetching import NotFetched

    for name in names:
        try:
            fetch_named([name], folder)
        except NotFetched as problem:
            click.echo(shown(str(problem), 1000), err=True)
