"""The chart of words on a plane: each with its label, as far as there is space."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from lexiscope.core.display import shown
from lexiscope.experiments.inspection.results import MappedWords
from lexiscope.report.charts._theme import TABLE_BELOW, WIDTH, specified
from lexiscope.report.charts.labels import FONT_SIZE, Floats, Label, placed

_HEIGHT = 460
_MARGIN = 12  # pixels between the points and the border
_NARROW = 280  # pixels: labels are placed for this width and for WIDTH
_LONGEST = 20  # characters of a label
# Neither end of the colours vanishes on white or on black.
_COLOURS = (0.28, 0.9)


def word_map(each: MappedWords, is_interactive: bool = True) -> dict[str, Any]:
    """Words on a plane, coloured by frequency; an interactive map can be moved and magnified."""
    import altair as alt

    base = alt.Chart({"values": _rows(each)}).encode(
        x=_axis("x", each), y=_axis("y", each), tooltip=_tooltip(each.source.unit)
    )
    chart = alt.layer(_lines(base), _dots(base, each), _texts(base)).properties(
        width=WIDTH, height=_HEIGHT, description=_description(each)
    )
    return specified(chart.interactive() if is_interactive else chart)


def _description(each: MappedWords) -> str:
    return f"Words of {shown(each.embedding)} on a plane, by {each.map.projection}. {TABLE_BELOW}"


def _rows(each: MappedWords) -> list[dict[str, Any]]:
    """The data of each word, with the place of its label on a wide and on a narrow page."""
    points = each.map.points
    texts = [shown(point.word, _LONGEST) for point in points]
    plane = np.array([(point.x, point.y) for point in points], np.float64)
    wide, narrow = (placed(_pixels(plane, width), texts, (width, _HEIGHT))
                    for width in (WIDTH, _NARROW))  # fmt: skip
    return [
        {"word": shown(point.word), "x": point.x, "y": point.y, "frequency": point.frequency,
         "label": text, "wide": _place(on_wide), "narrow": _place(on_narrow)}
        for point, text, on_wide, on_narrow in zip(points, texts, wide, narrow, strict=True)
    ]  # fmt: skip


def _pixels(plane: Floats, width: float) -> Floats:
    """Where the scales of the chart draw the points."""
    low, extent = plane.min(axis=0), np.ptp(plane, axis=0)
    part = np.where(extent > 0, (plane - low) / np.where(extent > 0, extent, 1), 0.5)
    part[:, 1] = 1 - part[:, 1]  # downwards
    return np.asarray(_MARGIN + part * (np.array([width, _HEIGHT]) - 2 * _MARGIN))


def _place(label: Label | None) -> dict[str, Any] | None:
    return None if label is None else {**label._asdict(), "is_far": int(label.is_far), "shown": 1}


def _of_width(field: str, otherwise: str) -> dict[str, str]:
    """A field of the label of a word, for the width of the chart."""
    place = f"(width < {WIDTH} ? datum.narrow : datum.wide)"
    return {"expr": f"{place} ? {place}.{field} : {otherwise}"}


def _axis(name: str, each: MappedWords) -> Any:
    import altair as alt

    values = [getattr(point, name) for point in each.map.points]
    scale = alt.Scale(domain=[min(values), max(values)], nice=False, zero=False, padding=_MARGIN)
    plain = alt.Axis(labels=False, ticks=False, grid=False, title=None, domain=False)
    channel = alt.X if name == "x" else alt.Y
    return channel(f"{name}:Q", axis=plain, scale=scale)


def _tooltip(unit: str) -> list[Any]:
    import altair as alt

    return [alt.Tooltip("word:N"), alt.Tooltip("frequency:Q", title=unit, format=",")]


def _dots(base: Any, each: MappedWords) -> Any:
    import altair as alt

    is_rank = each.source.unit == "rank"
    # A count can be 0, which a logarithm does not have.
    scale = alt.Scale(
        type="log" if is_rank else "symlog",
        scheme=alt.SchemeParams(name="viridis", extent=_COLOURS),
        reverse=not is_rank,
    )
    legend = alt.Legend(
        values=_ends([p.frequency for p in each.map.points]), format=".3~s", gradientLength=160,
        gradientThickness=8, titleFontWeight="normal", titleFontSize=12,
    )  # fmt: skip
    title = "frequency rank" if is_rank else each.source.unit
    colour = alt.Color("frequency:Q", title=title, scale=scale, legend=legend)
    return base.mark_circle(size=36, opacity=1).encode(color=colour)


def _ends(frequencies: Sequence[int | None]) -> list[float]:
    """The lowest, a middle and the highest frequency: more labels of the legend would collide."""
    known = [value for value in frequencies if value is not None]
    if not known:
        return []
    low, high = min(known), max(known)
    middle = sqrt((low + 1) * (high + 1))
    return sorted({low, float(f"{middle:.1g}"), high}) if high > 9 * (low + 1) else [low, high]


def _lines(base: Any) -> Any:
    """Lines from points to labels that are not beside them."""
    return base.mark_rule(
        strokeWidth=0.75, color="#8f979f", opacity=_of_width("is_far", "0"),
        x2Offset=_of_width("dx", "0"), y2Offset=_of_width("dy", "0"),
    ).encode(x2="x:Q", y2="y:Q", tooltip=[])  # fmt: skip


def _texts(base: Any) -> Any:
    import altair as alt

    texts = base.mark_text(
        fontSize=FONT_SIZE, baseline="middle", align=_of_width("align", "'left'"),
        dx=_of_width("dx", "0"), dy=_of_width("dy", "0"), opacity=_of_width("shown", "0"),
    ).encode(text="label:N", color=alt.value("#333333"))  # fmt: skip
    return texts.properties(name="labels")  # the page colours them in the dark
