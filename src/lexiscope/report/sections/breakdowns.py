"""Breakdowns: scores on subsets of datasets."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import forest
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import fraction, interval_of, score
from lexiscope.report.sentences import counted, evaluation_name, listed


def breakdowns(results: Results) -> Section | None:
    """A chart for the sections of each dataset, and one for each attribute of `--by`."""
    own = [r for r in results.results if r.main and r.slice != WHOLE]
    figures = (
        *_figures(results, own, "by section"),
        *_figures(results, results.breakdowns, "by attribute"),
    )
    if not figures:
        return None
    abstract = f"{counted(len(figures), 'chart')} of scores on subsets"
    return Section("Breakdowns", _text(results), figures, folded=True, abstract=abstract)


def _text(results: Results) -> tuple[str, ...]:
    text = (
        "Subsets have fewer items and wider intervals. Differences between subsets are not tested. "
        "Each score is on the items that the embedding covers, so scores of embeddings with "
        "different coverage are not comparable."
    )
    by = [shown(f"{each['name']} ({each['source']})") for each in results.manifest.get("by", [])]
    if not by:
        return (text,)
    return (text, f"Attributes: {listed(by)}. The rarest word of an item sets its frequency.")


def _figures(results: Results, rows: Sequence[Result], kind: str) -> list[Figure]:
    found = []
    for evaluation in dict.fromkeys((r.variant, r.dataset) for r in rows):
        here = [r for r in rows if (r.variant, r.dataset) == evaluation]
        title = f"{evaluation_name(*evaluation)}, {kind}"
        found.append(Figure(title, forest(here, results.embeddings, "slice"), _table(here)))
    return found


def _table(rows: Sequence[Result]) -> Table:
    slices = dict.fromkeys(r.slice for r in rows)
    body = tuple(
        (
            shown(r.slice),
            shown(r.embedding),
            score(r.value),
            interval_of(r),
            fraction(r.used, r.total),
        )
        for name in slices
        for r in rows
        if r.slice == name
    )
    head = ("subset", "embedding", rows[0].metric, "95 % interval", "coverage")
    return Table(head, body, "Data of the figure", folded=True, numeric=(2, 4))
