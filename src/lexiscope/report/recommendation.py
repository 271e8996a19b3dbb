"""The recommendation in two sentences: what to use and why, and what is not known."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.recommendation import PairComparison, Recommendation
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import count_range, margin, significant
from lexiscope.report.open_questions import open_questions
from lexiscope.report.sentences import (
    counted,
    is_within_margin,
    listed,
    min_coverage,
    named,
)

_NAMED = 2  # pairs of embeddings in one sentence


def recommendation_sentences(results: Results) -> tuple[str, str]:
    """What to use and why, and what is not known."""
    found = results.recommendation
    what: dict[str, Callable[[Results, Recommendation], str]] = {
        "use": _use, "equivalent": _equivalent, "undecided": _undecided, "depends": _depends,
        "none": _none,
    }  # fmt: skip
    return what[found.kind](results, found), open_questions(results, found)


class Record(NamedTuple):
    """The datasets that one embedding wins and loses against another; `total` is their number.

    `weights` are the weights of these three, if datasets have different weights.
    """

    other: str
    won: int
    lost: int
    total: int
    weights: tuple[float, float, float] | None


def record(pair: PairComparison, name: str) -> Record:
    """The datasets of a pair, seen from one of the two embeddings."""
    first = name == pair.first
    won, lost = (
        [each for each in pair.datasets if each.outcome in (side, "mixed")]
        for side in (("first", "second") if first else ("second", "first"))
    )
    groups = won, lost, pair.datasets
    weighted = len({each.weight for each in pair.datasets}) > 1
    weights = [float(sum(each.weight for each in group)) for group in groups]
    other = pair.second if first else pair.first
    return Record(
        other, len(won), len(lost), len(pair.datasets),
        (weights[0], weights[1], weights[2]) if weighted else None,
    )  # fmt: skip


def _of(name: str, pairs: Iterable[PairComparison]) -> list[PairComparison]:
    return [pair for pair in pairs if name in (pair.first, pair.second)]


def _use(results: Results, found: Recommendation) -> str:
    (name,) = found.embeddings
    pairs = _of(name, found.pairs)
    records = [record(pair, name) for pair in pairs]
    if len(records) <= _NAMED:
        why = listed([f"significantly better than {_beaten(each)}" for each in records])
    else:
        won, lost = (count_range(getattr(each, key) for each in records) for key in ("won", "lost"))
        why = (
            f"significantly better than each of the {len(records)} other embeddings on {won} of "
            f"{counted(records[0].total, 'dataset')} and worse on {'none' if lost == '0' else lost}"
        )
    return f"Use {shown(name)}: it is {why}{_evidence(pairs, found)}{_within(results, found)}."


def _within(results: Results, found: Recommendation) -> str:
    """A note if every significant difference of the chosen embedding is within the margin."""
    (name,) = found.embeddings
    datasets = _names(found.pairs)
    won = [
        c
        for c in results.comparisons
        if c.significant and name in (c.first, c.second) and shown(c.dataset) in datasets
        if not {c.first, c.second} & set(found.excluded)
    ]
    if not all(map(is_within_margin, won)):
        return ""
    return f", but every significant difference is within {margin(found.rule.margin)}"


def _beaten(found: Record) -> str:
    name = shown(found.other)
    if found.weights is not None:
        won, lost, total = map(significant, found.weights)
        return f"{name} on datasets of weight {won} of {total} and worse on weight {lost}"
    of = counted(found.total, "dataset")
    return f"{name} on {found.won} of {of} and worse on {found.lost or 'none'}"


def _evidence(pairs: Iterable[PairComparison], found: Recommendation) -> str:
    """The shared items of the datasets that count, and the datasets that the user named."""
    items = {each.items for pair in pairs for each in pair.datasets if not each.reason}
    primary = named(map(shown, found.rule.primary), "dataset")
    shared = f"{count_range(items)} shared item{'s' * (items != {1})}" if items else ""
    text = "; ".join(filter(None, (shared, f"decided by {primary}" if primary else "")))
    return f" ({text})" if text else ""


def _equivalent(results: Results, found: Recommendation) -> str:
    among, others = _among(found), _others(results, found)
    names = listed([shown(name) for name in found.embeddings], "or")
    within = f"equivalent within {margin(found.rule.margin)}"
    better = f", and each is significantly better than {_listed(others)}{_on_more(among, 'worse')}"
    return (
        f"Use {names}: they are {within} on {_all_datasets(among)}{_evidence(among, found)}"
        f"{better if others else ''}."
    )


def _listed(names: Sequence[str]) -> str:
    return named(map(shown, names), "other embedding")


def _on_more(pairs: Sequence[PairComparison], than: str) -> str:
    """The condition of a win, which needs no words if there is one dataset."""
    several = len(_names(pairs)) > 1
    return f" on more datasets than it is {than}" if several else ""


def _among(found: Recommendation) -> list[PairComparison]:
    """The pairs of the embeddings that the recommendation names."""
    names = found.embeddings
    return [pair for pair in found.pairs if pair.first in names and pair.second in names]


def _others(results: Results, found: Recommendation) -> list[str]:
    """The candidates that the recommendation does not name."""
    return [n for n in results.embeddings if n not in (*found.embeddings, *found.excluded)]


def _names(pairs: Sequence[PairComparison]) -> list[str]:
    return list(dict.fromkeys(shown(each.dataset) for pair in pairs for each in pair.datasets))


def _all_datasets(pairs: Sequence[PairComparison]) -> str:
    names = _names(pairs)
    return names[0] if len(names) == 1 else f"all {len(names)} datasets"


def _undecided(results: Results, found: Recommendation) -> str:
    among, others = _among(found), _others(results, found)
    names = listed([shown(name) for name in found.embeddings])
    if any(pair.outcome in ("first", "second") for pair in among):
        why = f"none of them is significantly better than all others{_on_more(among, 'worse')}"
    else:
        datasets = _names(among)
        where = datasets[0] if len(datasets) == 1 else f"any of {len(datasets)} datasets"
        tested = any(not each.reason for pair in among for each in pair.datasets)
        why = "no difference between them is significant" if tested else "they are not comparable"
        why = f"{why} on {where}"
    verb = "is" if len(others) == 1 else "are each"
    better = _on_more(among, "better")
    worse = f"; {_listed(others)} {verb} significantly worse than another embedding{better}"
    return f"Undecided between {names}: {why}{_evidence(among, found)}{worse if others else ''}."


def _depends(results: Results, found: Recommendation) -> str:
    among = _among(found)
    mixed = [pair for pair in among if pair.outcome == "mixed"] or [
        pair for pair in among if pair.outcome in ("first", "second")
    ]
    said = [_opposed(pair) for pair in mixed[:_NAMED]]
    more = len(mixed) - len(said)
    rest = f"; {counted(more, 'more pair')} likewise" if more > 0 else ""
    why = f"{'; '.join(said)}{rest}{_evidence(mixed, found)}"
    return f"The choice depends on the dataset: {why}."


def _opposed(pair: PairComparison) -> str:
    """On which datasets each of the two embeddings is better."""
    won, lost = (
        [shown(each.dataset) for each in pair.datasets if each.outcome in (side, "mixed")]
        for side in ("first", "second")
    )
    one, other = shown(pair.first), shown(pair.second)
    if not won:
        one, other, won, lost = other, one, lost, won
    better = f"{one} is significantly better than {other} on {named(won, 'dataset')}"
    return f"{better} and worse on {named(lost, 'dataset')}" if lost else better


def _none(results: Results, found: Recommendation) -> str:
    if len(results.embeddings) < 2:
        return "One embedding was evaluated, so there are no differences to test."
    if len(found.embeddings) < 2:
        only = f"only {shown(found.embeddings[0])}" if found.embeddings else "no embedding"
        enough = f"at least {min_coverage(found.rule)} of the items of every dataset"
        return f"No recommendation: {only} covers {enough}."
    return "No recommendation: no two embeddings were tested on enough shared items."
