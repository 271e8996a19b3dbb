"""The one grid in a terminal: a row for each dataset, a column for each embedding."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.comparable_scores import ComparableScore, EvaluationScores
from lexiscope.evaluation.analysis.leaderboard import Leaderboard
from lexiscope.report.console import GroupedTable
from lexiscope.report.numbers import MISSING, score
from lexiscope.report.sections.overview import by_task

_GAP = 2  # characters between two columns
_LONGEST = 16  # characters of a name above its column; longer names are numbered
_DATASETS = 30  # characters of the first column, at most


class TerminalGrid:
    """The scores, the best in bold, no wider than the terminal; many embeddings are split."""

    def __init__(self, found: Leaderboard) -> None:
        self.found = found
        self.evaluations = by_task(found)
        self.names = [shown(name) for name in found.embeddings]

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich.text import Text

        is_numbered = max(map(len, self.names), default=0) > _LONGEST
        if is_numbered:
            yield from (Text(f"{k:>2}  {name}") for k, name in enumerate(self.names, 1))
        heads = [str(k) for k in range(1, len(self.names) + 1)] if is_numbered else self.names
        texts = [len(text) for e in self.evaluations for text, _ in _cells(e).values()]
        widths = [max(len(head), *texts, 5) for head in heads]
        first = min(_DATASETS, max(len(_label(each)) for each in self.evaluations))
        for block in _blocks(widths, options.max_width - first):
            yield self._view(block, heads)

    def _view(self, columns: Sequence[int], heads: Sequence[str]) -> GroupedTable:
        """One table with some of the embeddings."""
        names = [self.found.embeddings[column] for column in columns]
        groups = [
            (f"{shown(task)}, {shown(metric)}", [self._row(each, names) for each in group])
            for (task, metric), group in groupby(self.evaluations, lambda e: (e.task, e.metric))
        ]
        return GroupedTable(("dataset", *(heads[column] for column in columns)), groups)

    def _row(self, found: EvaluationScores, names: Sequence[str]) -> tuple[list[Any], str]:
        from rich.text import Text

        cells = _cells(found)
        texts = [cells.get(name, (MISSING, False)) for name in names]
        bold = [Text(text, style="bold" if is_best else "") for text, is_best in texts]
        return [_label(found), *bold], ""


def _label(found: EvaluationScores) -> str:
    return f"  {shown(found.dataset)}"


def _cells(found: EvaluationScores) -> dict[str, tuple[str, bool]]:
    """The text of each embedding's cell, and whether it is among the best."""
    return {row.embedding: (_score(row), row.best) for row in found.scores}


def _score(row: ComparableScore) -> str:
    """A score with its letters; in brackets if it is not comparable."""
    if row.value is not None:
        return f"{score(row.value)} {row.letters}".rstrip()
    return MISSING if row.own.value is None else f"({score(row.own.value)})"


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns that fit next to each other."""
    blocks: list[list[int]] = []
    left = 0
    for column, width in enumerate(widths):
        if not blocks or width + _GAP > left:
            blocks.append([])
            left = room
        blocks[-1].append(column)
        left -= width + _GAP
    return blocks
