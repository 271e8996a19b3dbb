"""Sentences that the page and the terminal share."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from lexiscope.bench.methods import Methods
from lexiscope.bench.policies import Turn, turns
from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Comparison, Coverage
from lexiscope.stats.many import Ranks

_LOW_COVERAGE = 0.8
_NAMED = 4  # questions or embeddings in one sentence


def counted(number: int, noun: str) -> str:
    """The number with its noun: 1 comparison, 2 comparisons."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(texts: Sequence[str], last: str = "and") -> str:
    """The texts as in a sentence: a, b and c."""
    head, tail = ", ".join(texts[:-1]), texts[-1] if texts else ""
    return f"{head} {last} {tail}" if head else tail


def question(task: str, dataset: str) -> str:
    """A task on a dataset."""
    return f"{shown(task)} on {shown(dataset)}"


def real_differences(results: Results) -> str:
    """How many of the tested differences are real."""
    real = sum(c.real for c in results.comparisons)
    tested = sum(c.p is not None for c in results.comparisons)
    return (
        f"{real:,} of {counted(tested, 'difference')} {'is' if 1 in (real, tested) else 'are'} real"
    )


def reversed_pairs(found: Iterable[Methods]) -> list[str]:
    """A sentence for each two embeddings that two ways to ask put in opposite orders."""
    return [
        f"{question(each.task, each.dataset)}: {shown(turn.winner)} beats {shown(turn.loser)} by "
        f"{turn.gain:.3f} under {shown(each.first)} and loses by {turn.loss:.3f} under "
        f"{shown(each.second)}; {'both are real' if turn.real else 'this may be chance'}."
        for each in found
        if each.slice == WHOLE
        for turn in each.turned
    ]


def not_compared(results: Results) -> list[str]:
    """A sentence for each question on which embeddings could not be put in an order."""
    lines = []
    for column in results.columns:
        pairs = results.compared(*column)
        apart = [c for c in pairs if c.p is None]
        if apart:
            some = f"{len(apart):,} of {counted(len(pairs), 'pair')}, such as " if pairs[1:] else ""
            lines.append(f"{question(*column)}: {some}{shown(apart[0].state, 300)}.")
    return lines


def ranked(ranks: Ranks | None) -> str:
    """Between which ranks an embedding lies: 1 to 2."""
    if ranks is None:
        return "–"
    return str(ranks.best) if ranks.best == ranks.worst else f"{ranks.best} to {ranks.worst}"


def moment(text: str) -> str:
    """A stored moment for people."""
    return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M %Z}"


def interval(low: float | None, high: float | None) -> str:
    """An interval for a table."""
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def chance(p: float | None) -> str:
    """A p-value for a table."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def changed(policy: Policy, usual: Policy) -> str:
    """What a policy does differently from the run's own."""
    parts = []
    if policy.vocabulary != usual.vocabulary:
        parts.append(f"{policy.vocabulary} vocabulary")
    if policy.case != usual.case:
        parts.append(f"case {policy.case}")
    if policy.unknown != usual.unknown:
        parts.append(f"unknown words {policy.unknown}")
    if policy.limit != usual.limit:
        parts.append(f"first {policy.limit:,} words" if policy.limit else "all words")
    return ", ".join(parts) or "this run's own"


def turned(results: Results) -> list[str]:
    """A sentence for each question and embedding that scores best under another policy."""
    found: dict[tuple[str, str, str], list[Turn]] = {}
    for turn in turns(results):
        found.setdefault((turn.task, turn.dataset, turn.instead), []).append(turn)
    return [
        f"{question(task, dataset)}: {_overtaken(group, results.policy)}"
        + (" In this run the difference between the two is real." if group[0].real else "")
        for (task, dataset, _), group in found.items()
    ]


def turned_in_short(results: Results) -> list[str]:
    """A sentence for each two embeddings of which the same policies decide who scores best."""
    questions: dict[tuple[str, str, str, str], list[Turn]] = {}
    for turn in turns(results):
        questions.setdefault((turn.usual, turn.instead, turn.task, turn.dataset), []).append(turn)
    alike: dict[tuple[str, str, tuple[Policy, ...]], list[Turn]] = {}
    for (usual, instead, *_), group in questions.items():
        same = usual, instead, tuple(turn.policy for turn in group)
        alike.setdefault(same, []).extend(group)
    return [_where(group, results.policy) for group in alike.values()]


def _where(group: Sequence[Turn], usual: Policy) -> str:
    places = dict.fromkeys(question(turn.task, turn.dataset) for turn in group)
    real = dict.fromkeys(question(turn.task, turn.dataset) for turn in group if turn.real)
    decided = f" In this run it is really better on {_named(real)}." if real else ""
    return (
        f"The winner depends on the policy on {_named(places)}: {_overtaken(group, usual)}{decided}"
    )


def _named(questions: Iterable[str]) -> str:
    names = list(questions)
    return listed(names) if len(names) <= _NAMED else f"{len(names)} questions"


def _overtaken(group: Sequence[Turn], usual: Policy) -> str:
    first = group[0]
    under = listed(list(dict.fromkeys(changed(turn.policy, usual) for turn in group)), "or")
    return (
        f"{shown(first.usual)} scores highest on what each was asked, but with {under} it is "
        f"{shown(first.instead)}."
    )


def low_coverage(results: Results) -> list[str]:
    """Which embeddings lack many words of some datasets, the worst first; alike ones in one go."""
    found: dict[str, list[Coverage]] = {}
    for coverage in sorted(results.coverage, key=lambda c: c.used / max(1, c.total)):
        lacks = not coverage.running and (coverage.missing or coverage.zero)
        if lacks and coverage.used < _LOW_COVERAGE * coverage.total:
            found.setdefault(coverage.embedding, []).append(coverage)
    alike: dict[str, list[str]] = {}
    for name, group in found.items():
        alike.setdefault(_asked(group), []).append(shown(name))
    return [f"{_who(names)} the words for only {asked}." for asked, names in alike.items()]


def against_controls(results: Results) -> list[str]:
    """Whether embeddings beat random vectors and no vectors at all, on each question."""
    questions = dict.fromkeys((c.variant, c.dataset) for c in results.against_controls)
    lines = []
    for task, dataset in questions:
        here = [c for c in results.against_controls if (c.variant, c.dataset) == (task, dataset)]
        told = filter(None, (_told(here, control, name) for control, name in _CONTROLS.items()))
        said = "; ".join(told) or "nothing could be compared with them"
        lines.append(f"Controls of {question(task, dataset)}: {said}.")
    return lines and [
        *lines,
        "Differences to controls are corrected among themselves (Holm); groups leave them out.",
    ]


_CONTROLS = {"random": "random vectors", "none": "the answers without vectors"}


def _told(comparisons: Sequence[Comparison], control: str, name: str) -> str:
    """How many embeddings are really better than a control, and which are not."""
    here = [c for c in comparisons if c.control == control and c.p is not None]
    if not here:
        return ""
    alike = [shown(c.first) for c in here if not c.real]
    worse = [shown(c.first) for c in here if is_worse(c)]
    better = len(here) - len(alike) - len(worse)
    rest = [f"{listed(names)} {what}" for names, what in
            ((alike, "not told apart"), (worse, "really worse")) if names]  # fmt: skip
    told = f"{better} of {counted(len(here), 'embedding')} really better than {name}"
    return f"{told} ({'; '.join(rest)})" if rest else told


def is_worse(comparison: Comparison) -> bool:
    """Whether the first of the two is really worse."""
    return comparison.real and (comparison.difference or 0.0) < 0


def better_without(results: Results) -> list[str]:
    """A sentence for each question that is really better answered without the vectors."""
    found: dict[tuple[str, str], list[str]] = {}
    for c in results.against_controls:
        if c.control == "none" and is_worse(c):
            found.setdefault((c.variant, c.dataset), []).append(shown(c.first))
    return [
        f"On {question(*column)} the answers without vectors are really better than those with "
        f"{listed(names, 'or')}."
        for column, names in found.items()
    ]


def known_words(results: Results) -> list[str]:
    """How many of the running words of texts each embedding knows."""
    found: dict[str, list[str]] = {}
    for c in results.coverage:
        if c.running:
            share = f"{shown(c.embedding)} {(c.known or 0) / c.running:.1%}"
            found.setdefault(f"{c.running:,} words of {shown(c.dataset)}", []).append(share)
    return [f"Known of the {words}: {', '.join(shares)}." for words, shares in found.items()]


def _who(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} has"
    return f"{listed(names) if len(names) <= _NAMED else f'{len(names)} embeddings'} have"


def _asked(group: Sequence[Coverage]) -> str:
    return listed(
        [f"{c.used:,} of {counted(c.total, 'item')} of {shown(c.dataset)}" for c in group]
    )
