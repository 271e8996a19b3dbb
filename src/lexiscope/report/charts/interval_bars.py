"""Bars with confidence intervals on a logarithmic axis, in a panel for each dataset."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.report.charts._theme import TABLE_BELOW, colour, specified

_PANEL = 460
_LINE = 20


class Bar(NamedTuple):
    """The value of an embedding on a dataset; `low` and `high` are the ends of the drawn line."""

    panel: str
    embedding: str
    value: float
    low: float
    high: float
    note: str


def interval_bars(
    bars: Sequence[Bar], embeddings: Sequence[str], title: str, about: str
) -> dict[str, Any]:
    """A bar from 1 to each value (log scale), with its interval and the note as text."""
    import altair as alt

    names = [shown(name) for name in embeddings]
    panels = [shown(name) for name in dict.fromkeys(bar.panel for bar in bars)]
    rows = [
        {**bar._asdict(), "panel": shown(bar.panel), "embedding": shown(bar.embedding), "base": 1}
        for bar in bars
    ]
    longest = max((bar.high for bar in bars), default=10.0)
    scale = alt.Scale(type="log", domain=[1, longest * 3], nice=False)
    axis = alt.Axis(format="~s", tickCount=5, grid=False)
    base = alt.Chart().encode(
        y=alt.Y("embedding:N", sort=names, title=None),
        tooltip=["panel:N", "embedding:N", "note:N"],
    )
    hidden = colour(names)
    hidden.legend = None
    solid = base.mark_bar(opacity=0.45, height=12).encode(
        x=alt.X("base:Q", title=title, scale=scale, axis=axis), x2="value:Q", color=hidden
    )
    span = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q", color=hidden
    )
    text = base.mark_text(align="left", dx=6, fontSize=11).encode(
        x=alt.X("high:Q", scale=scale), text="note:N"
    )
    layered = alt.layer(solid, span, text).properties(
        width=_PANEL, height=max(1, len(names)) * _LINE
    )
    header = alt.Header(title=None, labelFontWeight="bold", labelFontSize=12, labelAnchor="start")
    chart = layered.facet(
        alt.Facet("panel:N", sort=panels, header=header), columns=1, data={"values": rows}
    ).properties(description=f"{about} {TABLE_BELOW}")
    return {**specified(chart), "width": None}
