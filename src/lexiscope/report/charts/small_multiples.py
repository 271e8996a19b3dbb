"""Small multiples of learning curves: a panel for each dataset or model, a line per embedding."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.report.charts._theme import (
    TABLE_BELOW,
    colour,
    interval_tooltips,
    shape,
    specified,
)

_PANEL = 280
_HEIGHT = 180
_COLUMNS = 3


class CurvePoint(NamedTuple):
    """A mean score at a training size, in the panel of a dataset or a model."""

    panel: str
    embedding: str
    size: int
    value: float
    low: float | None
    high: float | None


def small_multiples(
    points: Sequence[CurvePoint], embeddings: Sequence[str], metric: str, shared: bool, about: str
) -> dict[str, Any]:
    """Learning curves over the training size (log scale) with 95 % confidence bands.

    `shared`: all panels have the same axes, as for models on one dataset.
    """
    import altair as alt

    names = [shown(name) for name in embeddings]
    panels = [shown(name) for name in dict.fromkeys(point.panel for point in points)]
    axis = alt.Axis(format="~s", grid=False, tickCount=5)
    logarithmic = alt.Scale(type="log", nice=False, padding=8)
    x = alt.X("size:Q", title="training items (log scale)", axis=axis, scale=logarithmic)
    base = alt.Chart().encode(
        x=x,
        color=colour(names),
        tooltip=["panel:N", "embedding:N", alt.Tooltip("size:Q", format=","), *interval_tooltips()],
    )
    scale = alt.Scale(zero=False, nice=True)
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("low:Q", title=metric, scale=scale), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2).encode(y="value:Q")
    dots = base.mark_point(filled=True, size=35, opacity=1).encode(y="value:Q", shape=shape(names))
    layered = alt.layer(band, line, dots).properties(width=_PANEL, height=_HEIGHT)
    header = alt.Header(title=None, labelFontWeight="bold", labelFontSize=12, labelAnchor="start")
    facet = alt.Facet("panel:N", sort=panels, header=header)
    chart = layered.facet(facet, columns=min(_COLUMNS, len(panels)), data={"values": _rows(points)})
    if not shared:
        chart = chart.resolve_scale(x="independent", y="independent")
    return _without_width(specified(chart.properties(description=f"{about} {TABLE_BELOW}"), names))


def _rows(points: Sequence[CurvePoint]) -> list[dict[str, Any]]:
    return [
        {**point._asdict(), "embedding": shown(point.embedding), "panel": shown(point.panel)}
        for point in points
    ]


def _without_width(spec: dict[str, Any]) -> dict[str, Any]:
    """A faceted chart has no width of its own: that follows from its panels."""
    return {**spec, "width": None}


class RankPoint(NamedTuple):
    """The mean rank of an embedding at a training size, such as 30 or 100 %."""

    panel: str
    embedding: str
    at: str
    value: float


def rank_slopes(
    points: Sequence[RankPoint], embeddings: Sequence[str], about: str
) -> dict[str, Any]:
    """Mean ranks at the start and at the end, a panel for each family of datasets."""
    import altair as alt

    names = [shown(name) for name in embeddings]
    panels = list(dict.fromkeys(point.panel for point in points))
    rows = [{**point._asdict(), "embedding": shown(point.embedding)} for point in points]
    sizes = list(dict.fromkeys(point.at for point in points))
    axis = alt.Axis(title=None, labelAngle=0, grid=False)
    base = alt.Chart().encode(
        x=alt.X("at:N", sort=sizes, axis=axis, scale=alt.Scale(padding=0.3)),
        y=alt.Y("value:Q", title="mean rank (0 is best)", scale=alt.Scale(reverse=True, nice=True)),
        color=colour(names),
        tooltip=["panel:N", "embedding:N", "at:N", alt.Tooltip("value:Q", format=".2f")],
    )
    dots = base.mark_point(filled=True, size=50, opacity=1).encode(shape=shape(names))
    layered = alt.layer(base.mark_line(strokeWidth=2), dots).properties(width=140, height=_HEIGHT)
    header = alt.Header(title=None, labelFontWeight="bold", labelFontSize=12, labelAnchor="start")
    facet = alt.Facet("panel:N", sort=panels, header=header)
    chart = layered.facet(facet, columns=5, data={"values": rows})
    return _without_width(specified(chart.properties(description=f"{about} {TABLE_BELOW}"), names))
