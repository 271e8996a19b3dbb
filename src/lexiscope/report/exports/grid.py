"""The table of a paper: a row for each evaluation, a column for each embedding."""

from typing import NamedTuple

from lexiscope.core.result import Result
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import fraction, letters


class Cell(NamedTuple):
    """A score with its interval.

    `best`: the highest score of those that no embedding is significantly better than. `alone`:
    significantly better than every other embedding. `coverage`: empty if all items are covered.
    """

    value: float | None
    low: float | None
    high: float | None
    letters: str
    best: bool
    alone: bool
    coverage: str


class Row(NamedTuple):
    """An evaluation and the score of each embedding; None if it has no result."""

    task: str
    dataset: str
    metric: str
    cells: list[Cell | None]


def grid(results: Results) -> list[Row]:
    """Every evaluation of a run."""
    return [_row(results, task, dataset) for task, dataset in results.evaluations]


def _row(results: Results, task: str, dataset: str) -> Row:
    rows = {r.embedding: r for r in results.main() if (r.variant, r.dataset) == (task, dataset)}
    marks = letters(results.groups(task, dataset))
    scores = results.scores(task, dataset)
    best = results.best(task, dataset)
    highest = max((scores[name] for name in best), default=None)
    alone = _alone(results, task, dataset)

    def cell(row: Result) -> Cell:
        is_best = row.embedding in best and row.value == highest
        mark = marks.get(row.embedding, "")
        coverage = "" if row.used == row.total else fraction(row.used, row.total)
        is_alone = is_best and row.embedding == alone
        return Cell(row.value, row.low, row.high, mark, is_best, is_alone, coverage)

    cells = [cell(rows[name]) if name in rows else None for name in results.embeddings]
    metric = next((r.metric for r in rows.values()), "")
    return Row(task, dataset, metric, cells)


def _alone(results: Results, task: str, dataset: str) -> str | None:
    """The embedding that is significantly better than every other, if there is one."""
    ranks = results.ranks(task, dataset)
    if len(ranks) < 2:
        return None
    return next((name for name, rank in ranks.items() if rank.worst == 1), None)


def legend(results: Results) -> str:
    """How to read the table."""
    intervals = (
        "Scores with 95 % confidence intervals, and the coverage where words are missing; bold: "
        "the highest score among the embeddings that no other one is significantly better than"
    )
    if not results.comparisons:
        return f"{intervals}. Policy: {results.policy}."
    return (
        f"{intervals}; †: significantly better than every other embedding (paired tests on shared "
        f"items, Holm's correction over {len(results.comparisons)} comparisons, 5 % level). "
        "Embeddings that share a letter are not significantly different. "
        f"Policy: {results.policy}."
    )
