"""What a hurried reader should know, and what nobody knows."""

from collections.abc import Sequence

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.report.layout import Section, Table
from lexiscope.report.wording import (
    better_without,
    counted,
    listed,
    low_coverage,
    not_compared,
    question,
    real_differences,
    turned_in_short,
)

_MUCH_LESS = 0.95  # of the items that another embedding could be asked


def verdict(results: Results) -> Section:
    """Who to use, where it does not matter, what is not known."""
    apart = (f"Not compared: {sentence}" for sentence in not_compared(results))
    warnings = (*results.warnings, *low_coverage(results), *apart)
    notes = tuple(shown(sentence, 400) for sentence in warnings)
    flags = tuple(turned_in_short(results))
    if not any(c.p is not None for c in results.comparisons) or not _settled(results):
        return Section("Verdict", (_no_verdict(results),), notes=notes, flags=flags)
    leading = _leading(results)
    advice = (*_advice(results, leading), *better_without(results), *_ties(results))
    text = (*advice, _unknown(results))
    return Section("Verdict", text, (_table(results, leading),), notes=notes, flags=flags)


def _no_verdict(results: Results) -> str:
    if len(results.embeddings) < 2:
        return "One embedding was asked; give a second one to learn which differences are real."
    if any(c.p is not None for c in results.comparisons):
        return (
            "On no question could all embeddings be compared with each other, so nothing is said "
            f"about which to use. {real_differences(results)}: see below."
        )
    return "No two embeddings could be compared, so nothing can be said about which is better."


def _settled(results: Results) -> list[tuple[str, str]]:
    """The questions on which all scores could be compared with each other."""
    return [column for column in results.columns if not results.unsettled(*column)]


def _leading(results: Results) -> dict[str, list[Sequence[str]]]:
    """For each embedding the leaders of every settled question that it leads."""
    groups = [results.leaders(*column) for column in _settled(results)]
    return {name: [group for group in groups if name in group] for name in results.embeddings}


def _advice(results: Results, leading: dict[str, list[Sequence[str]]]) -> tuple[str, ...]:
    tests = f"{real_differences(results)} (paired tests on shared items, Holm's correction, 5 %)."
    if not any(c.real for c in results.comparisons):
        return ("No difference was shown: these data give no reason to prefer one.", tests)
    most = max(map(len, leading.values()))
    best = [name for name, groups in leading.items() if len(groups) == most]
    names = listed([shown(name) for name in best], "or")
    use = f"Use {names}" if len(best) == 1 else f"Use {names}; either will do"
    of = counted(len(_settled(results)), "question")
    led = f"{use}: on {most} of {of} no embedding is really better."
    return (led, *_but(results, best), tests)


def _but(results: Results, best: Sequence[str]) -> tuple[str, ...]:
    """Where the best ones were asked fewer items than others: comparisons do not see the rest."""
    shares = {name: _share(results, name) for name in results.embeddings}
    widest = max(shares, key=lambda name: shares[name])
    return tuple(
        f"But {shown(name)} has the words for only {shares[name]:.1%} of all items, "
        f"{shown(widest)} for {shares[widest]:.1%}. The comparisons see only what both know."
        for name in best
        if shares[name] < _MUCH_LESS * shares[widest]
    )


def _ties(results: Results) -> tuple[str, ...]:
    """On how many questions all scored embeddings lead together."""
    open_ones = [
        question(*column)
        for column in _settled(results)
        if len(results.leaders(*column)) == len(results.scores(*column)) > 1
    ]
    if not open_ones or not any(c.real for c in results.comparisons):
        return ()
    named = f" ({listed(open_ones)})" if len(open_ones) <= 4 else ""
    of = counted(len(_settled(results)), "question")
    return (f"On {len(open_ones)} of {of}{named} nobody is really better than anybody else.",)


def _unknown(results: Results) -> str:
    unsettled = [c for c in results.comparisons if c.p is not None and not c.real]
    untested = sum(c.p is None for c in results.comparisons)
    parts = [f"{counted(len(unsettled), 'difference')} may be chance"] if unsettled else []
    if untested:
        parts.append(f"{counted(untested, 'difference')} could not be tested")
    blind = max(unsettled, key=lambda c: c.detectable or 0.0, default=None)
    if blind is not None and blind.detectable:
        parts.append(
            f"a true difference of {blind.detectable:.2g} could have gone unseen "
            f"({question(blind.variant, blind.dataset)})"
        )
    parts.append("another training of the same embeddings may score otherwise")
    if len(results.policies) == 1:
        parts.append("other vocabulary policies were not tried")
    return f"Not known: {'; '.join(parts)}."


def _table(results: Results, leading: dict[str, list[Sequence[str]]]) -> Table:
    asked = len(_settled(results))
    rows = tuple(
        (
            shown(name),
            f"{len(leading[name])} of {asked}",
            f"{_alone(leading[name])} of {asked}",
            f"{_share(results, name):.1%}",
        )
        for name in sorted(leading, key=lambda n: (-len(leading[n]), -_alone(leading[n])))
    )
    head = ("embedding", "none is really better", "alone in that", "items it could be asked")
    return Table(head, rows, numeric=(1, 2, 3))


def _alone(groups: Sequence[Sequence[str]]) -> int:
    return sum(len(group) == 1 for group in groups)


def _share(results: Results, embedding: str) -> float:
    own = [c for c in results.coverage if c.embedding == embedding]
    return sum(c.used for c in own) / max(1, sum(c.total for c in own))
