"""Differences between embeddings: tests of difference and of equivalence, and detectable ones."""

from collections import Counter
from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.model_comparisons import model_summary, model_table
from lexiscope.report.numbers import (
    MISSING,
    count,
    detectable,
    fraction,
    interval_of,
    margin,
    p_value,
    score,
)
from lexiscope.report.sections.standings import standings
from lexiscope.report.sentences import comparison_counts, counted, evaluation_name, outcome

_TITLE = "Differences"
_HEAD = (
    "first minus second", "outcome", "difference", "95 % interval", "p", "p (Holm-Tarone)",
    "p (equivalence)", "detectable difference", "shared items", "test",
)  # fmt: skip


def differences(results: Results) -> Section:
    """Every comparison of two embeddings, a table for each evaluation."""
    if not results.comparisons:
        none = "There are no differences to test with one embedding."
        return Section(_TITLE, (none,), folded=True, abstract="none to test")
    evaluations = dict.fromkeys((c.variant, c.dataset) for c in results.comparisons)
    tables = [_table(*each, results.comparisons_on(*each)) for each in evaluations]
    models = (model_table(results),) if results.model_comparisons else ()
    found = results.recommendation
    overall = standings(results, found) if found.pairs else ()
    text = (*_text(results), *model_summary(results))
    abstract = f"{counted(len(results.comparisons), 'test')}, with p-values and power"
    parts = (*models, *tables, *overall)
    return Section(_TITLE, text, parts, folded=True, abstract=abstract)


def _text(results: Results) -> tuple[str, ...]:
    level = f"{100 * results.rule.alpha:g} %"
    return (
        f"{comparison_counts(results)} Each difference is computed on the items that both "
        f"embeddings cover. It is significant if the corrected p-value is below {level}: Holm's "
        "method with Tarone's modification, which does not count tests that cannot give so small "
        "a p-value, controls the family-wise error rate over all comparisons of the run. "
        "Confidence intervals are not corrected.",
        "A difference that is not significant is not evidence of no difference. Two embeddings are "
        f"equivalent if two one-sided t tests (TOST) reject every true difference of "
        f"{margin(results.rule.margin)} or more, after Holm's correction over the equivalence "
        "tests; a metric without bounds has no equivalence test. Everything else is undecided. "
        "The detectable difference is the smallest true difference that the test finds with a "
        "power of 80 % at the corrected level.",
    )


def _table(task: str, dataset: str, comparisons: Sequence[Comparison]) -> Table:
    rows = tuple(_row(comparison) for comparison in comparisons)
    outcomes = Counter(comparison.outcome for comparison in comparisons)
    counts = ", ".join(f"{count(number)} {name}" for name, number in outcomes.items())
    caption = f"{evaluation_name(task, dataset)}: {counts}"
    return Table(_HEAD, rows, caption, folded=True, numeric=(2, 4, 5, 6, 7, 8))


def _row(comparison: Comparison) -> tuple[str, ...]:
    limit = comparison.detectable_difference
    return (
        f"{shown(comparison.first)} minus {shown(comparison.second)}",
        outcome(comparison),
        score(comparison.difference),
        interval_of(comparison),
        p_value(comparison.p),
        p_value(comparison.p_holm),
        p_value(comparison.p_equivalence),
        MISSING if limit is None else detectable(limit),
        fraction(comparison.items, comparison.total),
        comparison.test,
    )
