"""What tasks that learn come to with random vectors, and without any."""

from lexiscope.bench.results import Results, number, span
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import against_controls, chance


def controls(results: Results) -> Section | None:
    """The scores of controls, and whether embeddings are better."""
    if not results.controls:
        return None
    text = (
        "A classifier finds something even in random vectors of the same words and dimension, and "
        "some of it without any vectors. A score counts for as much as it is above these.",
        *against_controls(results),
    )
    rows = tuple(_row(r) for r in results.controls if r.main and r.slice == WHOLE)
    gaps = tuple(map(_gap, results.against_controls))
    scores = Table(
        ("task", "dataset", "control", "score", "95 % interval"), rows, "The controls", numeric=(3,)
    )
    head = ("task", "dataset", "embedding", "control", "difference", "95 % interval",
            "p (Holm)", "real")  # fmt: skip
    return Section("Controls", text, (scores, Table(head, gaps, "Against them", numeric=(4, 6))))


def _row(result: Result) -> tuple[str, ...]:
    names = shown(result.variant), shown(result.dataset), shown(result.embedding)
    return (*names, number(result.value), span(result))


def _gap(found: Comparison) -> tuple[str, ...]:
    return (
        shown(found.variant),
        shown(found.dataset),
        shown(found.first),
        shown(found.second),
        number(found.difference),
        span(found),
        chance(found.p_holm),
        "yes" if found.real else "no",
    )
