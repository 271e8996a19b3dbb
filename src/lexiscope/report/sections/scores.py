"""Scores with intervals, and the measures that stand beside them."""

from collections.abc import Sequence

from lexiscope.bench.results import Results, number, span
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.report.charts import forest
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.letters import letters
from lexiscope.report.wording import ranked

_OPEN = 12  # rows; longer tables are folded


def scores(results: Results) -> Section:
    """Every task's scores with intervals."""
    figures = []
    for task in dict.fromkeys(r.variant for r in results.main()):
        rows = [r for r in results.main() if r.variant == task]
        figures.append(
            Figure(shown(task), forest(rows, results.embeddings), _score_table(results, rows))
        )
    text = (
        "Points are scores, lines their 95 % intervals: how far the score would move with other "
        "items of the same kind.",
        "In the tables, embeddings with a letter in common cannot be told apart on that dataset, "
        "and the rank says which places the real differences leave open.",
    )
    return Section("Scores", text, tuple(figures))


def _score_table(results: Results, rows: Sequence[Result]) -> Table:
    task = rows[0].variant
    datasets = dict.fromkeys(row.dataset for row in rows)
    body = tuple(
        line
        for dataset in datasets
        for line in _lines(results, task, dataset, [r for r in rows if r.dataset == dataset])
    )
    head = (
        "dataset",
        "embedding",
        rows[0].measure,
        "95 % interval",
        "items asked",
        "group",
        "rank",
    )
    return Table(head, body, "The numbers of the figure", len(body) > _OPEN, (2, 4))


def _lines(
    results: Results, task: str, dataset: str, rows: Sequence[Result]
) -> list[tuple[str, ...]]:
    marks, ranks = letters(results.groups(task, dataset)), results.ranks(task, dataset)
    return [
        (
            shown(dataset),
            shown(row.embedding),
            number(row.value),
            span(row),
            f"{row.used:,} / {row.total:,}",
            marks.get(row.embedding, ""),
            ranked(ranks.get(row.embedding)),
        )
        for row in rows
    ]


def beside(results: Results) -> Section | None:
    """Measures that stand beside the score."""
    rows = [r for r in results.results if not r.main and r.slice == WHOLE]
    if not rows:
        return None
    body = tuple(
        (
            shown(r.variant),
            shown(r.dataset),
            shown(r.embedding),
            r.measure,
            number(r.value),
            span(r),
        )
        for r in rows
    )
    head = ("task", "dataset", "embedding", "measure", "value", "95 % interval")
    text = ["A reference, such as a chance level, has no interval: it is there to read a score by."]
    if any(r.measure == "accuracy_of_all" for r in rows):
        text.append("accuracy_of_all counts a question whose words are missing as wrong.")
    table = Table(head, body, "All other measures", folded=True, numeric=(4,))
    return Section("Other measures", tuple(text), (table,))
