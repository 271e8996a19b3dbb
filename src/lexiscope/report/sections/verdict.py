"""Verdict: which embedding to use, and the limitations of that advice."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.control_comparisons import better_without_vectors
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import percent
from lexiscope.report.policy_changes import policy_change_summary
from lexiscope.report.sentences import (
    counted,
    evaluation_name,
    listed,
    low_coverage,
    not_comparable,
    significant_differences,
)

_MUCH_LESS = 0.95  # of the coverage of another embedding


def verdict(results: Results) -> Section:
    """Which embedding to use, where there is no difference, and what is not known."""
    incomparable = (f"Not comparable: {sentence}" for sentence in not_comparable(results))
    warnings = (*results.warnings, *low_coverage(results), *incomparable)
    notes = tuple(shown(sentence, 400) for sentence in warnings)
    flags = tuple(policy_change_summary(results)) if results.other_policies else ()
    if not any(c.p is not None for c in results.comparisons) or not _comparable(results):
        return Section("Verdict", (_no_verdict(results),), notes=notes, flags=flags)
    best = _best(results)
    controlled = better_without_vectors(results) if results.control_comparisons else []
    advice = (*_advice(results, best), *controlled, *_ties(results))
    text = (*advice, _limitations(results))
    return Section("Verdict", text, (_table(results, best),), notes=notes, flags=flags)


def _no_verdict(results: Results) -> str:
    if len(results.embeddings) < 2:
        return "One embedding was evaluated. Add a second one to test differences."
    if any(c.p is not None for c in results.comparisons):
        return (
            "On no evaluation are all embeddings comparable, so no embedding is recommended. "
            f"{significant_differences(results)}: see below."
        )
    return "No two embeddings are comparable, so no embedding is recommended."


def _comparable(results: Results) -> list[tuple[str, str]]:
    """The evaluations on which all scores are comparable."""
    return [each for each in results.evaluations if not results.has_incomparable(*each)]


def _best(results: Results) -> dict[str, list[Sequence[str]]]:
    """For each embedding the groups of best embeddings that contain it, one per evaluation."""
    groups = [results.best(*each) for each in _comparable(results)]
    return {name: [group for group in groups if name in group] for name in results.embeddings}


def _advice(results: Results, best: dict[str, list[Sequence[str]]]) -> tuple[str, ...]:
    found = significant_differences(results)
    tests = f"{found} (paired tests on shared items, Holm's correction, 5 % level)."
    if not any(c.significant for c in results.comparisons):
        return ("No significant difference: these data give no reason to prefer one.", tests)
    most = max(map(len, best.values()))
    chosen = [name for name, groups in best.items() if len(groups) == most]
    names = listed([shown(name) for name in chosen], "or")
    use = f"Use {names}" if len(chosen) == 1 else f"Use {names} (tied)"
    of = counted(len(_comparable(results)), "evaluation")
    advice = f"{use}: on {most} of {of} no embedding is significantly better."
    return (advice, *_low_coverage(results, chosen), tests)


def _low_coverage(results: Results, chosen: Sequence[str]) -> tuple[str, ...]:
    """Which of the chosen embeddings cover fewer items: comparisons use shared items only."""
    covered = {name: _coverage(results, name) for name in results.embeddings}
    widest = max(covered, key=lambda name: covered[name])
    return tuple(
        f"But {shown(name)} covers only {percent(covered[name])} of all items, {shown(widest)} "
        f"covers {percent(covered[widest])}. Comparisons use only the items that both cover."
        for name in chosen
        if covered[name] < _MUCH_LESS * covered[widest]
    )


def _ties(results: Results) -> tuple[str, ...]:
    """On how many evaluations no embedding is significantly better than another."""
    tied = [
        evaluation_name(*each)
        for each in _comparable(results)
        if len(results.best(*each)) == len(results.scores(*each)) > 1
    ]
    if not tied or not any(c.significant for c in results.comparisons):
        return ()
    names = f" ({listed(tied)})" if len(tied) <= 4 else ""
    of = counted(len(_comparable(results)), "evaluation")
    return (f"On {len(tied)} of {of}{names} no difference is significant.",)


def _limitations(results: Results) -> str:
    open_ones = [c for c in results.comparisons if c.p is not None and not c.significant]
    untested = sum(c.p is None for c in results.comparisons)
    parts = []
    if open_ones:
        verb = "is" if len(open_ones) == 1 else "are"
        parts.append(f"{counted(len(open_ones), 'difference')} {verb} not significant")
    if untested:
        parts.append(f"{counted(untested, 'difference')} could not be tested")
    blind = max(open_ones, key=lambda c: c.detectable_difference or 0.0, default=None)
    if blind is not None and blind.detectable_difference:
        parts.append(
            f"a true difference of {blind.detectable_difference:.2g} may remain undetected "
            f"({evaluation_name(blind.variant, blind.dataset)})"
        )
    parts.append("another training run of the same model may score differently")
    if not results.other_policies:
        parts.append("other vocabulary policies were not evaluated")
    return f"Limitations: {'; '.join(parts)}."


def _table(results: Results, best: dict[str, list[Sequence[str]]]) -> Table:
    number = len(_comparable(results))
    rows = tuple(
        (
            shown(name),
            f"{len(best[name])} of {number}",
            f"{_alone(best[name])} of {number}",
            percent(_coverage(results, name)),
        )
        for name in sorted(best, key=lambda n: (-len(best[n]), -_alone(best[n])))
    )
    head = ("embedding", "among the best", "best alone", "coverage")
    return Table(head, rows, numeric=(1, 2, 3))


def _alone(groups: Sequence[Sequence[str]]) -> int:
    return sum(len(group) == 1 for group in groups)


def _coverage(results: Results, embedding: str) -> float:
    own = [c for c in results.coverage if c.embedding == embedding]
    return sum(c.used for c in own) / max(1, sum(c.total for c in own))
