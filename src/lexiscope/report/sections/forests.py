"""Forest plots: the scores of each evaluation with their intervals, on one scale per task."""

from collections.abc import Sequence
from itertools import groupby

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.comparable_scores import ComparableScore, EvaluationScores
from lexiscope.evaluation.results import Results
from lexiscope.report.charts.scale import Scale, bar, scale_of
from lexiscope.report.layout import Forest, ForestRow, Panel, Section
from lexiscope.report.numbers import comparable_interval, score, significant
from lexiscope.report.sections.overview import by_task, items_sentence
from lexiscope.report.sentences import counted, disjoint_intervals

_OPEN = 100  # lines; with more of them the section is folded
_SENTENCES = 3
_LONGEST = 30  # characters
_SCALES = "Scores with 95 % confidence intervals over items; one scale for each task and metric."


def forests(results: Results) -> Section:
    """A forest plot for each evaluation."""
    evaluations = by_task(results.leaderboard)
    groups = groupby(evaluations, key=lambda each: (each.task, each.metric))
    panels = tuple(panel for _, group in groups for panel in _panels(list(group)))
    number = sum(len(each.scores) for each in evaluations)
    abstract = f"{counted(number, 'score')} with 95 % confidence intervals"
    disjoint = tuple(disjoint_intervals(results)[:_SENTENCES])
    text = (_SCALES, *disjoint)
    return Section(
        "Forest plots", text, (Forest(panels),), folded=number > _OPEN, abstract=abstract
    )


def _panels(found: Sequence[EvaluationScores]) -> list[Panel]:
    scale = scale_of((row for each in found for row in each.scores), round_ends=True)
    ticks = tuple((scale.at(value), significant(value, 3)) for value in scale.ticks())
    return [_panel(each, scale, ticks) for each in found]


def _panel(found: EvaluationScores, scale: Scale, ticks: tuple[tuple[float, str], ...]) -> Panel:
    rows = tuple(_row(row, scale) for row in found.scores)
    note = f"{shown(found.task)}, {shown(found.metric)}; {items_sentence(found)}"
    return Panel(shown(found.dataset), note, rows, ticks)


def _interval(row: ComparableScore) -> str:
    """The interval; the reasons why there is none are in the tables."""
    text = comparable_interval(row)
    return text if len(text) <= _LONGEST else "no interval"


def _row(row: ComparableScore, scale: Scale) -> ForestRow:
    value = row.own.value if row.value is None else row.value
    return ForestRow(
        shown(row.embedding),
        bar(row, scale),
        score(value),
        _interval(row),
        row.letters,
        row.best,
    )
