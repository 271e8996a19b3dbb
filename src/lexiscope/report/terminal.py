"""Results as a table for a terminal. Words from data are text, never markup."""

from typing import TYPE_CHECKING

from lexiscope.bench.results import Results, number, span, variant_of
from lexiscope.core.display import shown
from lexiscope.report.letters import letters

if TYPE_CHECKING:
    from rich.table import Table

_LOW_COVERAGE = 0.8


def table(results: Results) -> "Table":
    """A heading for each task and dataset, below it a row per embedding; groups as letters."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    view = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column("task, dataset, measure: embedding", overflow="fold")
    for name in ("score", "95 % interval", "items asked", "group"):
        right = name in ("score", "items asked")
        view.add_column(name, justify="right" if right else "left", overflow="fold")
    for task, dataset in results.columns:
        marks = letters(results.groups(task, dataset))
        rows = [r for r in results.main() if (variant_of(r), r.dataset) == (task, dataset)]
        view.add_row(Text(f"{task}, {shown(dataset)}, {rows[0].measure}", style="bold"))
        for row in rows:
            view.add_row(
                Text(f"  {shown(row.embedding)}"),
                Text(number(row.value)),
                Text(span(row)),
                Text(f"{row.used:,}/{row.total:,}"),
                Text(marks.get(row.embedding, "")),
            )
    return view


def summary(results: Results) -> list[str]:
    """What the table does not say: policy, real differences, low coverage, failures."""
    lines = [f"Policy: {results.policy}; items with an unknown word are left out."]
    if results.comparisons:
        real = sum(c.real for c in results.comparisons)
        tested = sum(c.p is not None for c in results.comparisons)
        lines.append(
            f"{real} of {tested} differences are real (paired tests, Holm, 5 %). "
            "Embeddings with a letter in common cannot be told apart."
        )
    lines += [
        f"Low coverage: {shown(c.embedding)} has the words for only {c.used:,} of "
        f"{c.total:,} items of {shown(c.dataset)}."
        for c in results.coverage
        if c.used < _LOW_COVERAGE * c.total
    ]
    lines += [
        f"Failed: {shown(f.embedding)}, {f.task} on {shown(f.dataset)}: {shown(f.reason, 300)}"
        for f in results.failures
    ]
    return lines


def show(results: Results) -> None:
    """Print the table and the summary."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(results), *[Text(line) for line in summary(results)], sep="\n")
