"""Which evaluation predicts which."""

import json
from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.bench.predicting import Predictions


@click.command()
@options.store
@options.run_id
@click.option(
    "--target",
    metavar="NAME",
    help="Only what predicts this: a task, a dataset, or TASK on DATASET.",
)
@click.option(
    "--same",
    multiple=True,
    metavar="PATTERN",
    help="Embeddings with such names (cbow-*) are runs of one model (repeatable).",
)
@options.as_json
def command(
    store: str, run_id: str | None, target: str | None, same: tuple[str, ...], as_json: bool
) -> None:
    """Say which evaluations of a stored run predict which, and how surely.

    Every two evaluations are correlated over the embeddings of a run, those of equal dimensionality
    together. Trainings that differ in their seed only count as one.
    """
    from lexiscope.bench.predicting import of_results
    from lexiscope.cli.commands._stored import results_of
    from lexiscope.core.display import escaped

    found = of_results(results_of(store, run_id), same)
    targets = _targets(found, target)
    if as_json:
        document = found.to_dict() | {"targets": targets}
        click.echo(escaped(json.dumps(document, indent=2, ensure_ascii=False)))
    else:
        _show(found, targets)


def _targets(found: "Predictions", wanted: str | None) -> list[str]:
    """The evaluations that a name stands for."""
    from lexiscope.core.errors import UnknownName

    known = list(dict.fromkeys(name for each in found.scored for name in each.evaluations))
    if wanted is None:
        return []
    chosen = [name for name in known if wanted in (name, *name.rsplit(" on ", 1))]
    if not chosen:
        raise UnknownName("evaluation of this run", wanted, known)
    return chosen


def _show(found: "Predictions", targets: list[str]) -> None:
    import sys

    from rich.console import Console
    from rich.text import Text

    from lexiscope.report.predicting import joined_table, left_out, pair_table, sentences
    from lexiscope.report.tables import view

    console = Console(width=None if sys.stdout.isatty() else 160)
    pairs = [p for t in targets for p in found.of(t)] if targets else list(found.pairs)
    if pairs:
        console.print(view(pair_table(pairs), left=3))
    joined = [j for j in found.joined if not targets or j.evaluation in targets]
    if joined:
        console.print(view(joined_table(joined, ""), left=2))
    told = [text for t in targets for text in sentences(found, t)] or sentences(found)
    console.print(*[Text(text) for text in (*told, *left_out(found))], sep="\n")
