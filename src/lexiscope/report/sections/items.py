"""The words behind the scores: items that the embeddings answered most differently."""

from collections.abc import Sequence

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.core.result import Disagreement
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import counted, question


def items(results: Results) -> Section | None:
    """A folded table of items for each question."""
    questions = dict.fromkeys((d.task, d.dataset) for d in results.disagreements)
    tables = tuple(
        _table(
            results.embeddings,
            [d for d in results.disagreements if (d.task, d.dataset) == column],
        )
        for column in questions
    )
    if not tables:
        return None
    text = (
        "The items with the largest gap between embeddings, among those that all could be asked. "
        "Answers that are numbers are compared by their rank among the embedding's own answers, "
        "because the numbers of two embeddings are not on one scale; other answers by whether they "
        "are right.",
    )
    return Section("Where the embeddings disagree most", text, tables)


def _table(embeddings: Sequence[str], found: Sequence[Disagreement]) -> Table:
    body = tuple(
        (
            shown(d.item),
            shown(d.gold),
            *(shown(d.answers[name]) if name in d.answers else "–" for name in embeddings),
            f"{d.gap:.0%}",
        )
        for d in found
    )
    head = ("item", "expected", *(shown(name) for name in embeddings), "gap")
    caption = f"{question(found[0].task, found[0].dataset)}: {counted(len(found), 'item')}"
    return Table(head, body, caption, folded=True, numeric=(len(head) - 1,))
