"""Tables of a study."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.estimate import Estimate
from lexiscope.human.proxies import ALL, ProxyScore
from lexiscope.human.scoring.results import Score, Slice, StudyResults
from lexiscope.report.layout import Table
from lexiscope.report.numbers import count, p_value, percent, score, signed, with_interval
from lexiscope.report.study.verdict import metric


def _ranked(scores: Sequence[Score]) -> list[Score]:
    return sorted(scores, key=lambda each: -(each.score.value or 0.0))


def short_table(results: StudyResults) -> Table:
    """Scores for the terminal, best first."""
    head = ("embedding", metric(results), "95 % CI", "items", "ratings")
    rows = tuple(
        (
            shown(each.embedding, 24),
            score(each.score.value),
            _limits(each),
            count(each.items),
            count(each.ratings),
        )
        for each in _ranked(results.scores)
    )
    return Table(head, rows, numeric=(1, 2, 3, 4))


def _limits(each: Score) -> str:
    if each.score.low is None:
        return "–"
    return f"{score(each.score.low)} to {score(each.score.high)}"


def score_table(results: StudyResults) -> Table:
    """Scores with intervals, best first."""
    ability = dict(zip(results.embeddings, results.abilities, strict=False))
    head = ["embedding", metric(results), "pooled", "items", "ratings"]
    head += ["normalised", "ability"] if ability else []
    rows = []
    for each in _ranked(results.scores):
        row = [shown(each.embedding), with_interval(each.score), with_interval(each.pooled),
               count(each.items), count(each.ratings)]  # fmt: skip
        if ability:
            row += [with_interval(each.normalised), with_interval(ability[each.embedding])]
        rows.append(tuple(row))
    caption = f"{metric(results).capitalize()} of each embedding (95 % CI)"
    return Table(tuple(head), tuple(rows), caption, numeric=(3, 4))


def slice_table(slices: Sequence[Slice], name: str) -> Table:
    """Scores by one attribute."""
    return _by(slices, name, "score", f"By {name} (95 % CI)")


def normalised_table(slices: Sequence[Slice], name: str) -> Table:
    """Normalised scores by one attribute."""
    caption = f"By {name}, normalised within each condition (95 % CI)"
    return _by(slices, name, "normalised", caption)


def pooled_table(slices: Sequence[Slice], name: str) -> Table:
    """Micro-averaged scores by one attribute."""
    return _by(slices, name, "pooled", f"By {name}, pooled over all ratings (95 % CI)")


def _by(slices: Sequence[Slice], name: str, field: str, caption: str) -> Table:
    names = [shown(each.embedding) for each in slices[0].scores]
    rows = tuple(
        (
            shown(each.name),
            count(each.items),
            *(with_interval(getattr(s, field)) for s in each.scores),
        )
        for each in slices
    )
    return Table((name, "items", *names), rows, caption, folded=True, numeric=(1,))


def coherence_table(proxies: Sequence[ProxyScore]) -> Table:
    """One coherence score of each embedding, best first, then by frequency."""
    rows = tuple(
        (shown(each.embedding), shown(each.frequency) or "all items", *_proxy_cells(each))
        for each in proxies
        if each.proxy == ALL
    )
    head = ("embedding", "query words", *_PROXY_HEAD)
    caption = "Coherence: mean over proxies (95 % CI over items)"
    return Table(head, rows, caption, numeric=(2, 3, 6))


def proxy_table(proxies: Sequence[ProxyScore]) -> Table:
    """What each machine proxy finds among the neighbours of each embedding."""
    rows = tuple(
        (shown(each.embedding), shown(each.proxy), *_proxy_cells(each))
        for each in proxies
        if each.proxy != ALL
    )
    head = ("embedding", "proxy", *_PROXY_HEAD)
    caption = "Intruders found by each proxy (95 % CI over items)"
    return Table(head, rows, caption, folded=True, numeric=(2, 3, 6))


_PROXY_HEAD = ("items", "unsolved", "found", "correlation with judges", "judged items")


def _proxy_cells(each: ProxyScore) -> tuple[str, ...]:
    found = Estimate(each.precision, each.low, each.high)
    with_judges = Estimate(each.correlation, each.correlation_low, each.correlation_high)
    return (
        count(each.items),
        count(each.unsolved),
        with_interval(found) if each.items else "–",
        "–" if each.correlation is None else with_interval(with_judges, signed),
        count(each.judged_items),
    )


def comparison_table(results: StudyResults) -> Table:
    """The difference of every two embeddings."""
    rows = tuple(
        (
            shown(each.first),
            shown(each.second),
            with_interval(each.difference, signed),
            p_value(each.p_permutation),
            p_value(each.p),
            p_value(each.p_holm),
            each.state or each.outcome,
        )
        for each in results.comparisons
    )
    head = ("embedding", "other", "difference", "p (permutation)", "p", "p (Holm)",
            "outcome")  # fmt: skip
    return Table(head, rows, "Differences between embeddings (95 % CI)", numeric=(3, 4, 5))


def judge_table(results: StudyResults) -> Table:
    """What is known of each judge."""
    rows = tuple(
        (
            shown(each.judge),
            count(each.judgments),
            count(each.opt_outs),
            percent(each.control_accuracy),
            "–" if each.median_seconds is None else f"{each.median_seconds:.1f}",
            percent(each.same_position),
            percent(each.agreement),
            ", ".join(each.flags),
        )
        for each in results.quality
    )
    head = ("judge", "judgments", "opt-outs", "controls correct", "median s", "same position",
            "agreement with others", "flags")  # fmt: skip
    return Table(head, rows, "Judges", folded=True, numeric=(1, 2, 3, 4, 5, 6))


def position_table(results: StudyResults) -> Table:
    """Choices by position."""
    rows = tuple(
        (count(each.options), ", ".join(map(count, each.choices)), p_value(each.p))
        for each in results.positions
    )
    head = ("options", "choices by position, first to last", "p (chi-square)")
    return Table(head, rows, "Position of the chosen option", numeric=(0, 2))
