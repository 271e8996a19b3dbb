"""Scores of one evaluation on the same items, and which of them are the best.

If coverage differs, scores on own items are not comparable. The comparable score is the one on the
items that all embeddings with enough coverage cover; an embedding with less coverage has none.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from lexiscope.core.result import Comparison, Result
from lexiscope.evaluation.comparison import counts, loser
from lexiscope.evaluation.run_data import RunData
from lexiscope.stats.multiple_comparisons import Ranks, letters


class ComparableScore(NamedTuple):
    """A comparable score of an embedding on `items`, None if it has none; `own` is on own items.

    `best`: the highest score, or one that is not significantly different from it. `alone`:
    significantly better than every other comparable score.
    """

    own: Result
    items: int
    value: float | None
    low: float | None
    high: float | None
    letters: str = ""
    best: bool = False
    alone: bool = False
    rank: Ranks | None = None

    @property
    def embedding(self) -> str:
        """The name of the embedding."""
        return self.own.embedding

    @property
    def has_other_items(self) -> bool:
        """Whether the score on own items is on other items than the comparable one."""
        return self.items != self.own.used

    @property
    def coverage(self) -> float:
        """The proportion of the items that the embedding covers."""
        return self.own.used / max(1, self.own.total)


class EvaluationScores(NamedTuple):
    """The scores of one evaluation, the highest comparable one first.

    `differs`: the embeddings cover different items, so the comparable scores are those on `items`
    shared items.
    """

    task: str
    dataset: str
    metric: str
    differs: bool
    items: int
    scores: tuple[ComparableScore, ...]


def comparable_scores(results: RunData, task: str, dataset: str) -> EvaluationScores:
    """The scores of one evaluation, with the letters and ranks of those that are comparable."""
    rows = results.main_of(task, dataset)
    differs = coverage_differs(rows)
    found = [_score(row, differs) for row in rows]
    found.sort(key=lambda each: (each.value is None, -(each.value or 0.0)))
    items = max((row.shared_items for row in rows), default=0)
    metric = rows[0].metric if rows else ""
    marked = _marked(results, task, dataset, found)
    return EvaluationScores(task, dataset, metric, differs, items, tuple(marked))


def coverage_differs(rows: Sequence[Result]) -> bool:
    """Whether the scores of one evaluation are on different items."""
    scored = [row for row in rows if row.value is not None]
    if not any(row.shared_items for row in scored):  # a run without comparisons
        return len({row.used for row in scored}) > 1
    return len(scored) > 1 and any(
        row.shared_value is None or row.shared_items != row.used for row in scored
    )


def _score(row: Result, differs: bool) -> ComparableScore:
    if not differs:
        return ComparableScore(row, row.used, row.value, row.low, row.high)
    values = row.shared_value, row.shared_low, row.shared_high
    return ComparableScore(row, row.shared_items if row.shared_value is not None else 0, *values)


def _marked(
    results: RunData, task: str, dataset: str, found: Sequence[ComparableScore]
) -> list[ComparableScore]:
    """Add letters, ranks and the best ones among the comparable scores."""
    names = [each.embedding for each in found if each.value is not None]
    if len(names) < 2:
        return list(found)
    marks, ranks = letters(results.groups(task, dataset)), results.ranks(task, dataset)
    tested = [c for c in results.comparisons_on(task, dataset) if counts(c, results.rule)]
    best = _best(names, results.best(task, dataset), tested)
    wins = Counter(_winner(c) for c in tested)
    return [
        each._replace(
            letters=marks.get(each.embedding, ""),
            rank=ranks.get(each.embedding),
            best=each.embedding in best,
            alone=wins[each.embedding] == len(names) - 1,
        )
        if each.embedding in names
        else each
        for each in found
    ]


def _best(names: Sequence[str], unbeaten: Sequence[str], tested: Sequence[Comparison]) -> set[str]:
    """The highest score that no other is significantly better than, and those like it.

    `names` are in the order of the scores.
    """
    highest = next((name for name in names if name in unbeaten), None)
    if highest is None:
        return set()
    alike = [c for c in tested if highest in (c.first, c.second) and not c.significant]
    return {highest, *(name for c in alike for name in (c.first, c.second))}


def _winner(comparison: Comparison) -> str | None:
    """The embedding that is significantly better; None if neither is."""
    worse = loser(comparison)
    if worse is None:
        return None
    return comparison.first if worse == comparison.second else comparison.second
