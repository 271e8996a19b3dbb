"""Sentences that the page and the terminal share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from lexiscope.core.decision import DecisionRule
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.evaluation.analysis.solver_agreement import SolverAgreement
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import MISSING, count, margin, p_equals, score
from lexiscope.stats.multiple_comparisons import Ranks

_NAMED = 4  # evaluations or embeddings in one sentence


def counted(number: int, noun: str) -> str:
    """The number with its noun: 1 comparison, 2 comparisons."""
    return f"{count(number)} {noun}" if number == 1 else f"{count(number)} {noun}s"


def listed(texts: Sequence[str], last: str = "and") -> str:
    """The texts as a list in a sentence: a, b and c."""
    head, tail = ", ".join(texts[:-1]), texts[-1] if texts else ""
    return f"{head} {last} {tail}" if head else tail


def named(texts: Iterable[str], noun: str) -> str:
    """A few texts as a list; the number of them if they are many."""
    names = list(texts)
    return listed(names) if len(names) <= _NAMED else counted(len(names), noun)


def evaluation_name(task: str, dataset: str) -> str:
    """A task on a dataset."""
    return f"{shown(task)} on {shown(dataset)}"


def timestamp(text: str) -> str:
    """A stored time as text: date, hours and minutes."""
    return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M %Z}"


def rank_range(ranks: Ranks | None) -> str:
    """The possible ranks of an embedding: 1 to 2."""
    if ranks is None:
        return MISSING
    return str(ranks.best) if ranks.best == ranks.worst else f"{ranks.best} to {ranks.worst}"


def min_coverage(rule: DecisionRule) -> str:
    """The proportion of a dataset's items that a comparison needs to count: 50 %."""
    return f"{100 * rule.min_coverage:g} %"


def outcome(comparison: Comparison) -> str:
    """Different, equivalent within the margin, or undecided."""
    if comparison.outcome == "equivalent" and comparison.margin is not None:
        return f"equivalent within {margin(comparison.margin)}"
    if comparison.outcome == "different" and is_within_margin(comparison):
        return f"different, but within {margin(comparison.margin or 0.0)}"
    return comparison.outcome if comparison.p is not None else "undecided, not tested"


def is_within_margin(comparison: Comparison) -> bool:
    """Whether the whole confidence interval is within the equivalence margin."""
    low, high, limit = comparison.low, comparison.high, comparison.margin
    if low is None or high is None or limit is None:
        return False
    return -limit < low and high < limit


def comparison_counts(results: Results) -> str:
    """The number of all comparisons and of each outcome, and how they are tested."""
    outcomes = Counter(c.outcome for c in results.comparisons)
    untested = sum(c.p is None for c in results.comparisons)
    parts = [f"{count(outcomes['different'])} different"]
    if any(c.margin is not None for c in results.comparisons):
        within = margin(results.rule.margin)
        parts.append(f"{count(outcomes['equivalent'])} equivalent within {within}")
    parts.append(f"{count(outcomes['undecided'])} undecided")
    if untested:
        parts[-1] += f" ({count(untested)} not tested)"
    total = counted(len(results.comparisons), "comparison")
    level = f"{100 * results.rule.alpha:g} % level"
    tests = f"Paired tests on shared items, {level} after correction (Holm-Tarone)."
    return f"{total}: {', '.join(parts)}. {tests}"


def reversed_pairs(found: Iterable[SolverAgreement]) -> list[str]:
    """A sentence for each two embeddings that two solvers of a task rank in opposite order."""
    return [
        f"{evaluation_name(each.task, each.dataset)}: {shown(pair.winner)} beats "
        f"{shown(pair.loser)} by {score(pair.gain)} with {shown(each.first)} and loses by "
        f"{score(pair.loss)} with {shown(each.second)}; "
        f"{'both differences are significant' if pair.significant else 'not significant'}."
        for each in found
        if each.slice == WHOLE
        for pair in each.reversals
    ]


def not_tested(results: Results) -> list[str]:
    """A sentence for each evaluation with embeddings whose difference is not tested."""
    lines = []
    for evaluation in results.evaluations:
        pairs = results.comparisons_on(*evaluation)
        untested = [c for c in pairs if c.p is None]
        if untested:
            first = untested[0]
            some = f"{count(len(untested))} of {counted(len(pairs), 'pair')}, such as "
            pair = f"{shown(first.first)} and {shown(first.second)}: {shown(first.state, 300)}"
            lines.append(f"{evaluation_name(*evaluation)}: {some if pairs[1:] else ''}{pair}.")
    return lines


def disjoint_intervals(results: Results) -> list[str]:
    """A sentence for each two scores on the same items that only look significantly different."""
    lines = []
    for task, dataset in results.evaluations:
        rows = {r.embedding: r for r in results.main_of(task, dataset)}
        for c in results.comparisons_on(task, dataset):
            one, other = rows.get(c.first), rows.get(c.second)
            if c.significant or c.p is None or c.p_holm is None or not one or not other:
                continue
            if _disjoint(one, other):
                ps = f"{p_equals(c.p)}, corrected {p_equals(c.p_holm)}"
                lines.append(
                    f"{evaluation_name(task, dataset)}: the intervals of {shown(c.first)} and "
                    f"{shown(c.second)} do not overlap, but the difference is not significant "
                    f"after correction ({ps})."
                )
    return lines


def _disjoint(one: Result, other: Result) -> bool:
    """Whether the intervals on the shared items do not overlap."""
    low, high, other_low, other_high = (
        one.shared_low, one.shared_high, other.shared_low, other.shared_high,
    )  # fmt: skip
    if low is None or high is None or other_low is None or other_high is None:
        return False
    return low > other_high or other_low > high
