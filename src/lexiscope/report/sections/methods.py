"""One question asked in several ways: do they agree? (Yaghoobzadeh and Schütze 2016, 5.2)"""

from collections.abc import Sequence

from lexiscope.bench.methods import Methods
from lexiscope.bench.methods import methods as found_methods
from lexiscope.bench.results import Results, number
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import counted, reversed_pairs

_SHOWN = 12  # sentences


def methods(results: Results) -> Section | None:
    """How far every two ways to ask a question agree, and what they reverse."""
    found = found_methods(results)
    if not found:
        return None
    told = reversed_pairs(found)
    more = len(told) - _SHOWN
    text = (
        "A question asked in two ways may put the same embeddings in two orders: then the order is "
        "one of embedding and method together. A reversal is real when both differences are.",
        *told[:_SHOWN],
        *([f"{counted(more, 'further reversal')} of whole datasets."] if more > 0 else []),
    )
    return Section("Do the methods agree?", text, (_table(found),))


def _table(found: Sequence[Methods]) -> Table:
    body = tuple(
        (
            f"{shown(each.task)}, {shown(each.dataset)}",
            shown("whole" if each.slice == WHOLE else each.slice),
            f"{shown(each.first)} and {shown(each.second)}",
            str(each.embeddings),
            number(each.correlation),
            f"{len(each.turned)}",
            str(sum(bool(turn.real) for turn in each.turned)) if each.slice == WHOLE else "–",
        )
        for each in found
    )
    head = (
        "question", "part", "methods", "embeddings", "Spearman's correlation", "pairs reversed",
        "really",
    )  # fmt: skip
    return Table(head, body, "Agreement of methods", len(body) > _SHOWN, (3, 4, 5, 6))
