"""A check as a table for a terminal, as sentences, and as a JSON document."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.regression.outcome import Check, CheckedEvaluation
from lexiscope.regression.unpaired import UNPAIRED
from lexiscope.report.console import GroupedTable, console, print_lines, print_verdict
from lexiscope.report.layout import Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    detectable,
    interval,
    interval_of,
    margin,
    p_equals,
    p_value,
    score,
    signed,
)
from lexiscope.report.sentences import counted

_WIDE = 120  # characters; a narrower table has fewer columns
_LEFT = ("95 % interval", "verdict", "fails")
_ONLY_WIDE = ("shared items", "p (Holm-Tarone)", "p (equivalence)", "fails")


def sentence(checked: CheckedEvaluation) -> str:
    """The verdict of one evaluation with its evidence."""
    comparison = checked.comparison
    if comparison is None or comparison.p is None:
        text = f"{checked.verdict}: {shown(checked.reason, 500)}"
    else:
        text = f"{_verdict(checked)}: {_difference(comparison)}{_power(comparison)}"
    lost = _lost_coverage(checked)
    return f"{text}; {lost}" if lost else text


def _verdict(checked: CheckedEvaluation) -> str:
    """The verdict, with the margin of an equivalence."""
    found = checked.comparison
    if found is None or found.margin is None or checked.verdict != "equivalent":
        return checked.verdict
    return f"equivalent within {margin(found.margin)}"


def _difference(comparison: Comparison) -> str:
    """The difference with its interval and its p-value."""
    if not comparison.difference and comparison.p == 1:
        return f"same score (p = 1, {comparison.test})"
    limits = f" ({interval_of(comparison)})" if comparison.low is not None else ""
    tests = [f"{p_equals(comparison.p)} ({comparison.test})"] if comparison.p is not None else []
    if comparison.p_holm is not None:
        tests.append(f"{p_equals(comparison.p_holm)} after correction")
    if comparison.p_equivalence is not None and comparison.outcome != "different":
        tests.append(f"{p_equals(comparison.p_equivalence)} for equivalence")
    return ", ".join([f"{signed(comparison.difference)}{limits}", *tests])


def _power(comparison: Comparison) -> str:
    """What an undecided comparison could have detected."""
    if comparison.outcome != "undecided" or comparison.detectable_difference is None:
        return ""
    return f"; minimum detectable difference {detectable(comparison.detectable_difference)}"


def _lost_coverage(checked: CheckedEvaluation) -> str:
    """How many items are no longer covered; empty if there are none."""
    lost = checked.baseline_used - checked.used
    if checked.score is None or lost <= 0:
        return ""
    return (
        f"{count(lost)} of {count(checked.total)} items are no longer covered "
        f"({count(checked.baseline_used)} in the baseline, {count(checked.used)} now)"
    )


def table(check: Check, width: int = _WIDE) -> GroupedTable:
    """A heading for each new embedding, a row for each evaluation; those that fail are bold."""
    rows = [(each.embedding, each, _cells(each, width)) for each in check.evaluations]
    columns = list(rows[0][2]) if rows else []
    head = ("task, dataset, metric", *columns)
    groups = [
        (
            shown(embedding),
            [
                ((f"  {_evaluation(each)}", *cells.values()), "bold" if each.fails else "")
                for name, each, cells in rows
                if name == embedding
            ],
        )
        for embedding in dict.fromkeys(name for name, _, _ in rows)
    ]
    return GroupedTable(head, groups, [k for k, name in enumerate(columns, 1) if name not in _LEFT])


def plain_table(check: Check) -> Table:
    """A row for each new embedding and evaluation."""
    rows = [
        (shown(each.embedding), _evaluation(each), _cells(each, 0)) for each in check.evaluations
    ]
    columns = tuple(rows[0][2]) if rows else ()
    body = tuple((*names, *cells.values()) for *names, cells in rows)
    numeric = tuple(k for k, name in enumerate(columns, 2) if name not in _LEFT)
    return Table(("embedding", "task, dataset, metric", *columns), body, numeric=numeric)


def _evaluation(checked: CheckedEvaluation) -> str:
    return f"{shown(checked.task)}, {shown(checked.dataset)}, {shown(checked.metric)}"


def _cells(checked: CheckedEvaluation, width: int) -> dict[str, str]:
    """The cells of an evaluation by column."""
    found = checked.comparison
    items = MISSING if found is None or found.test == UNPAIRED else count(found.items)
    cells = {
        "baseline": score(checked.baseline_score),
        "new": score(checked.score),
        "shared items": items,
        "difference": signed(found.difference if found else None),
        "95 % interval": interval(found.low, found.high) if found else MISSING,
        "p (Holm-Tarone)": p_value(found.p_holm if found else None),
        "p (equivalence)": p_value(found.p_equivalence if found else None),
        "verdict": _verdict(checked),
        "fails": ", ".join(checked.fails),
    }
    return {k: cell for k, cell in cells.items() if width >= _WIDE or k not in _ONLY_WIDE}


def summary(check: Check) -> list[str]:
    """What the table does not show, with the outcome as the last line."""
    lines = [
        f"{shown(each.embedding)}, {shown(each.task)} on {shown(each.dataset)}: {sentence(each)}."
        for each in check.evaluations
        if _is_untested(each) or (each.fails and each.fails != ("coverage-drop",))
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
    return [*lines, *_own_items(check), *_undecided(check), outcome(check)]


def _own_items(check: Check) -> list[str]:
    """What the scores and the difference are computed on, if coverage differs."""
    scored = [each for each in check.evaluations if each.score is not None]
    if all(each.used == each.baseline_used for each in scored):
        return []
    return [
        "Scores are on the items that each embedding covers; compare them by the difference, which "
        "is on the shared items."
    ]


def _is_untested(checked: CheckedEvaluation) -> bool:
    return checked.comparison is None or checked.comparison.p is None


def _undecided(check: Check) -> list[str]:
    """What undecided evaluations leave open: a check may pass because it has little power."""
    found = [each for each in check.evaluations if each.verdict == "undecided"]
    if not found:
        return []
    equivalence = "" if check.margin is None else f" nor equivalence within {margin(check.margin)}"
    text = f"Undecided: {counted(len(found), 'evaluation')}, where neither a difference"
    limits = [
        (each.comparison.detectable_difference, each)
        for each in found
        if each.comparison and each.comparison.detectable_difference is not None
    ]
    if not limits:
        return [f"{text}{equivalence} is significant."]
    limit, weakest = max(limits, key=lambda pair: pair[0])
    where = f"{shown(weakest.task)} on {shown(weakest.dataset)}"
    return [
        f"{text}{equivalence} is significant. A true difference of up to {detectable(limit)} may "
        f"remain undetected ({where}; 80 % power at the corrected level)."
    ]


def outcome(check: Check) -> str:
    """One sentence: whether the check passed, and the number of evaluations by verdict."""
    number, failed = len(check.evaluations), len(check.failed)
    against = f"against {shown(check.embedding)} of {shown(check.baseline, 200)}"
    rules = ", ".join(check.rules)
    verdicts = Counter(map(_verdict, check.evaluations))
    rest = ", ".join(f"{count(times)} {verdict}" for verdict, times in verdicts.items())
    all_ = counted(number, "evaluation")
    result = f"Failed: {failed} of {all_}" if failed else f"Passed: {all_}"
    return f"{result} {against} (rules: {rules}): {rest}."


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


def show(check: Check, brief: bool = False) -> None:
    """Print the table and the sentences, or only the outcome."""
    out = console()
    if brief:
        print_lines(out, [outcome(check)])
        return
    out.print(table(check, out.width))
    *notes, last = summary(check)
    print_lines(out, ["", *notes] if notes else [])
    print_verdict(out, [last])
