"""Scores of parts of datasets: their own sections, and what a run was told to break down by."""

from collections.abc import Sequence

from lexiscope.bench.results import Results, number, span
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.report.charts import forest
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.wording import listed, question


def parts(results: Results) -> Section | None:
    """A chart for the sections of each dataset, and one for what it was broken down by."""
    own = [r for r in results.results if r.main and r.slice != WHOLE]
    figures = (
        *_figures(results, own, "sections"),
        *_figures(results, results.parts, "broken down"),
    )
    if not figures:
        return None
    return Section("Parts of datasets", _text(results), figures)


def _text(results: Results) -> tuple[str, ...]:
    text = "Parts have fewer items and wider intervals. Differences between parts were not tested."
    by = results.manifest.get("by", [])
    if not by:
        return (text,)
    broken = f"Broken down by {listed([shown(title) for title in by])}"
    return (text, f"{broken}; of an item's words the rarest decides its frequency.")


def _figures(results: Results, rows: Sequence[Result], what: str) -> list[Figure]:
    found = []
    for task, dataset in dict.fromkeys((r.variant, r.dataset) for r in rows):
        here = [r for r in rows if (r.variant, r.dataset) == (task, dataset)]
        title = f"{question(task, dataset)}, {what}"
        found.append(Figure(title, forest(here, results.embeddings, "slice"), _table(here)))
    return found


def _table(rows: Sequence[Result]) -> Table:
    slices = dict.fromkeys(r.slice for r in rows)
    body = tuple(
        (shown(r.slice), shown(r.embedding), number(r.value), span(r), f"{r.used:,} / {r.total:,}")
        for name in slices
        for r in rows
        if r.slice == name
    )
    head = ("part", "embedding", rows[0].measure, "95 % interval", "items asked")
    return Table(head, body, "The numbers of the figure", folded=True, numeric=(2, 4))
