"""Dimensions of the embeddings and the linguistic properties that they correlate with."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Dimension
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import MISSING, score
from lexiscope.report.sentences import counted, evaluation_name


def dimensions(results: Results) -> Section | None:
    """A folded table for each embedding and evaluation, highest correlation first."""
    found: dict[tuple[str, str, str], list[Dimension]] = {}
    for each in results.dimensions:
        found.setdefault((each.embedding, each.task, each.dataset), []).append(each)
    if not found:
        return None
    text = (
        "Each dimension with the property that it correlates with most, the correlation, and the "
        "words of the dataset with the highest values. A low correlation means that no property "
        "of the dataset explains the dimension.",
        "Dimensions depend on the basis: a rotation changes them but changes no cosine similarity.",
    )
    number = counted(len(results.dimensions), "labelled dimension")
    tables = tuple(map(_table, found.values()))
    return Section("Dimensions", text, tables, folded=True, abstract=number)


def _table(found: Sequence[Dimension]) -> Table:
    rows = tuple(
        (
            str(each.number),
            shown(each.property) if each.property else MISSING,
            score(each.correlation),
            ", ".join(shown(word) for word in each.words),
        )
        for each in sorted(found, key=lambda each: -each.correlation)
    )
    first = found[0]
    about = f"{shown(first.embedding)}, {evaluation_name(first.task, first.dataset)}"
    caption = f"{about}: {counted(len(found), 'dimension')}, numbered from 0"
    head = ("dimension", "property", "correlation", "words with the highest values")
    return Table(head, rows, caption, folded=True, numeric=(0, 2))
