"""Overview: one grid of embeddings x datasets, with intervals, groups and coverage."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.comparable_scores import ComparableScore, EvaluationScores
from lexiscope.evaluation.analysis.leaderboard import Leaderboard, Standing
from lexiscope.evaluation.results import Results
from lexiscope.report.charts.scale import Scale, bar, scale_of
from lexiscope.report.layout import Grid, GridCell, GridColumn, GridRow, Section
from lexiscope.report.numbers import (
    MISSING,
    comparable_interval,
    count,
    fraction,
    interval_of,
    score,
)
from lexiscope.report.sentences import counted, min_coverage

_CAPTION = "Scores of every embedding on every dataset"
_COLUMNS = 10  # datasets, as columns; more are rows if there are few embeddings
_EMBEDDINGS = 8  # as columns


def overview(results: Results) -> Section:
    """The scores of every embedding on every dataset."""
    found = results.leaderboard
    return Section("Scores", (legend(results, found),), (grid(found),))


def legend(results: Results, found: Leaderboard, is_shaded: bool = True) -> str:
    """How to read the grid, as far as it applies to these results."""
    parts = ["Each dataset has its own scale; lines are 95 % confidence intervals"]
    rows = [row for each in found.evaluations for row in each.scores]
    if any(row.best for row in rows):
        parts.append("bold and blue: the best, and those not significantly different from it")
    if any(row.letters for row in rows):
        parts.append("a shared letter: not significantly different")
    if is_shaded and any(row.own.used < row.own.total for row in rows):
        parts.append("shaded: items are not covered")
    if any(each.differs for each in found.evaluations):
        parts.append("scores are on shared items where coverage differs")
    if any(row.value is None and row.own.value is not None for row in rows):
        few = min_coverage(results.rule)
        parts.append(f"hollow: covers under {few} of the items, so not comparable")
    return f"{'; '.join(parts)}."


def by_task(found: Leaderboard) -> list[EvaluationScores]:
    """The evaluations of one task and metric next to each other."""
    groups: dict[tuple[str, str], list[EvaluationScores]] = {}
    for each in found.evaluations:
        groups.setdefault((each.task, each.metric), []).append(each)
    return [each for group in groups.values() for each in group]


def grid(found: Leaderboard) -> Grid:
    """Embeddings in their order, evaluations by task; few embeddings are columns."""
    evaluations = by_task(found)
    cells = [_cells(each) for each in evaluations]
    if len(evaluations) > _COLUMNS and len(found.standings) <= _EMBEDDINGS:
        return _with_embeddings_as_columns(found, evaluations, cells)
    columns = tuple(
        GridColumn(shown(each.dataset), _task(each), _items(each)) for each in evaluations
    )
    rows = tuple(
        GridRow(
            shown(s.embedding),
            _beaten(s),
            tuple(column.get(s.embedding) for column in cells),
        )
        for s in found.standings
    )
    return Grid(_CAPTION, columns, rows, "embedding", "better than" if found.pairs else "")


def _with_embeddings_as_columns(
    found: Leaderboard,
    evaluations: Sequence[EvaluationScores],
    cells: Sequence[dict[str, GridCell]],
) -> Grid:
    columns = tuple(
        GridColumn(shown(s.embedding), note=_note(s) if found.pairs else "")
        for s in found.standings
    )
    rows = tuple(
        GridRow(
            shown(each.dataset), _items(each), tuple(map(own.get, found.embeddings)), _task(each)
        )
        for each, own in zip(evaluations, cells, strict=True)
    )
    return Grid(_CAPTION, columns, rows, "dataset", "items")


def _task(found: EvaluationScores) -> str:
    return f"{shown(found.task)}, {shown(found.metric)}" if found.metric else shown(found.task)


def _beaten(standing: Standing) -> str:
    """How many other embeddings an embedding beats; a dash if it is not a candidate."""
    return str(standing.better) if standing.is_candidate else MISSING


def _note(standing: Standing) -> str:
    if not standing.is_candidate:
        return "covers too few items"
    return f"better than {standing.better}"


def _items(found: EvaluationScores) -> str:
    if found.differs:
        return f"{count(found.items)} shared"
    return count(max((row.own.total for row in found.scores), default=0))


def _cells(found: EvaluationScores) -> dict[str, GridCell]:
    scale = scale_of(found.scores)
    return {row.embedding: _cell(row, scale) for row in found.scores}


def _cell(row: ComparableScore, scale: Scale) -> GridCell:
    value = row.own.value if row.value is None else row.value
    interval = interval_of(row.own) if row.value is None else comparable_interval(row)
    covered = f"covers {fraction(row.own.used, row.own.total)}"
    return GridCell(
        score(value),
        row.letters,
        bar(row, scale),
        row.best,
        1 - row.coverage,
        f"{interval}, {covered}",
        row.value,
    )


def items_sentence(found: EvaluationScores) -> str:
    """The number of items that the scores of an evaluation are on."""
    if found.differs:
        return counted(found.items, "shared item")
    return counted(max((row.own.used for row in found.scores), default=0), "item")
