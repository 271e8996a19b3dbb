"""Disagreements: the items with the most different predictions."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Disagreement
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import MISSING, whole_percent
from lexiscope.report.sentences import counted, evaluation_name


def disagreements(results: Results) -> Section | None:
    """A folded table of items for each evaluation."""
    evaluations = dict.fromkeys((d.task, d.dataset) for d in results.disagreements)
    tables = tuple(
        _table(
            results.embeddings,
            [d for d in results.disagreements if (d.task, d.dataset) == evaluation],
        )
        for evaluation in evaluations
    )
    if not tables:
        return None
    text = (
        "The items with the largest disagreement between embeddings, among those that all "
        "embeddings cover. Numeric predictions are compared by their rank among the predictions "
        "of the same embedding, because embeddings differ in scale; other predictions by whether "
        "they are correct.",
    )
    abstract = f"{counted(len(results.disagreements), 'item')} that embeddings predict differently"
    return Section("Disagreements", text, tables, folded=True, abstract=abstract)


def _table(embeddings: Sequence[str], found: Sequence[Disagreement]) -> Table:
    body = tuple(
        (
            shown(d.item),
            shown(d.gold),
            *(_prediction(d, name) for name in embeddings),
            whole_percent(d.gap),
        )
        for d in found
    )
    head = ("item", "gold", *(shown(name) for name in embeddings), "disagreement")
    caption = f"{evaluation_name(found[0].task, found[0].dataset)}: {counted(len(found), 'item')}"
    return Table(head, body, caption, folded=True, numeric=(len(head) - 1,))


def _prediction(found: Disagreement, embedding: str) -> str:
    return shown(found.predictions[embedding]) if embedding in found.predictions else MISSING
