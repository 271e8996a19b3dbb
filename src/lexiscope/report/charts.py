"""Chart specifications. They hold data; the page draws them."""

from collections.abc import Sequence
from typing import Any

from lexiscope.bench.results import variant_of
from lexiscope.core.display import shown
from lexiscope.core.result import Result

# Colours that people with any colour vision can tell apart (Okabe and Ito).
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]
_LINE = 15
_LARGEST = 2200


def forest(
    rows: Sequence[Result], embeddings: Sequence[str], by: str = "dataset"
) -> dict[str, Any]:
    """Scores as points with their intervals, one band per dataset (or slice)."""
    import altair as alt

    names = [shown(name) for name in embeddings]
    bands = list(dict.fromkeys(shown(getattr(row, by)) for row in rows))
    values = [
        {
            "band": shown(getattr(row, by)),
            "embedding": shown(row.embedding),
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "items": f"{row.used:,} of {row.total:,}",
        }
        for row in rows
        if row.value is not None
    ]
    base = alt.Chart({"values": values}).encode(
        y=alt.Y("band:N", sort=bands, title=None, axis=alt.Axis(labelLimit=240)),
        yOffset=alt.YOffset("embedding:N", sort=names),
        color=alt.Color(
            "embedding:N", sort=names, title=None,
            scale=alt.Scale(domain=names, range=[_COLOURS[i % 8] for i in range(len(names))]),
            legend=alt.Legend(orient="top", labelLimit=320, columns=min(3, len(names))),
        ),
        tooltip=[
            alt.Tooltip("embedding:N"),
            alt.Tooltip("band:N", title=by),
            alt.Tooltip("value:Q", format=".4f"),
            alt.Tooltip("low:Q", format=".4f"),
            alt.Tooltip("high:Q", format=".4f"),
            alt.Tooltip("items:N"),
        ],
    )  # fmt: skip
    measure = rows[0].measure if rows else ""
    span = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=f"{measure} with its 95 % interval", scale=alt.Scale(zero=False)),
        x2="high:Q",
    )
    points = base.mark_point(filled=True, size=55).encode(
        x="value:Q", shape=alt.Shape("embedding:N", sort=names, legend=None)
    )
    height = min(_LARGEST, max(60, len(bands) * len(names) * _LINE))
    task = variant_of(rows[0]) if rows else ""
    chart = (span + points).properties(
        width=620,
        height=height,
        description=f"{task}: {measure} of each embedding with its 95 % interval, by {by}. "
        "The table below holds the same numbers.",
    )
    return _spec(chart)


def _spec(chart: Any) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict(validate=True)
    spec.pop("usermeta", None)
    spec["config"] = {
        "view": {"stroke": "transparent"},
        "font": "system-ui, sans-serif",
        "axis": {"gridColor": "#e6e6e6", "labelFontSize": 12, "titleFontSize": 12},
        "legend": {"labelFontSize": 12},
    }
    return spec
