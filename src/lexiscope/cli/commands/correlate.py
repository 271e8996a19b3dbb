"""Correlate the evaluations of a stored run with each other."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexiscope.evaluation.analysis.correlation import Correlations

_MOST = 20  # rows of a table


@click.command()
@options.store
@options.run_id
@click.option(
    "--target",
    metavar="NAME",
    help="Only correlations with this task, dataset, or TASK on DATASET.",
)
@click.option(
    "--same-model",
    multiple=True,
    metavar="PATTERN",
    help="Embeddings with such names (cbow-*) are runs of one model (repeatable).",
)
@click.option("--all", "in_full", is_flag=True, help=f"All rows, not only {_MOST}, and columns.")
@options.as_json
def command(
    store: str,
    run_id: str | None,
    target: str | None,
    same_model: tuple[str, ...],
    in_full: bool,
    as_json: bool,
) -> None:
    """Correlate every two evaluations of a stored run over its embeddings.

    Only embeddings of equal dimensionality are correlated. Trainings that differ only in the seed
    count as one embedding, their mean.
    """
    from lexiscope.cli.commands._stored_runs import results_of
    from lexiscope.cli.json_output import print_json
    from lexiscope.evaluation.analysis.correlation import correlate

    found = correlate(results_of(store, run_id), same_model)
    targets = _targets(found, target)
    if as_json:
        print_json(found.to_dict() | {"targets": targets})
    else:
        _show(found, targets, None if in_full else _MOST)


def _targets(found: "Correlations", wanted: str | None) -> list[str]:
    """The evaluations that a name selects."""
    from lexiscope.core.errors import UnknownName

    known = list(dict.fromkeys(name for each in found.scored for name in each.evaluations))
    if wanted is None:
        return []
    chosen = [name for name in known if wanted in (name, *name.rsplit(" on ", 1))]
    if not chosen:
        raise UnknownName("evaluation of this run", wanted, known)
    return chosen


def _show(found: "Correlations", targets: list[str], most: int | None) -> None:
    from lexiscope.report.console import console, print_lines, print_verdict
    from lexiscope.report.correlation_tables import left_out, sentences

    out = console()
    for part in _tables(found, targets, most):
        out.print(part)
    lines = [text for t in targets for text in sentences(found, t)] or sentences(found)
    print_lines(out, left_out(found))
    print_verdict(out, lines)


def _tables(found: "Correlations", targets: list[str], most: int | None) -> "Iterator[Any]":
    """The tables, each with the number of rows that are left out; significant rows are first."""
    from lexiscope.report.console import view
    from lexiscope.report.correlation_tables import consensus_table, short_pair_table, strongest

    pairs = [p for t in targets for p in found.of(t)] if targets else strongest(found.pairs)
    if pairs:
        table = short_pair_table(pairs[:most], in_full=most is None)
        yield view(table, left=table.head.index("target") + 1)
        yield from _rest(len(pairs), most, "pair")
    consensus = [each for each in found.consensus if not targets or each.evaluation in targets]
    if consensus:
        yield view(consensus_table(consensus[:most], ""), left=2)
        yield from _rest(len(consensus), most, "evaluation")


def _rest(number: int, most: int | None, what: str) -> "Iterator[str]":
    from lexiscope.report.sentences import counted

    if most is not None and number > most:
        yield f"{counted(number - most, f'more {what}')}: --all shows them.\n"
