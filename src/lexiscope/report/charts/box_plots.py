"""Box plots of one value per dataset, a box for each embedding."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.report.charts._theme import TABLE_BELOW, WIDTH, colour, specified
from lexiscope.report.numbers import SCORE_FORMAT

_LINE = 34


class BoxValue(NamedTuple):
    """A value of an embedding on a dataset."""

    embedding: str
    dataset: str
    value: float


def box_plots(
    values: Sequence[BoxValue], embeddings: Sequence[str], title: str, about: str
) -> dict[str, Any]:
    """A box for each embedding, with its values as points; the box is from quartile to quartile."""
    import altair as alt

    names = [shown(name) for name in embeddings]
    rows = [
        {"embedding": shown(v.embedding), "dataset": shown(v.dataset), "value": v.value}
        for v in values
    ]
    base = alt.Chart({"values": rows}).encode(
        x=alt.X("value:Q", title=title, scale=alt.Scale(nice=True)),
        y=alt.Y("embedding:N", sort=names, title=None),
    )
    hidden = colour(names)
    hidden.legend = None
    boxes = base.mark_boxplot(extent="min-max", size=16, opacity=0.5).encode(color=hidden)
    dots = base.mark_point(filled=True, size=30, opacity=0.9).encode(
        color=hidden,
        tooltip=["embedding:N", "dataset:N", alt.Tooltip("value:Q", format=SCORE_FORMAT)],
    )
    chart = alt.layer(boxes, dots).properties(
        width=WIDTH, height=max(1, len(names)) * _LINE, description=f"{about} {TABLE_BELOW}"
    )
    return specified(chart)
