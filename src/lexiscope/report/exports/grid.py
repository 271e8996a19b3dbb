"""The table of a paper: a row for each question, a column for each embedding."""

from typing import NamedTuple

from lexiscope.bench.results import Results
from lexiscope.core.result import Result
from lexiscope.report.letters import letters


class Cell(NamedTuple):
    """A score with its interval; `best` if none is really better and none of those is higher,
    `alone` if it is really better than every other."""

    value: float | None
    low: float | None
    high: float | None
    letters: str
    best: bool
    alone: bool
    lacks: str  # "2,278/3,000" where not every item could be asked


class Row(NamedTuple):
    """A question and what each embedding scored; None where it has no result."""

    task: str
    dataset: str
    measure: str
    cells: list[Cell | None]


def grid(results: Results) -> list[Row]:
    """Every question of a run."""
    return [_row(results, task, dataset) for task, dataset in results.columns]


def _row(results: Results, task: str, dataset: str) -> Row:
    rows = {r.embedding: r for r in results.main() if (r.variant, r.dataset) == (task, dataset)}
    marks = letters(results.groups(task, dataset))
    scores = results.scores(task, dataset)
    leaders = results.leaders(task, dataset)
    highest = max((scores[name] for name in leaders), default=None)
    alone = _alone(results, task, dataset)

    def cell(row: Result) -> Cell:
        best = row.embedding in leaders and row.value == highest
        mark = marks.get(row.embedding, "")
        lacks = "" if row.used == row.total else f"{row.used:,}/{row.total:,}"
        return Cell(
            row.value, row.low, row.high, mark, best, best and row.embedding == alone, lacks
        )

    cells = [cell(rows[name]) if name in rows else None for name in results.embeddings]
    measure = next((r.measure for r in rows.values()), "")
    return Row(task, dataset, measure, cells)


def _alone(results: Results, task: str, dataset: str) -> str | None:
    """The embedding that is really better than each of the others, if there is one."""
    ranks = results.ranks(task, dataset)
    if len(ranks) < 2:
        return None
    return next((name for name, rank in ranks.items() if rank.worst == 1), None)


def legend(results: Results) -> str:
    """How to read the table."""
    intervals = (
        "Scores with 95 % intervals, and the items asked where some words are missing; bold: the "
        "highest of those that none is really better than on shared items"
    )
    if not results.comparisons:
        return f"{intervals}. Policy: {results.policy}."
    return (
        f"{intervals}; †: really better than every other embedding (paired tests on shared items, "
        f"Holm's correction over {len(results.comparisons)} comparisons, 5 % level). Scores with a "
        f"letter in common cannot be told apart. Policy: {results.policy}."
    )
