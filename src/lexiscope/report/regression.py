"""A check as a table for a terminal, as sentences, and as a JSON document."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.regression.outcome import Check, CheckedEvaluation
from lexiscope.regression.unpaired import UNPAIRED
from lexiscope.report.console import console, print_lines
from lexiscope.report.numbers import (
    MISSING,
    interval,
    interval_of,
    p_equals,
    p_value,
    score,
    signed,
)
from lexiscope.report.sentences import counted

if TYPE_CHECKING:
    from rich.table import Table

_HEAD = (
    "baseline", "new", "shared items", "difference", "95 % interval", "p (Holm)", "verdict",
    "fails",
)  # fmt: skip
_LEFT = ("95 % interval", "verdict", "fails")


def sentence(checked: CheckedEvaluation) -> str:
    """The verdict of one evaluation with its evidence."""
    comparison = checked.comparison
    if comparison is None or comparison.p is None:
        text = f"{checked.verdict}: {shown(checked.reason, 500)}"
    else:
        text = f"{checked.verdict}: {_difference(comparison)}"
    if comparison is not None and checked.verdict == "not significantly different":
        text += _power(comparison)
    lost = _lost_coverage(checked)
    return f"{text}; {lost}" if lost else text


def _difference(comparison: Comparison) -> str:
    """The difference with its interval and its p-value."""
    if not comparison.difference and comparison.p == 1:
        return f"same score (p = 1, {comparison.test})"
    limits = f" ({interval_of(comparison)})" if comparison.low is not None else ""
    tests = [f"{p_equals(comparison.p)} ({comparison.test})"] if comparison.p is not None else []
    if comparison.p_holm is not None:
        tests.append(f"{p_equals(comparison.p_holm)} after Holm's correction")
    return ", ".join([f"{signed(comparison.difference, 4)}{limits}", *tests])


def _power(comparison: Comparison) -> str:
    if comparison.detectable_difference is None:
        return ""
    return f"; minimum detectable difference {score(comparison.detectable_difference)}"


def _lost_coverage(checked: CheckedEvaluation) -> str:
    """How many items are no longer covered; empty if there are none."""
    lost = checked.baseline_used - checked.used
    if checked.score is None or lost <= 0:
        return ""
    return (
        f"{lost:,} of {checked.total:,} items are no longer covered "
        f"({checked.baseline_used:,} in the baseline, {checked.used:,} now)"
    )


def table(check: Check) -> "Table":
    """A heading for each new embedding, a row for each evaluation."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    view = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column("embedding: task, dataset, metric", overflow="fold")
    for name in _HEAD:
        view.add_column(name, justify="left" if name in _LEFT else "right", overflow="fold")
    for embedding in dict.fromkeys(each.embedding for each in check.evaluations):
        view.add_row(Text(shown(embedding), style="bold"))
        for each in check.evaluations:
            if each.embedding == embedding:
                view.add_row(*[Text(cell) for cell in _cells(each)])
    return view


def _cells(checked: CheckedEvaluation) -> list[str]:
    return [
        f"  {shown(checked.task)}, {shown(checked.dataset)}, {shown(checked.metric)}",
        score(checked.baseline_score),
        score(checked.score),
        *_compared(checked.comparison),
        checked.verdict,
        ", ".join(checked.fails),
    ]


def _compared(found: Comparison | None) -> list[str]:
    if found is None:
        return [MISSING] * 4
    return [
        MISSING if found.test == UNPAIRED else f"{found.items:,}",
        signed(found.difference),
        interval(found.low, found.high),
        p_value(found.p_holm),
    ]


def summary(check: Check) -> list[str]:
    """What the table does not show, with the outcome as the last line."""
    without_test = ("not comparable", "not evaluated")
    lines = [
        f"{shown(each.embedding)}, {shown(each.task)} on {shown(each.dataset)}: {sentence(each)}."
        for each in check.evaluations
        if each.verdict in without_test or (each.fails and each.fails != ("coverage-drop",))
    ]
    lines += dict.fromkeys(
        f"{shown(each.embedding)}, {shown(each.dataset)}: {_lost_coverage(each)}."
        for each in check.evaluations
        if _lost_coverage(each)
    )
    if any(each.comparison and each.comparison.test == UNPAIRED for each in check.evaluations):
        lines.append(
            "The baseline has scores but no predictions, so the tests are unpaired and have less "
            "power. A baseline of 'lexiscope check VECTORS --save FILE' has the predictions."
        )
    return [*lines, outcome(check)]


def outcome(check: Check) -> str:
    """One sentence: whether the check passed."""
    number, failed = len(check.evaluations), len(check.failed)
    against = f"against {shown(check.embedding)} of {shown(check.baseline, 200)}"
    rules = ", ".join(check.rules)
    skipped = sum(e.verdict == "not comparable" for e in check.evaluations if not e.fails)
    rest = f"; {skipped} not comparable" if skipped else ""
    all_ = counted(number, "evaluation")
    result = f"Failed: {failed} of {all_}" if failed else f"Passed: {all_}"
    return f"{result} {against} (rules: {rules}){rest}."


def document(check: Check) -> dict[str, Any]:
    """One document with stable keys."""
    return {
        "passed": not check.failed,
        "outcome": outcome(check),
        "baseline": check.baseline,
        "embedding": check.embedding,
        "fail_on": list(check.rules),
        "evaluations": [{**asdict(e), "sentence": sentence(e)} for e in check.evaluations],
    }


def show(check: Check) -> None:
    """Print the table and the sentences."""
    out = console(width=160)
    out.print(table(check))
    print_lines(out, summary(check))
