"""Line charts of scores over a parameter, with confidence intervals as bands."""

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

_HEIGHT = 260


class Point(NamedTuple):
    """A score at a vocabulary size, or at the value of another parameter."""

    embedding: str
    x: float
    value: float
    low: float | None
    high: float | None


def lines(
    points: Sequence[Point], embeddings: Sequence[str], metric: str, highest: float
) -> dict[str, Any]:
    """A line per embedding over the number of words (log scale), from 0 to `highest`."""
    axis = _words(sorted({int(point.x) for point in points}))
    about = f"{metric} of each embedding with 95 % confidence interval, over the vocabulary limit."
    return _chart(points, embeddings, metric, highest, _Axis(axis, "words", ",", about))


def lines_over(
    points: Sequence[Point],
    embeddings: Sequence[str],
    metric: str,
    highest: float,
    name: str,
    lowest: float = 0.0,
    what: str = "model",
) -> dict[str, Any]:
    """A line per embedding over the values of a parameter, from `lowest` to `highest`."""
    import altair as alt

    values = sorted({point.x for point in points})
    # With ~g Vega would write 50 and 100 as 5e+1 and 1e+2.
    written = ",d" if all(value == int(value) for value in values) else "~g"
    axis = alt.Axis(values=values, format=written, labelOverlap="greedy", grid=False)
    x = alt.X("x:Q", title=shown(name), axis=axis, scale=alt.Scale(zero=False, padding=12))
    about = f"{metric} of each {what} with 95 % confidence interval, over {shown(name)}."
    over = _Axis(x, shown(name), written, about, lowest)
    return _chart(points, embeddings, metric, highest, over)


class _Axis(NamedTuple):
    """The x axis: name and format of its values; what the chart shows, and its lowest score."""

    x: Any
    name: str
    format: str
    about: str
    lowest: float = 0.0


def _chart(
    points: Sequence[Point], embeddings: Sequence[str], metric: str, highest: float, over: _Axis
) -> dict[str, Any]:
    import altair as alt

    names = [shown(name) for name in embeddings]
    values = [{**point._asdict(), "embedding": shown(point.embedding)} for point in points]
    base = alt.Chart({"values": values}).encode(
        x=over.x,
        color=colour(names),
        tooltip=[
            "embedding:N",
            alt.Tooltip("x:Q", format=over.format, title=over.name),
            *interval_tooltips(),
        ],
    )
    scale = alt.Scale(domain=[over.lowest, highest], nice=True)
    title = f"{metric} with 95 % confidence interval"
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2).encode(y="value:Q")
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(y="value:Q", shape=shape(names))
    chart = (band + line + dots).properties(
        width=WIDTH, height=_HEIGHT, description=f"{over.about} {TABLE_BELOW}"
    )
    return specified(chart, names)


def _words(values: Sequence[int]) -> Any:
    import altair as alt

    ends = [values[0], values[-1]] if values[0] < values[-1] else [values[0] / 2, values[0] * 2]
    axis = alt.Axis(values=list(values), format="~s", labelOverlap="greedy", grid=False)
    scale = alt.Scale(type="log", domain=ends, padding=12)
    return alt.X("x:Q", title="vocabulary size (most frequent words)", axis=axis, scale=scale)
