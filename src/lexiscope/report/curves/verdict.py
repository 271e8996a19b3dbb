"""The verdict in two sentences: which embedding needs fewer labels, and what is undecided."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isinf
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.experiments.curves.results import CurveComparison, CurveResults, LabelRatio
from lexiscope.report.numbers import count_range, interval, margin, score, signed, significant
from lexiscope.report.sentences import counted, listed, named

_NAMED = 2  # pairs of embeddings in one sentence
_SIDES = ("won", "lost")


def verdict_sentences(results: CurveResults) -> tuple[str, str]:
    """Which embedding needs fewer labels and how certain that is, and what is undecided."""
    if len(results.embeddings) < 2:
        one = "One embedding was evaluated, so there are no differences to test."
        return one, _control_sentence(results)
    return _first(results), _undecided(results)


class _Record(NamedTuple):
    """The datasets on which one embedding has a larger, a smaller or an equivalent area."""

    other: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    equivalent: tuple[str, ...]
    total: int
    balance: float


def _record(results: CurveResults, name: str, other: str) -> _Record:
    mine = [
        each
        for each in results.compared()
        if {each.first, each.second} == {name, other} and results.rule.weight(each.dataset)
    ]
    different = [each for each in mine if each.outcome == "different"]
    won = [each.dataset for each in different if (each.value > 0) == (each.first == name)]
    lost = [each.dataset for each in different if each.dataset not in won]
    balance = sum(map(results.rule.weight, won)) - sum(map(results.rule.weight, lost))
    equivalent = tuple(each.dataset for each in mine if each.outcome == "equivalent")
    return _Record(other, tuple(won), tuple(lost), equivalent, len(mine), balance)


def _first(results: CurveResults) -> str:
    names = results.embeddings
    records = {name: [_record(results, name, n) for n in names if n != name] for name in names}
    if not any(each.total for own in records.values() for each in own):
        return "No difference was tested, because there is no dataset with two training sizes."
    winners = [name for name in names if all(each.balance > 0 for each in records[name])]
    if winners:
        return _use(results, winners[0], records[winners[0]])
    if all(len(each.equivalent) == each.total > 0 for own in records.values() for each in own):
        every = records[names[0]][0].total
        where = "all datasets" if every > 1 else "the dataset"
        return (
            f"Use {listed(list(map(shown, names)), 'or')}: the areas under their learning curves "
            f"are equivalent within {margin(results.rule.margin)} on {where}."
        )
    left = [name for name in names if not any(each.balance < 0 for each in records[name])]
    opposed = [(name, each) for name in names for each in records[name] if each.won and each.lost]
    if opposed:
        name, each = opposed[0]
        return (
            f"The choice depends on the dataset: the area under the learning curve of "
            f"{shown(name)} is significantly larger than that of {shown(each.other)} on "
            f"{_datasets(each.won)} and smaller on {_datasets(each.lost)}."
        )
    return _open(names, left or list(names), records)


def _open(names: Sequence[str], left: Sequence[str], records: dict[str, list[_Record]]) -> str:
    rest = [name for name in names if name not in left]
    text = f"Undecided between {listed(list(map(shown, left)))}: "
    among = [each for name in left for each in records[name] if each.other in left]
    if any(each.won for each in among):
        text += "none of them is significantly better than all others"
    else:
        text += "no difference between the areas under their learning curves is significant"
    if rest:
        verb = "has" if len(rest) == 1 else "have each"
        worse = named(map(shown, rest), "other embedding")
        text += f"; {worse} {verb} a significantly smaller area than another embedding"
    return f"{text}."


def _use(results: CurveResults, name: str, records: Sequence[_Record]) -> str:
    if len(records) <= _NAMED:
        why = listed([f"that of {shown(each.other)} {_on(each)}" for each in records])
    else:
        why = f"that of each of the {len(records)} other embeddings {_on_range(records)}"
    text = (
        f"Use {shown(name)}: the area under its learning curve is significantly larger than {why}"
    )
    claims = _claims(results, name, records)
    return f"{text}; {claims}." if claims else f"{text}."


def _on(record: _Record) -> str:
    if record.total == 1:
        return f"on {shown(record.won[0])}"
    lost = f"smaller on {len(record.lost)}" if record.lost else "smaller on none"
    return f"on {len(record.won)} of {counted(record.total, 'dataset')} and {lost}"


def _on_range(records: Sequence[_Record]) -> str:
    won, lost = (count_range(len(getattr(each, key)) for each in records) for key in _SIDES)
    none = "none" if lost == "0" else lost
    return f"on {won} of {counted(records[0].total, 'dataset')} and smaller on {none}"


def _claims(results: CurveResults, name: str, records: Sequence[_Record]) -> str:
    """How many labels the embedding needs where it is better, as far as that is decided."""
    found = [
        ratio
        for each in records
        for dataset in each.won
        if (ratio := results.ratio(dataset, name, each.other)) is not None
    ]
    decided = [each for each in found if each.first == name and each.high < 1]
    open_ = len(found) - len(decided)
    parts = [f"{ratio_text(each)} on {shown(each.dataset)}" for each in decided[:_NAMED]]
    text = f"it needs {listed(parts)}" if parts else ""
    more = len(decided) - len(parts)
    if more > 0:
        text += f", and fewer labels in {counted(more, 'more comparison')}"
    if open_:
        rest = f"in {counted(open_, 'comparison')} the number of labels it saves is undecided"
        text = f"{text}; {rest}" if text else rest
    return text


def ratio_text(ratio: LabelRatio) -> str:
    """The ratio in words: 0.4 times the labels of svd (0.3 to 0.6)."""
    low, high = _number(ratio.low), _number(ratio.high)
    of = f"the labels of {shown(ratio.second)}"
    if ratio.low == 0 and isinf(ratio.high):
        return f"an unknown fraction of {of}"
    if ratio.low == 0:
        return f"at most {high} times {of}"
    if isinf(ratio.high):
        return f"at least {low} times {of}"
    if ratio.bound:
        return f"{low} to {high} times {of}"
    return f"{_number(ratio.value)} times {of} ({low} to {high})"


def ratio_sentence(ratio: LabelRatio) -> str:
    """A sentence on the labels of two embeddings, with what is not decided."""
    text = f"{shown(ratio.dataset)}: {shown(ratio.first)} needs {ratio_text(ratio)}"
    return f"{text}." if ratio.decided else f"{text}: undecided."


def _number(value: float) -> str:
    return significant(value, 2) if value < 100 else f"{value:,.0f}"


def _datasets(names: Iterable[str]) -> str:
    return named(map(shown, names), "dataset")


def _undecided(results: CurveResults) -> str:
    found = results.compared()
    counts = Counter(each.outcome for each in found)
    parts = [
        f"{counts['different']} {_verb(counts['different'])} different",
        f"{counts['equivalent']} equivalent within {margin(results.rule.margin)}",
        f"{counts['undecided']} undecided",
    ]
    text = f"Of {counted(len(found), 'comparison')} of areas, {listed(parts)}"
    open_ = [each for each in found if each.outcome == "undecided"]
    if not open_:
        return f"{text}."
    such = "; ".join(map(_difference, open_[:_NAMED]))
    more = "; for example," if len(open_) > _NAMED else ":"
    return f"{text}{more} {such}."


def _verb(number: int) -> str:
    return "is" if number == 1 else "are"


def _difference(each: CurveComparison) -> str:
    limits = interval(each.low, each.high, score) if each.low is not None else each.state
    return (
        f"{shown(each.first)} minus {shown(each.second)} on {shown(each.dataset)} is "
        f"{signed(each.value)} ({limits})"
    )


def control_sentences(results: CurveResults) -> list[str]:
    """A sentence on the embeddings that are not significantly better than a control."""
    worse = [
        f"{shown(each.first)} on {shown(each.dataset)}"
        for each in results.control_comparisons
        if each.outcome != "different" or each.value < 0
    ]
    if not worse:
        return []
    control = listed(list(map(shown, results.controls)))
    return [f"Not significantly better than {control} by area: {named(worse, 'curve')}."]


def _control_sentence(results: CurveResults) -> str:
    """The score of the only embedding next to that of random vectors."""
    name = results.embeddings[0] if results.embeddings else ""
    parts = []
    for about in results.datasets[:_NAMED]:
        curve = results.curve(about.dataset, name)
        if curve is None:
            continue
        text = f"{shown(about.dataset)}: {score(curve.end.value)}"
        control = next((results.curve(about.dataset, each) for each in results.controls), None)
        if control is not None:
            text += f", {shown(control.embedding)} {score(control.end.value)}"
        parts.append(text)
    return f"Scores of the best model with the largest training set: {'; '.join(parts)}."
