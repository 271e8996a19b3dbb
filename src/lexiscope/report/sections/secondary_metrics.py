"""Secondary metrics and reference values of each task."""

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import interval_of, score
from lexiscope.report.sentences import counted


def secondary_metrics(results: Results) -> Section | None:
    """A table of all metrics but the main one of each task."""
    rows = [r for r in results.results if not r.main and r.slice == WHOLE]
    if not rows:
        return None
    body = tuple(
        (
            shown(r.variant),
            shown(r.dataset),
            shown(r.embedding),
            r.metric,
            score(r.value),
            interval_of(r),
        )
        for r in rows
    )
    head = ("task", "dataset", "embedding", "metric", "value", "95 % interval")
    text = [
        "Each value is on the items that the embedding covers. A reference value, such as a chance "
        "level, has no interval."
    ]
    if any(r.metric == "accuracy_all_items" for r in rows):
        text.append("accuracy_all_items counts items with OOV words as wrong.")
    table = Table(head, body, "All secondary metrics", numeric=(4,))
    number = len({r.metric for r in rows})
    abstract = f"{counted(len(rows), 'value')} of {counted(number, 'metric')}"
    return Section("Secondary metrics", tuple(text), (table,), folded=True, abstract=abstract)
