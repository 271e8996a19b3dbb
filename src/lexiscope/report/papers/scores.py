"""Sections on the scores of trained models, without correlations between evaluations."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.papers.claims import Claim, SignificanceClaim
from lexiscope.papers.scores import ScoreResults
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    interval_of,
    p_value,
    percent,
    points,
    signed_points,
)
from lexiscope.report.papers import frequency, studies
from lexiscope.report.papers.correlation import not_run_table, score_table
from lexiscope.report.sections.agreement import rank_agreement

QUESTION = "How do models score in every evaluation?"
_BEST = (
    "The reference is the best embedding, not the best row: a baseline without vectors can be "
    "better. Paired tests on the same items, first runs of the models, not corrected."
)


def summary(results: ScoreResults, claims: Sequence[Claim] = ()) -> list[Section]:
    """Return the sections of every report; `claims` are those of the paper."""
    tables = tuple(score_table(results, dimension) for dimension in results.dimensions)
    sections = [Section("Scores", (), tables)]
    best = [each for name in _compared(results) if (each := best_table(results, name, claims))]
    if best:
        sections.append(Section("Comparison with the best embedding", (_BEST,), tuple(best)))
    sections += frequency.sections(results.frequency)
    sections += studies.sections(results.studies, results.proxies)
    if results.not_run or results.failures:
        sections.append(Section("Not run", (), (not_run_table(results),)))
    return sections


def details(results: ScoreResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    found = results.agreement
    sections = []
    if found is not None:
        sections.append(rank_agreement(found, [shown(name) for _, name in found.evaluations]))
    if results.comparisons:
        sections.append(Section("Differences between models", (), (comparison_table(results),)))
    return sections


def comparison_table(results: ScoreResults) -> Table:
    """Return the paired comparisons of models, not corrected."""
    rows = tuple(
        (
            shown(c.dataset),
            f"{shown(c.first)} minus {shown(c.second)}",
            signed_points(c.difference),
            interval_of(c, points),
            p_value(c.p),
            count(c.items),
        )
        for c in results.comparisons
    )
    head = ("evaluation", "models", "difference", "95 % CI", "p", "items")
    return Table(head, rows, "Paired tests of models, not corrected", numeric=(2, 4, 5))


def _compared(results: ScoreResults) -> list[str]:
    return list(dict.fromkeys(each.dataset for each in results.comparisons))


def best_table(results: ScoreResults, evaluation: str, claims: Sequence[Claim]) -> Table | None:
    """Return p-values against the best embedding: the paper's, and ours against its and ours."""
    models = [model.name for model in results.plan.models]
    scores = {name: _score(results, name, evaluation) for name in models}
    known = {name: value for name, value in scores.items() if value is not None}
    if not known:
        return None
    ours = max(known, key=lambda name: known[name])
    printed = [c for c in claims if isinstance(c, SignificanceClaim) and c.column == evaluation]
    rows_of = [each.model for each in results.baselines if each.evaluation == evaluation]
    theirs = _reference(printed, models) or ours
    rows = tuple(
        (
            shown(name),
            percent(_score(results, name, evaluation)),
            *_against(results, evaluation, name, ours),
            *((_p_against(results, evaluation, name, theirs),) if theirs != ours else ()),
            _printed_p(printed, name),
        )
        for name in [*rows_of, *models]
    )
    both = (f"p against {shown(theirs)}",) if theirs != ours else ()
    head = (
        "row", "score", f"minus {shown(ours)}", "95 % CI", f"p against {shown(ours)}", *both,
        f"paper: p against {shown(theirs)}",
    )  # fmt: skip
    caption = (
        f"{shown(evaluation)}: best embedding here {shown(ours)}, in the paper {shown(theirs)}"
    )
    return Table(head, rows, caption, numeric=tuple(range(1, len(head))))


def _score(results: ScoreResults, name: str, evaluation: str) -> float | None:
    found = results.score(name, evaluation, results.plan.table_dimension)
    return None if found is None else found.value


def _reference(printed: Sequence[SignificanceClaim], models: Sequence[str]) -> str:
    """Return the embedding that occurs in all printed comparisons; empty if there is none."""
    pairs = [{claim.row, claim.below} for claim in printed]
    common = set.intersection(*pairs) if pairs else set()
    return next((name for name in models if name in common), "")


def _against(results: ScoreResults, evaluation: str, name: str, best: str) -> tuple[str, ...]:
    found = results.comparison(evaluation, name, best)
    if found is None:
        return MISSING, MISSING, MISSING
    sign = 1 if found.first == name else -1
    value = None if found.difference is None else sign * found.difference
    ends = (found.low, found.high)[::sign]
    low, high = (None if end is None else points(sign * end) for end in ends)
    span = found.state or MISSING if low is None or high is None else f"{low} to {high}"
    return signed_points(value), span, p_value(found.p)


def _p_against(results: ScoreResults, evaluation: str, name: str, best: str) -> str:
    return _against(results, evaluation, name, best)[2]


def _printed_p(printed: Sequence[SignificanceClaim], name: str) -> str:
    """Return the printed p-value of a row, which may be better or worse than the reference."""
    found = [claim for claim in printed if name in (claim.row, claim.below)]
    return shown(found[0].text.removeprefix("p = ")) if len(found) == 1 < len(printed) else MISSING
