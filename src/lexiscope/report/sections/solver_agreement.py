"""Agreement between solvers of one task (Yaghoobzadeh and Schütze 2016, section 5.2)."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE
from lexiscope.evaluation.analysis.solver_agreement import SolverAgreement
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import MISSING, score
from lexiscope.report.sentences import counted, evaluation_name, reversed_pairs

_SHOWN = 12  # sentences
_HEAD = (
    "evaluation", "subset", "solvers", "embeddings", "Spearman correlation", "pairs reversed",
    "significantly",
)  # fmt: skip


def solver_agreement(results: Results) -> Section | None:
    """How far every two solvers of a task agree, and which embeddings they rank differently."""
    found = results.solver_agreement
    if not found:
        return None
    reversals = reversed_pairs(found)
    more = len(reversals) - _SHOWN
    text = (
        "Two solvers of one task may rank the same embeddings differently. The ranking then "
        "describes an embedding together with a solver. A reversal is significant if both "
        "differences are.",
        *reversals[:_SHOWN],
        *([f"{counted(more, 'more reversal')} on whole datasets."] if more > 0 else []),
    )
    abstract = f"{counted(len(reversals), 'pair')} of embeddings in opposite order"
    return Section("Solver agreement", text, (_table(found),), folded=True, abstract=abstract)


def _table(found: Sequence[SolverAgreement]) -> Table:
    body = tuple(
        (
            evaluation_name(each.task, each.dataset),
            shown("whole dataset" if each.slice == WHOLE else each.slice),
            f"{shown(each.first)} and {shown(each.second)}",
            str(each.embeddings),
            score(each.correlation),
            str(len(each.reversals)),
            _significant(each),
        )
        for each in found
    )
    return Table(_HEAD, body, "Agreement of solvers", len(body) > _SHOWN, (3, 4, 5, 6))


def _significant(found: SolverAgreement) -> str:
    if found.slice != WHOLE:
        return MISSING
    return str(sum(bool(pair.significant) for pair in found.reversals))
