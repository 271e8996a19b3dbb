"""Scores of the controls of tasks with a classifier: random vectors, and no vectors."""

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.evaluation.results import Results
from lexiscope.report.control_comparisons import control_summary
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import interval_of, p_value, score

_DIFFERENCES = (
    "task", "dataset", "embedding", "control", "difference", "95 % interval", "p (Holm)",
    "significant",
)  # fmt: skip


def controls(results: Results) -> Section | None:
    """The scores of the controls, and whether embeddings are significantly better."""
    if not results.controls:
        return None
    text = (
        "A classifier also learns from random vectors of the same vocabulary and dimension, and "
        "partly without any vectors. Interpret a score relative to these controls.",
        *control_summary(results),
    )
    scores = Table(
        ("task", "dataset", "control", "score", "95 % interval"),
        tuple(_row(r) for r in results.controls if r.main and r.slice == WHOLE),
        "Scores of the controls",
        numeric=(3,),
    )
    rows = tuple(map(_difference, results.control_comparisons))
    differences = Table(_DIFFERENCES, rows, "Embedding minus control", numeric=(4, 6))
    abstract = "random vectors, and predictions without vectors"
    return Section("Controls", text, (scores, differences), folded=True, abstract=abstract)


def _row(result: Result) -> tuple[str, ...]:
    names = shown(result.variant), shown(result.dataset), shown(result.embedding)
    return (*names, score(result.value), interval_of(result))


def _difference(found: Comparison) -> tuple[str, ...]:
    return (
        shown(found.variant),
        shown(found.dataset),
        shown(found.first),
        shown(found.second),
        score(found.difference),
        interval_of(found),
        p_value(found.p_holm),
        "yes" if found.significant else "no",
    )
