"""The common theme of all charts."""

from collections.abc import Sequence
from typing import Any

from lexiscope.report.numbers import SCORE_FORMAT

# Colours that people with any colour vision can distinguish (Okabe and Ito), those that vanish on
# white or on black replaced. Seven shapes and eight colours distinguish 56 embeddings.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#9A8F00")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
_FONT = "system-ui, 'Liberation Sans', Arial, sans-serif"
_CHARACTERS = 96  # of a legend, across the figure
WIDTH = 640
TABLE_BELOW = "The table below has the same data."


def colour(names: Sequence[str]) -> Any:
    """A colour for each embedding, the same in every chart."""
    import altair as alt

    chosen = [_COLOURS[index % len(_COLOURS)] for index in range(len(names))]
    scale = alt.Scale(domain=list(names), range=chosen)
    return alt.Color("embedding:N", sort=list(names), title=None, scale=scale)


def shape(names: Sequence[str]) -> Any:
    """A shape for each embedding, in one legend with its colour."""
    import altair as alt

    chosen = [_SHAPES[index % len(_SHAPES)] for index in range(len(names))]
    scale = alt.Scale(domain=list(names), range=chosen)
    return alt.Shape("embedding:N", sort=list(names), title=None, scale=scale)


def interval_tooltips() -> list[Any]:
    """Tooltips of a score and its interval, with the digits of the tables."""
    import altair as alt

    return [alt.Tooltip(f"{field}:Q", format=SCORE_FORMAT) for field in ("value", "low", "high")]


def vega_lite() -> str:
    """The version of Vega-Lite that the specifications are written for, as vl-convert names it."""
    import altair

    version: str = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    return version


def specified(chart: Any, names: Sequence[str] = ()) -> dict[str, Any]:
    """The chart as a Vega-Lite document with the common theme."""
    spec: dict[str, Any] = chart.to_dict(validate=True)
    spec.pop("usermeta", None)
    longest = max(map(len, names), default=1) + 4
    spec["config"] = {
        "background": "#ffffff",
        "font": _FONT,
        "view": {"stroke": "transparent"},
        "axis": {"gridColor": "#e6e6e6", "labelFontSize": 12, "titleFontSize": 12,
                 "titleFontWeight": "normal", "labelLimit": WIDTH - 40},
        "axisQuantitative": {"tickCount": 8},
        "legend": {"orient": "top", "labelFontSize": 12, "labelLimit": 400, "symbolOpacity": 1,
                   "columns": max(1, min(len(names), _CHARACTERS // longest))},
        "title": {"anchor": "start", "fontSize": 14},
    }  # fmt: skip
    return spec
