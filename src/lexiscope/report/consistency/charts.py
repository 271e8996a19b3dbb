"""Charts of consistency: cosine against rank, the null behind the observed, the size effect."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.display import shown
from lexiscope.report.charts._theme import (
    TABLE_BELOW,
    WIDTH,
    colour,
    interval_tooltips,
    shape,
    specified,
)

_HEIGHT = 300
_BINS = 25
_OBSERVED, _NULL = "same term", "different terms (null)"


class TermPoint(NamedTuple):
    """Cosine and rank of a term; `label` is drawn next to the point, if it is not empty."""

    embedding: str
    term: str
    cosine: float
    rank: float
    verdict: str
    label: str


class SizeMark(NamedTuple):
    """Consistency at a number of sentences per sample; `at` is the text of the axis."""

    embedding: str
    at: str
    value: float
    low: float | None
    high: float | None


def scatter(points: Sequence[TermPoint], names: Sequence[str], about: str) -> dict[str, Any]:
    """A point for each term: cosine over rank (log scale); pale if it is not learnable."""
    import altair as alt

    drawn = [shown(name) for name in names]
    rows = [
        {**p._asdict(), "embedding": shown(p.embedding), "term": shown(p.term),
         "label": shown(p.label), "strength": 1.0 if p.verdict == "learnable" else 0.35}
        for p in points
    ]  # fmt: skip
    highest = max((p.rank for p in points), default=10.0)
    scale = alt.Scale(type="log", domain=[1, max(10.0, highest * 1.5)], nice=False, padding=12)
    axis = alt.Axis(format="~s", tickCount=6)
    base = alt.Chart({"values": rows}).encode(
        x=alt.X("rank:Q", title="mean rank of other sample (log scale)", scale=scale, axis=axis),
        y=alt.Y("cosine:Q", title="mean cosine", scale=alt.Scale(zero=False, nice=True)),
        tooltip=["embedding:N", "term:N", alt.Tooltip("cosine:Q", format=".3f"),
                 alt.Tooltip("rank:Q", format=",.1f"), "verdict:N"],
    )  # fmt: skip
    dots = base.mark_point(filled=True, size=60).encode(
        color=colour(drawn),
        shape=shape(drawn),
        opacity=alt.Opacity("strength:Q", scale=None, legend=None),
    )
    labels = base.mark_text(align="left", dx=7, fontSize=11).encode(text="label:N")
    chart = (dots + labels).properties(
        width=WIDTH, height=_HEIGHT, description=f"{about} {TABLE_BELOW}"
    )
    return specified(chart, drawn)


def distributions(observed: Sequence[float], null: Sequence[float], about: str) -> dict[str, Any]:
    """Histograms of the cosines of samples of the same term and of different terms."""
    import altair as alt

    values = np.array([*observed, *null])
    edges = np.linspace(values.min(), values.max() + 1e-9, _BINS + 1)
    rows = [
        {"of": name, "low": float(low), "high": float(high), "proportion": float(part), "base": 0}
        for name, some in ((_NULL, null), (_OBSERVED, observed))
        if len(some)
        for low, high, part in zip(
            edges[:-1], edges[1:], np.histogram(some, edges)[0] / len(some), strict=True
        )
    ]
    scale = alt.Scale(domain=[_NULL, _OBSERVED], range=["#8c8c8c", "#0072B2"])
    chart = (
        alt.Chart({"values": rows})
        .mark_bar(opacity=0.55)
        .encode(
            x=alt.X("low:Q", title="cosine", scale=alt.Scale(zero=False, nice=True)),
            x2="high:Q",
            y=alt.Y("proportion:Q", title="proportion", stack=None),
            y2="base:Q",
            color=alt.Color("of:N", title=None, scale=scale),
            tooltip=["of:N", alt.Tooltip("low:Q", format=".3f"),
                     alt.Tooltip("proportion:Q", format=".1%")],
        )
        .properties(width=WIDTH, height=220, description=f"{about} {TABLE_BELOW}")
    )  # fmt: skip
    return specified(chart, [_NULL, _OBSERVED])


def size_effect(
    marks: Sequence[SizeMark], names: Sequence[str], title: str, about: str
) -> dict[str, Any]:
    """A line with a band for each model over the number of sentences per sample."""
    import altair as alt

    drawn = [shown(name) for name in names]
    order = list(dict.fromkeys(mark.at for mark in marks))
    rows = [{**mark._asdict(), "embedding": shown(mark.embedding)} for mark in marks]
    axis = alt.Axis(labelAngle=0, grid=False)
    base = alt.Chart({"values": rows}).encode(
        x=alt.X("at:N", sort=order, title="sentences per sample", axis=axis),
        color=colour(drawn),
        tooltip=["embedding:N", "at:N", *interval_tooltips()],
    )
    scale = alt.Scale(zero=False, nice=True)
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2).encode(y="value:Q")
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(y="value:Q", shape=shape(drawn))
    chart = (band + line + dots).properties(
        width=WIDTH, height=240, description=f"{about} {TABLE_BELOW}"
    )
    return specified(chart, drawn)
