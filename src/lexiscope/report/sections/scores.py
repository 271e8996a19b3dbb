"""Scores with confidence intervals, significance groups and ranks."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Result
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import forest
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import fraction, interval_of, letters, score
from lexiscope.report.sentences import rank_range

_OPEN = 12  # rows; longer tables are folded


def scores(results: Results) -> Section:
    """The scores of every task."""
    figures = []
    for task in dict.fromkeys(r.variant for r in results.main()):
        rows = [r for r in results.main() if r.variant == task]
        figures.append(Figure(shown(task), forest(rows, results.embeddings), _table(results, rows)))
    text = (
        "Points are scores, lines their 95 % confidence intervals over items.",
        "In the tables, embeddings that share a letter (group) are not significantly different on "
        "that dataset. The rank is the range of ranks that the significant differences allow.",
    )
    return Section("Scores", text, tuple(figures))


def _table(results: Results, rows: Sequence[Result]) -> Table:
    task = rows[0].variant
    datasets = dict.fromkeys(row.dataset for row in rows)
    body = tuple(
        line
        for dataset in datasets
        for line in _lines(results, task, dataset, [r for r in rows if r.dataset == dataset])
    )
    head = ("dataset", "embedding", rows[0].metric, "95 % interval", "coverage", "group", "rank")
    return Table(head, body, "Data of the figure", len(body) > _OPEN, (2, 4))


def _lines(
    results: Results, task: str, dataset: str, rows: Sequence[Result]
) -> list[tuple[str, ...]]:
    groups, ranks = results.groups(task, dataset), results.ranks(task, dataset)
    marks = letters(groups)
    return [
        (
            shown(dataset),
            shown(row.embedding),
            score(row.value),
            interval_of(row),
            fraction(row.used, row.total),
            marks.get(row.embedding, ""),
            rank_range(ranks.get(row.embedding)),
        )
        for row in rows
    ]
