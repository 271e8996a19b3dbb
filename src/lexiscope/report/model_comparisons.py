"""Comparisons of models over several training runs: a sentence and a table."""

from collections import Counter

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Table
from lexiscope.report.numbers import count, interval_of, p_value, score
from lexiscope.report.sentences import counted, evaluation_name, listed, outcome

_HEAD = (
    "evaluation", "first minus second", "outcome", "difference", "95 % interval",
    "p (Holm-Tarone)", "p (equivalence)", "test",
)  # fmt: skip


def model_summary(results: Results) -> list[str]:
    """How many comparisons of models have each outcome; empty if no model has several runs."""
    found = results.model_comparisons
    if not found:
        return []
    outcomes = Counter(c.outcome for c in found)
    parts = [f"{count(outcomes[name])} {name}" for name in ("different", "equivalent", "undecided")]
    return [
        f"Models over their training runs, with the variance between runs: "
        f"{counted(len(found), 'comparison')}, {listed(parts)}."
    ]


def model_table(results: Results) -> Table:
    """Every comparison of two models."""
    rows = tuple(map(_row, results.model_comparisons))
    return Table(_HEAD, rows, "Models over their training runs", numeric=(3, 5, 6))


def _row(found: Comparison) -> tuple[str, ...]:
    return (
        evaluation_name(found.variant, found.dataset),
        f"{shown(found.first)} minus {shown(found.second)}",
        outcome(found),
        score(found.difference),
        interval_of(found),
        p_value(found.p_holm),
        p_value(found.p_equivalence),
        found.test,
    )
