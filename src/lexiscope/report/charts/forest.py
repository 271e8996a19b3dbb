"""Forest plots: scores with confidence intervals, or with their range over policies."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.result import Result
from lexiscope.evaluation.analysis.comparable_scores import EvaluationScores
from lexiscope.report.charts._theme import (
    TABLE_BELOW,
    WIDTH,
    colour,
    interval_tooltips,
    shape,
    specified,
)
from lexiscope.report.numbers import count
from lexiscope.report.sentences import counted

_LINE = 15
_LARGEST = 2400
_HEADING = " "  # an empty first line of each band, for its name


class Mark(NamedTuple):
    """A point with a line through it; `low` and `high` are None if there is no line.

    A hollow point is not comparable with the others.
    """

    band: str
    embedding: str
    value: float
    low: float | None
    high: float | None
    note: str
    hollow: bool = False


def marks(rows: Iterable[Result], by: str) -> list[Mark]:
    """Scores with their intervals, in bands by dataset or slice."""
    return [
        Mark(
            shown(getattr(row, by)),
            shown(row.embedding),
            row.value,
            row.low,
            row.high,
            f"{count(row.used)} of {count(row.total)} items",
        )
        for row in rows
        if row.value is not None
    ]


def forest(
    rows: Sequence[Result], embeddings: Sequence[str], by: str = "dataset"
) -> dict[str, Any]:
    """Scores as points with their intervals, one band per dataset (or slice)."""
    metric, task = (rows[0].metric, rows[0].variant) if rows else ("", "")
    title = f"{metric} with 95 % confidence interval"
    about = f"{shown(task)}: {metric} of each embedding with 95 % confidence interval, by {by}."
    return forest_of_marks(marks(rows, by), embeddings, title, about)


def forest_of_shared_items(
    evaluations: Sequence[EvaluationScores], embeddings: Sequence[str]
) -> dict[str, Any]:
    """Scores on shared items as points with their intervals, those on own items as hollow points.

    One band per dataset.
    """
    metric, task = evaluations[0].metric, evaluations[0].task
    title = f"{metric} on shared items, 95 % confidence interval; hollow: on own items"
    about = (
        f"{shown(task)}: {metric} of each embedding on shared items with 95 % confidence "
        "interval, and on its own items, by dataset."
    )
    found = [mark for each in evaluations for mark in _marks_of_shared_items(each)]
    return forest_of_marks(found, embeddings, title, about)


def _marks_of_shared_items(evaluation: EvaluationScores) -> list[Mark]:
    band, found = shown(evaluation.dataset), []
    if evaluation.differs:
        band += f" ({counted(evaluation.items, 'shared item')})"
    for each in evaluation.scores:
        name, own = shown(each.embedding), each.own
        covered = f"{count(own.used)} of {count(own.total)} items"
        if each.value is not None:
            found.append(Mark(band, name, each.value, each.low, each.high, f"covers {covered}"))
        if each.has_other_items and own.value is not None:
            note = f"on {covered}: not comparable"
            found.append(Mark(band, name, own.value, None, None, note, hollow=True))
    return found


def ranges(found: Sequence[Mark], embeddings: Sequence[str], metric: str) -> dict[str, Any]:
    """Scores as points, with lines from the lowest to the highest score over policies."""
    title = f"{metric}, lowest to highest"
    about = f"{metric} of each embedding, and its range over vocabulary policies."
    return forest_of_marks(found, embeddings, title, about)


def forest_of_marks(
    found: Sequence[Mark],
    embeddings: Sequence[str],
    title: str,
    about: str,
    reference: float | None = None,
) -> dict[str, Any]:
    """Points with their intervals, one line for each band and embedding.

    `reference` is a vertical line, such as a chance level.
    """
    import altair as alt

    names = [shown(name) for name in embeddings]
    bands = list(dict.fromkeys(mark.band for mark in found))
    height = min(_LARGEST, max(1, len(bands)) * (len(names) + 1) * _LINE)
    base = alt.Chart().encode(
        y=_bands(bands, len(names), height),
        yOffset=alt.YOffset(
            "embedding:N", sort=None, scale=alt.Scale(domain=[_HEADING, *names], padding=0)
        ),
        color=colour(names),
        tooltip=["embedding:N", "band:N", *interval_tooltips(), "note:N"],
    )
    scale = alt.Scale(zero=False, nice=True)
    span = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=title, scale=scale), x2="high:Q"
    )
    has_lines = any(
        mark.low is not None for mark in found
    )  # an empty layer has no text for readers
    x = "value:Q" if has_lines else alt.X("value:Q", title=title, scale=scale)
    layers = [] if reference is None else [_reference(reference)]
    layers += [span] * has_lines
    for hollow, size in ((False, 80), (True, 60)):
        if any(mark.hollow == hollow for mark in found):
            points = base.mark_point(filled=not hollow, size=size, opacity=1)
            shown_ones = alt.datum.hollow == hollow
            layers.append(points.transform_filter(shown_ones).encode(x=x, shape=shape(names)))
    description = f"{about} {TABLE_BELOW}"
    data = {"values": [mark._asdict() for mark in found]}
    chart = alt.layer(*layers, data=data).properties(
        width=WIDTH, height=height, description=description
    )
    return specified(chart, names)


def _reference(value: float) -> Any:
    """A dashed vertical line; its data are its own, so that it is drawn once."""
    import altair as alt

    line = alt.Chart({"values": [{"reference": value}]})
    rule = line.mark_rule(strokeDash=[6, 4], color="#767676", strokeWidth=1.5)
    return rule.encode(x=alt.X("reference:Q"))


def _bands(bands: Sequence[str], lines: int, height: int) -> Any:
    """Labels are above their lines, not to the left, to fit on a narrow screen."""
    import altair as alt

    above = height / max(1, len(bands)) * lines / (lines + 1) / 2
    axis = alt.Axis(
        title=None, labelAlign="left", labelPadding=-2, labelOffset=-above, labelFontWeight="bold",
        ticks=False, domain=False, grid=True, tickBand="extent",
    )  # fmt: skip
    return alt.Y("band:N", sort=list(bands), axis=axis, scale=alt.Scale(padding=0))
