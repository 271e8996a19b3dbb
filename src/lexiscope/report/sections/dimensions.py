"""What the dimensions of the embeddings stand for, as far as properties of words tell."""

from collections.abc import Sequence

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.core.result import Dimension
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import counted, question


def dimensions(results: Results) -> Section | None:
    """A folded table for each embedding and question, the clearest dimensions first."""
    found: dict[tuple[str, str, str], list[Dimension]] = {}
    for each in results.dimensions:
        found.setdefault((each.embedding, each.task, each.dataset), []).append(each)
    if not found:
        return None
    text = (
        "Each dimension with the property that it correlates with best, how well, and the words "
        "of the dataset that score highest on it. A low correlation says that the dataset does "
        "not hold what the dimension stands for.",
        "Dimensions are not what vectors are compared by: a rotation gives others and changes no "
        "cosine.",
    )
    return Section("What dimensions stand for", text, tuple(map(_table, found.values())))


def _table(found: Sequence[Dimension]) -> Table:
    rows = tuple(
        (
            str(each.number),
            shown(each.property) if each.property else "–",
            f"{each.correlation:.3f}",
            ", ".join(shown(word) for word in each.words),
        )
        for each in sorted(found, key=lambda each: -each.correlation)
    )
    first = found[0]
    about = f"{shown(first.embedding)}, {question(first.task, first.dataset)}"
    caption = f"{about}: {counted(len(found), 'dimension')}, counted from 0"
    head = ("dimension", "property", "correlation", "highest words")
    return Table(head, rows, caption, folded=True, numeric=(0, 2))
