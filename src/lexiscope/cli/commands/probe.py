"""Probe models that are trained on a synthetic language."""

from typing import Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.experiment_options import PLAN, experiment_options, given, output


@click.command()
@click.argument("grammar")
@click.option(
    "--target", "targets", multiple=True, metavar="NAME", help="Only this target (repeatable)."
)
@experiment_options
def command(grammar: str, **options: Any) -> int:
    """Sample corpora of GRAMMAR (a file or a name), train models on them, and probe the models.

    Every finished trial is stored. After an interruption, the same command continues.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.papers.probe import probe

    chosen = given(options, "targets", *PLAN)
    with progress_bar() as progress:
        found = probe(grammar, **chosen, execution=shared.execution_from(options, progress))
    return output(found, options)
