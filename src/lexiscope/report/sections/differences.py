"""Differences between embeddings: tests, intervals and statistical power."""

from collections.abc import Sequence
from dataclasses import replace

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import interval_of, p_value, score
from lexiscope.report.sentences import counted, evaluation_name

_TITLE = "Differences"
_HEAD = (
    "first minus second", "result", "difference", "95 % interval", "p", "p (Holm)", "p (BH)",
    "shared items", "test",
)  # fmt: skip
_OPEN = 20  # rows; with more of them the tables are folded


def differences(results: Results) -> Section:
    """Every comparison of two embeddings, a table for each evaluation."""
    if not results.comparisons:
        return Section(_TITLE, ("There are no differences to test with one embedding.",))
    evaluations = dict.fromkeys((c.variant, c.dataset) for c in results.comparisons)
    tables = [_table(*each, results.comparisons_on(*each)) for each in evaluations]
    folded = len(results.comparisons) > _OPEN
    return Section(_TITLE, _text(results), tuple(replace(t, folded=folded) for t in tables))


def _text(results: Results) -> tuple[str, ...]:
    return (
        "Each difference is computed on the items that both embeddings cover. It is significant if "
        "the p-value after Holm's correction is below 5 %: the correction controls the "
        f"family-wise error rate over all {counted(len(results.comparisons), 'comparison')} of the "
        "run. The p-value of Benjamini and Hochberg (BH) controls the false discovery rate "
        "instead. Intervals are not corrected.",
        "A difference that is not significant is not evidence of no difference. The minimum "
        "detectable difference is the true difference that a single test with this many items "
        "detects with a power of 80 %; the items needed are those that would detect the observed "
        "difference.",
    )


def _table(task: str, dataset: str, comparisons: Sequence[Comparison]) -> Table:
    rows = tuple(_row(comparison) for comparison in comparisons)
    significant = sum(comparison.significant for comparison in comparisons)
    caption = f"{evaluation_name(task, dataset)}: {significant} of {len(comparisons)} significant"
    return Table(_HEAD, rows, caption, numeric=(2, 4, 5, 6, 7))


def _row(comparison: Comparison) -> tuple[str, ...]:
    return (
        f"{shown(comparison.first)} minus {shown(comparison.second)}",
        _result(comparison),
        score(comparison.difference),
        interval_of(comparison),
        p_value(comparison.p),
        p_value(comparison.p_holm),
        p_value(comparison.p_bh),
        f"{comparison.items:,}",
        comparison.test,
    )


def _result(comparison: Comparison) -> str:
    """Significant, or what these items could have detected."""
    if comparison.significant:
        return "significant"
    if comparison.p is None:
        return "not tested"
    if comparison.detectable_difference is None:
        return "no difference" if comparison.difference == 0 else "not significant"
    text = f"not significant; minimum detectable difference {comparison.detectable_difference:.2g}"
    if comparison.items_needed is None or comparison.items_needed <= comparison.items:
        return text
    return f"{text}; about {_rounded(comparison.items_needed):,} items needed"


def _rounded(items: int) -> int:
    """Two significant digits: more would suggest a precision that the estimate does not have."""
    return int(float(f"{items:.2g}"))
