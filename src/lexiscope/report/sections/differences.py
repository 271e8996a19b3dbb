"""Which differences are real, and what the others would have needed."""

from collections.abc import Sequence
from dataclasses import replace

from lexiscope.bench.results import Results, number, span
from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import chance, counted, question

_HEAD = (
    "first minus second", "verdict", "difference", "95 % interval", "p", "p (Holm)", "p (BH)",
    "shared items", "test",
)  # fmt: skip
_OPEN = 20  # rows; with more of them the tables are folded


def differences(results: Results) -> Section:
    """Every comparison of two embeddings, a table for each question."""
    title = "Which differences are real"
    if not results.comparisons:
        return Section(title, ("There is nothing to compare with one embedding.",))
    columns = dict.fromkeys((c.variant, c.dataset) for c in results.comparisons)
    tables = [_table(*column, results.compared(*column)) for column in columns]
    folded = len(results.comparisons) > _OPEN
    return Section(title, _text(results), tuple(replace(t, folded=folded) for t in tables))


def _text(results: Results) -> tuple[str, ...]:
    return (
        "Each difference is taken on the items that both could be asked. It is real when Holm's p "
        "is below 5 %, which keeps even one false alarm among all "
        f"{counted(len(results.comparisons), 'comparison')} of the run rare. Benjamini and "
        "Hochberg's p (BH) is milder: few of those below 5 % are false alarms. Intervals are not "
        "corrected.",
        "A difference that may be chance is not shown to be nothing. The verdict says which true "
        "difference these items would have shown four times out of five in a single test, and how "
        "many items the difference seen would need.",
    )


def _table(task: str, dataset: str, comparisons: Sequence[Comparison]) -> Table:
    rows = tuple(_row(comparison) for comparison in comparisons)
    real = sum(comparison.real for comparison in comparisons)
    caption = f"{question(task, dataset)}: {real} of {len(comparisons)} real"
    return Table(_HEAD, rows, caption, numeric=(2, 4, 5, 6, 7))


def _row(comparison: Comparison) -> tuple[str, ...]:
    return (
        f"{shown(comparison.first)} minus {shown(comparison.second)}",
        _verdict(comparison),
        number(comparison.difference),
        span(comparison),
        chance(comparison.p),
        chance(comparison.p_holm),
        chance(comparison.p_bh),
        f"{comparison.items:,}",
        comparison.test,
    )


def _verdict(comparison: Comparison) -> str:
    """Real, or what these items could have shown."""
    if comparison.real:
        return "real"
    if comparison.p is None:
        return "not tested"
    if comparison.detectable is None:
        return "none" if comparison.difference == 0 else "may be chance"
    text = f"may be chance; could have shown {comparison.detectable:.2g} or more"
    if comparison.needed is None or comparison.needed <= comparison.items:
        return text
    return f"{text}; about {_rounded(comparison.needed):,} items would be needed"


def _rounded(items: int) -> int:
    """Two digits: more would look surer than such a figure is."""
    return int(float(f"{items:.2g}"))
