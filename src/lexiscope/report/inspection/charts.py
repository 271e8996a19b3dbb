"""Charts of an inspection: the probe, neighbour ranks, the shape of the space, a map of words."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.experiments.inspection.results import MappedWords, MapPoint
from lexiscope.report.charts._theme import (
    TABLE_BELOW,
    WIDTH,
    colour,
    interval_tooltips,
    shape,
    specified,
)

_HEIGHT = 280
_LABEL = (0.12, 0.035)  # size of a label, of the width and the height of the map


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


def word_map(each: MappedWords) -> dict[str, Any]:
    """Words on a plane, coloured by frequency; it can be moved and magnified."""
    import altair as alt

    labelled = _without_overlap(each.map.points)
    rows = [
        {"word": shown(p.word), "x": p.x, "y": p.y, "frequency": p.frequency,
         "label": shown(p.word, 20) if k in labelled else ""}
        for k, p in enumerate(each.map.points)
    ]  # fmt: skip
    is_rank = each.source.unit == "rank"
    # A count can be 0, which a logarithm does not have.
    kind = alt.Scale(type="log" if is_rank else "symlog", scheme="viridis", reverse=not is_rank)
    plain = alt.Axis(labels=False, ticks=False, grid=False, title=None, domain=False)
    base = alt.Chart({"values": rows}).encode(
        x=alt.X("x:Q", axis=plain, scale=alt.Scale(zero=False, padding=70)),
        y=alt.Y("y:Q", axis=plain, scale=alt.Scale(zero=False, padding=12)),
        tooltip=[
            alt.Tooltip("word:N"),
            alt.Tooltip("frequency:Q", title=each.source.unit, format=","),
        ],
        color=alt.Color("frequency:Q", title=each.source.unit, scale=kind),
    )
    dots = base.mark_circle(size=30, opacity=0.85)
    texts = base.mark_text(align="left", dx=5, fontSize=11).encode(
        text="label:N", color=alt.value("#333333")
    )
    about = f"Words of {shown(each.embedding)} on a plane, by {each.map.projection}."
    chart = alt.layer(dots, texts).properties(
        width=WIDTH, height=480, description=f"{about} {TABLE_BELOW}"
    )
    return specified(chart.interactive())


def _without_overlap(points: Sequence[MapPoint]) -> set[int]:
    """The positions of points whose labels do not cover each other, in their order."""
    across, up = ([getattr(point, axis) for point in points] for axis in ("x", "y"))
    boxes = _LABEL[0] * (max(across) - min(across)), _LABEL[1] * (max(up) - min(up))
    chosen: list[int] = []
    for k in range(len(points)):
        if all(
            abs(across[k] - across[other]) > boxes[0] or abs(up[k] - up[other]) > boxes[1]
            for other in chosen
        ):
            chosen.append(k)
    return set(chosen)
