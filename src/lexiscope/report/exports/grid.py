"""The table of a paper: a row for each evaluation, a column for each embedding."""

from typing import NamedTuple

from lexiscope.evaluation.analysis.comparable_scores import ComparableScore, comparable_scores
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import fraction
from lexiscope.report.sentences import min_coverage


class Cell(NamedTuple):
    """A score with its interval, on shared items if coverage differs.

    `own` is the score on own items, if these are others.
    `best`: the highest score, or one that is not significantly different from it. `alone`:
    significantly better than every other embedding. `coverage`: empty if all items are covered.
    """

    value: float | None
    low: float | None
    high: float | None
    letters: str
    best: bool
    alone: bool
    coverage: str
    own: float | None = None


class Row(NamedTuple):
    """An evaluation and the score of each embedding; None if it has no result.

    `items`: the number of shared items; None if the embeddings cover the same items.
    """

    task: str
    dataset: str
    metric: str
    cells: list[Cell | None]
    items: int | None = None


def grid(results: Results) -> list[Row]:
    """Every evaluation of a run."""
    return [_row(results, task, dataset) for task, dataset in results.evaluations]


def _row(results: Results, task: str, dataset: str) -> Row:
    found = comparable_scores(results, task, dataset)
    cells = {each.embedding: _cell(each) for each in found.scores}
    items = found.items if found.differs else None
    return Row(task, dataset, found.metric, [cells.get(name) for name in results.embeddings], items)


def _cell(found: ComparableScore) -> Cell:
    own = found.own
    coverage = "" if own.used == own.total else fraction(own.used, own.total)
    return Cell(
        found.value, found.low, found.high, found.letters, found.best, found.alone, coverage,
        own.value if found.has_other_items else None,
    )  # fmt: skip


def legend(results: Results) -> str:
    """How to read the table."""
    rows = grid(results)
    parts = ["Scores with 95 % confidence intervals, and the coverage where words are missing"]
    if any(row.items is not None for row in rows):
        parts.append(
            "where coverage differs, scores are on the shared items, and own is the score on all "
            "items that the embedding covers; an embedding without a score on shared items covers "
            f"less than {min_coverage(results.rule)} of the items"
        )
    if not results.comparisons:
        return f"{'; '.join(parts)}. Policy: {results.policy}."
    parts.append(
        "bold: the highest score on the same items, and all that are not significantly different "
        "from it"
    )
    parts.append("†: significantly better than every other embedding")
    return (
        f"{'; '.join(parts)}. Paired tests on shared items, Holm's correction with Tarone's "
        f"modification over {len(results.comparisons)} comparisons, 5 % level. Embeddings that "
        "share a letter are not significantly different. Intervals are not corrected for multiple "
        f"comparisons, letters are. Policy: {results.policy}."
    )


def compact_legend(results: Results) -> str:
    """How to read the table without intervals and coverage."""
    parts = ["Scores"]
    if any(row.items is not None for row in grid(results)):
        parts.append("where coverage differs, scores are on the shared items")
    if results.comparisons:
        parts.append("bold: the highest score, and all that are not significantly different")
        parts.append("†: significantly better than every other embedding")
        parts.append("a shared letter: not significantly different")
    return f"{'; '.join(parts)}. Policy: {results.policy}."
