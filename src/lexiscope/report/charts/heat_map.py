"""Heat maps of correlation matrices."""

from collections.abc import Sequence
from typing import Any

from lexiscope.report.charts._theme import TABLE_BELOW, specified
from lexiscope.report.numbers import correlation

_SQUARE = 44


def heat_map(
    names: Sequence[str], matrix: Sequence[Sequence[float | None]], about: str
) -> dict[str, Any]:
    """Correlations from -1 to 1; columns are labelled with the numbers of the rows."""
    import altair as alt

    rows = [f"{number}  {name}" for number, name in enumerate(names, 1)]
    columns = [str(number) for number in range(1, len(names) + 1)]
    values = [
        {"row": rows[i], "column": columns[j], "other": rows[j], "value": value,
         "text": correlation(value)}
        for i, line in enumerate(matrix)
        for j, value in enumerate(line)
    ]  # fmt: skip
    base = alt.Chart({"values": values}).encode(
        x=alt.X("column:N", sort=columns, title=None, axis=_axis(orient="top", labelAngle=0)),
        y=alt.Y("row:N", sort=rows, title=None, axis=_axis(labelLimit=260, labelPadding=6)),
        tooltip=[
            "row:N",
            alt.Tooltip("other:N", title="with"),
            alt.Tooltip("text:N", title="correlation"),
        ],
    )
    squares = base.mark_rect(stroke="white", invalid=None).encode(color=_colour())
    dark = alt.condition("abs(datum.value) > 0.7", alt.value("white"), alt.value("#1b1f24"))
    texts = base.mark_text(fontSize=12).encode(text="text:N", color=dark)
    chart = (squares + texts).properties(
        width=alt.Step(_SQUARE),
        height=alt.Step(_SQUARE * 0.75),
        description=f"{about} {TABLE_BELOW}",
    )
    return specified(chart)


def _axis(**settings: Any) -> Any:
    import altair as alt

    return alt.Axis(ticks=False, domain=False, **settings)


def _colour() -> Any:
    """Orange for -1, blue for 1: distinguishable with any colour vision."""
    import altair as alt

    scale = alt.Scale(domain=[-1, 0, 1], range=["#9E4A00", "#F2F2F2", "#005A8C"], type="linear")
    return alt.Color("value:Q", scale=scale, legend=None)
