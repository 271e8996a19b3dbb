"""A check as a table for a terminal, as sentences, and as a document."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lexiscope.bench.checked import Check, Checked
from lexiscope.bench.results import number, span
from lexiscope.bench.unpaired import UNPAIRED
from lexiscope.core.display import shown
from lexiscope.core.result import Comparison

if TYPE_CHECKING:
    from rich.table import Table


def sentence(question: Checked) -> str:
    """What was found on one question, and how sure it is."""
    if question.comparison is None or question.comparison.p is None:
        told = f"{question.verdict}: {shown(question.reason, 500)}"
    elif question.verdict == "not told apart":
        told = f"not told apart: {_amount(question.comparison)}{_power(question.comparison)}"
    else:
        told = f"{question.verdict}: {_amount(question.comparison)}"
    lost = _lost(question)
    return f"{told}; {lost}" if lost else told


def _amount(comparison: Comparison) -> str:
    """The difference with its interval and its p-value."""
    if not comparison.difference and comparison.p == 1:
        return f"the same score (p = 1, {comparison.test})"
    interval = f" ({span(comparison)})" if comparison.low is not None else ""
    chance = f"p = {comparison.p:.2g} ({comparison.test}), {comparison.p_holm:.2g} after Holm"
    return f"{comparison.difference:+.4f}{interval}, {chance}"


def _power(comparison: Comparison) -> str:
    if comparison.detectable is None:
        return ""
    return f"; could have shown {comparison.detectable:.3f} or more"


def _lost(question: Checked) -> str:
    """How many items fewer could be asked than before; nothing when none."""
    lost = question.used_before - question.used
    if question.now is None or lost <= 0:
        return ""
    return (
        f"{lost:,} of {question.total:,} items can no longer be asked "
        f"({question.used_before:,} before, {question.used:,} now)"
    )


def table(check: Check) -> "Table":
    """A heading for each new embedding, below it a row per question."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    view = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column("embedding: task, dataset, measure", overflow="fold")
    for name in (
        "baseline", "now", "items both", "difference", "95 % interval", "p (Holm)", "verdict",
        "fails",
    ):  # fmt: skip
        left = name in ("95 % interval", "verdict", "fails")
        view.add_column(name, justify="left" if left else "right", overflow="fold")
    for embedding in dict.fromkeys(question.embedding for question in check.questions):
        view.add_row(Text(shown(embedding), style="bold"))
        for question in check.questions:
            if question.embedding == embedding:
                view.add_row(*[Text(cell) for cell in _cells(question)])
    return view


def _cells(question: Checked) -> list[str]:
    return [
        f"  {shown(question.task)}, {shown(question.dataset)}, {shown(question.measure)}",
        number(question.before),
        number(question.now),
        *_compared(question.comparison),
        question.verdict,
        ", ".join(question.fails),
    ]


def _compared(found: Comparison | None) -> list[str]:
    if found is None:
        return ["–"] * 4
    return [
        "–" if found.test == UNPAIRED else f"{found.items:,}",
        "–" if found.difference is None else f"{found.difference:+.3f}",
        "–" if found.low is None else span(found),
        "–" if found.p_holm is None else f"{found.p_holm:.2g}",
    ]


def summary(check: Check) -> list[str]:
    """What the table does not say, and the outcome as the last line."""
    unasked = ("not comparable", "not answered")
    lines = [
        f"{shown(q.embedding)}, {shown(q.task)} on {shown(q.dataset)}: {sentence(q)}."
        for q in check.questions
        if q.verdict in unasked or (q.fails and q.fails != ("coverage-drop",))
    ]
    lines += dict.fromkeys(
        f"{shown(q.embedding)}, {shown(q.dataset)}: {_lost(q)}."
        for q in check.questions
        if _lost(q)
    )
    if any(q.comparison is not None and q.comparison.test == UNPAIRED for q in check.questions):
        lines.append(
            "The baseline holds scores but no answers, so the tests are unpaired, each embedding "
            "on its own items, and miss more; a baseline of 'lexiscope check VECTORS --save FILE' "
            "holds the answers."
        )
    return [*lines, outcome(check)]


def outcome(check: Check) -> str:
    """One sentence: whether the check passed."""
    asked, failed = len(check.questions), len(check.failed)
    against = f"against {shown(check.embedding)} of {shown(check.baseline, 200)}"
    rules = ", ".join(check.rules)
    skipped = sum(q.verdict == "not comparable" for q in check.questions if not q.fails)
    told = f"; {skipped} could not be compared" if skipped else ""
    if failed:
        return f"Failed: {failed} of {asked} questions {against} (fails on {rules}){told}."
    return f"Passed: none of {asked} questions {against} fails (on {rules}){told}."


def document(check: Check) -> dict[str, Any]:
    """One document with stable keys."""
    return {
        "passed": not check.failed,
        "outcome": outcome(check),
        "baseline": check.baseline,
        "embedding": check.embedding,
        "fail_on": list(check.rules),
        "questions": [{**asdict(q), "sentence": sentence(q)} for q in check.questions],
    }


def show(check: Check) -> None:
    """Print the table and the sentences."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table(check), *[Text(line) for line in summary(check)], sep="\n")
