"""Sentences that the page and the terminal share."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Coverage
from lexiscope.evaluation.analysis.solver_agreement import SolverAgreement
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import MISSING, percent, score
from lexiscope.stats.multiple_comparisons import Ranks

_LOW_COVERAGE = 0.8
_NAMED = 4  # evaluations or embeddings in one sentence


def counted(number: int, noun: str) -> str:
    """The number with its noun: 1 comparison, 2 comparisons."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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
    """A stored time for people."""
    return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M %Z}"


def rank_range(ranks: Ranks | None) -> str:
    """The possible ranks of an embedding: 1 to 2."""
    if ranks is None:
        return MISSING
    return str(ranks.best) if ranks.best == ranks.worst else f"{ranks.best} to {ranks.worst}"


def significant_differences(results: Results) -> str:
    """How many of the tested differences are significant."""
    number = sum(c.significant for c in results.comparisons)
    tested = sum(c.p is not None for c in results.comparisons)
    verb = "is" if 1 in (number, tested) else "are"
    return f"{number:,} of {counted(tested, 'difference')} {verb} significant"


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


def not_comparable(results: Results) -> list[str]:
    """A sentence for each evaluation with embeddings that cannot be compared."""
    lines = []
    for evaluation in results.evaluations:
        pairs = results.comparisons_on(*evaluation)
        untested = [c for c in pairs if c.p is None]
        if untested:
            some = f"{len(untested):,} of {counted(len(pairs), 'pair')}, such as "
            reason = shown(untested[0].state, 300)
            lines.append(f"{evaluation_name(*evaluation)}: {some if pairs[1:] else ''}{reason}.")
    return lines


def low_coverage(results: Results) -> list[str]:
    """Which embeddings cover few items of a dataset, lowest coverage first."""
    found: dict[str, list[Coverage]] = {}
    for coverage in sorted(results.coverage, key=lambda c: c.used / max(1, c.total)):
        lacks = not coverage.tokens and (coverage.missing or coverage.zero)
        if lacks and coverage.used < _LOW_COVERAGE * coverage.total:
            found.setdefault(coverage.embedding, []).append(coverage)
    same: dict[str, list[str]] = {}
    for name, group in found.items():
        same.setdefault(_covered(group), []).append(shown(name))
    return [
        f"{named(names, 'embedding')} {'covers' if len(names) == 1 else 'cover'} only {covered}."
        for covered, names in same.items()
    ]


def _covered(group: Sequence[Coverage]) -> str:
    return listed(
        [f"{c.used:,} of {counted(c.total, 'item')} of {shown(c.dataset)}" for c in group]
    )


def token_coverage(results: Results) -> list[str]:
    """The proportion of the tokens of each text dataset that each embedding has vectors for."""
    found: dict[str, list[str]] = {}
    for c in results.coverage:
        if c.tokens:
            covered = f"{shown(c.embedding)} {percent((c.known_tokens or 0) / c.tokens)}"
            found.setdefault(f"{shown(c.dataset)} ({c.tokens:,} tokens)", []).append(covered)
    return [f"Token coverage of {text}: {', '.join(covered)}." for text, covered in found.items()]
