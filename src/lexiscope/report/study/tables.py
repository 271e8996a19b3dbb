"""Tables of a study."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.estimate import Estimate
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
    names = [each.embedding for each in slices[0].scores]
    rows = tuple(
        (shown(each.name), count(each.items), *(with_interval(s.score) for s in each.scores))
        for each in slices
    )
    head = (name, "items", *map(shown, names))
    return Table(head, rows, f"By {name} (95 % CI)", folded=True, numeric=(1,))


def normalised_table(slices: Sequence[Slice], name: str) -> Table:
    """Normalised scores by one attribute."""
    names = [shown(each.embedding) for each in slices[0].scores]
    rows = tuple(
        (shown(each.name), count(each.items), *(with_interval(s.normalised) for s in each.scores))
        for each in slices
    )
    caption = f"By {name}, normalised within each condition (95 % CI)"
    return Table((name, "items", *names), rows, caption, folded=True, numeric=(1,))


def proxy_table(results: StudyResults) -> Table:
    """What machine proxies find among the neighbours of each embedding."""
    rows = tuple(
        (
            shown(each.embedding),
            shown(each.proxy),
            count(each.items),
            with_interval(Estimate(each.precision, each.low, each.high)) if each.items else "–",
            "–" if each.correlation is None else signed(each.correlation, 2),
        )
        for each in results.proxies
    )
    head = ("embedding", "proxy", "items", "found", "correlation with judges")
    return Table(head, rows, "Intruders found by machines (95 % CI over items)", numeric=(2, 4))


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
