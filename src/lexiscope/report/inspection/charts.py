"""Charts of an inspection: the probe, neighbour ranks, the shape of the space."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.report.charts._theme import (
    TABLE_BELOW,
    WIDTH,
    colour,
    interval_tooltips,
    shape,
    specified,
)

_HEIGHT = 280


class Point(NamedTuple):
    """A value with its band."""

    embedding: str
    x: float
    value: float | None
    low: float | None
    high: float | None


def curve(
    points: Sequence[Point],
    names: Sequence[str],
    titles: tuple[str, str],
    about: str,
    *,
    rule: float | None = None,
    log_y: bool = False,
) -> dict[str, Any]:
    """A line with a band per embedding over a logarithmic axis; `rule` is a dashed line."""
    import altair as alt

    drawn = [shown(name) for name in names]
    rows = [{**point._asdict(), "embedding": shown(point.embedding)} for point in points]
    axis = alt.Axis(format="~s", grid=False, tickCount=6)
    x = alt.X("x:Q", title=titles[0], axis=axis, scale=alt.Scale(type="log", nice=False, padding=8))
    base = alt.Chart({"values": rows}).encode(
        x=x,
        color=colour(drawn),
        tooltip=["embedding:N", alt.Tooltip("x:Q", format=","), *interval_tooltips()],
    )
    scale = alt.Scale(type="log", nice=True) if log_y else alt.Scale(zero=False, nice=True)
    y_axis = alt.Axis(format="~s") if log_y else alt.Axis()
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("low:Q", title=titles[1], scale=scale, axis=y_axis), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2).encode(y="value:Q")
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(y="value:Q", shape=shape(drawn))
    layers = [band, line, dots]
    if rule is not None:
        data = alt.Chart({"values": [{"y": rule}]})
        layers.append(data.mark_rule(strokeDash=[5, 4], color="#777777").encode(y="y:Q"))
    chart = alt.layer(*layers).properties(
        width=WIDTH, height=_HEIGHT, description=f"{about} {TABLE_BELOW}"
    )
    return specified(chart, drawn)
