"""Tables of claims: paper, ours, 95 % CI, verdict. They serve every paper."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.papers.claims import (
    WORDS,
    Claim,
    CorrelationClaim,
    OrderClaim,
    PredictorClaim,
    ProportionClaim,
    RankingClaim,
    ScoreClaim,
    Verdict,
)
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import (
    MISSING,
    correlation,
    interval_of,
    p_value,
    percent,
    plain,
    points,
    signed_points,
    with_interval,
)  # fmt: skip
from lexiscope.report.sentences import counted, listed

_LONG = 300  # characters of a cell


class _Style(NamedTuple):
    """How the values of a kind of claim are formatted, and what its verdicts mean."""

    value: Callable[[float | None], str]
    bound: Callable[[float | None], str]  # of the confidence interval
    sample: str
    title: str
    meaning: str


_STYLES: dict[type[Claim], _Style] = {
    ProportionClaim: _Style(
        percent,
        points,
        "trials",
        "proportion of correct predictions",
        "A proportion agrees if our 95 % CI and the printed range overlap, and is inconclusive if "
        "our CI is wider than 30 points. It is possible if as many of our trials as the paper has "
        "would all match its outcome with a probability of at least 5 %.",
    ),
    CorrelationClaim: _Style(
        correlation,
        correlation,
        "models",
        "correlation over models",
        "A correlation agrees if our 95 % CI contains the printed value, and is inconclusive if "
        "our CI is wider than 0.6. It is possible if the CI over base models (models that share "
        "no vectors) contains the value, or if the two correlations are not significantly "
        "different (p at least 0.05).",
    ),
    ScoreClaim: _Style(
        plain,
        plain,
        "runs",
        "scores",
        "A score agrees if our 95 % CI contains the printed value.",
    ),
    OrderClaim: _Style(
        signed_points,
        points,
        "trials",
        "order of models",
        "An order of two models agrees or differs if the difference is significant (Holm, 5 %), "
        "and is inconclusive otherwise.",
    ),
    PredictorClaim: _Style(
        correlation,
        correlation,
        "models",
        "difference of two correlations",
        "An order of two predictors agrees or differs if the 95 % CI of the difference of their "
        "correlations excludes 0, and is inconclusive otherwise.",
    ),
    RankingClaim: _Style(
        correlation,
        correlation,
        "models",
        "rank correlation with the printed ranking",
        "A ranking agrees or differs if its rank correlation with ours is significant "
        "(p below 0.05), and is inconclusive otherwise.",
    ),
}


def verdict_sentence(verdicts: Sequence[Verdict]) -> str:
    """Summarise the verdicts on the claims of a paper."""
    number = Counter(each.verdict for each in verdicts)
    found = [f"{word} {number[word]}" for word in WORDS if number[word]]
    return f"Verdicts on {counted(len(verdicts), 'claim')} of the paper: {listed(found)}."


def claims_section(verdicts: Sequence[Verdict]) -> Section:
    """Return the section on the claims of a paper, with the rules for their verdicts."""
    kinds = dict.fromkeys(type(each.claim) for each in _judged(verdicts))
    text = (verdict_sentence(verdicts), *(_STYLES[kind].meaning for kind in kinds))
    tables = [*claims_tables(verdicts), *not_judged_tables(verdicts)]
    return Section("Claims of the paper", text, tuple(tables))


def _judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [each for each in verdicts if each.verdict != "not run"]


def claims_tables(verdicts: Sequence[Verdict]) -> Iterator[Table]:
    """Return a table for each table of the paper and kind of claim."""
    groups: dict[tuple[str, type[Claim]], list[Verdict]] = {}
    for each in _judged(verdicts):
        groups.setdefault((each.claim.table, type(each.claim)), []).append(each)
    for (name, kind), group in groups.items():
        yield claims_table(group, f"{_capital(name)}: {_STYLES[kind].title}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def claims_table(verdicts: Sequence[Verdict], caption: str) -> Table:
    """Return a table with a row for each claim; columns without entries are left out."""
    rows = [_cells(each) for each in verdicts]
    head = list(dict.fromkeys(name for row in rows for name in row))
    used = [
        name for name in head if any(row.get(name, MISSING) not in ("", MISSING) for row in rows)
    ]
    body = tuple(tuple(row.get(name, MISSING) for name in used) for row in rows)
    numeric = tuple(k for k, name in enumerate(used) if name in _NUMERIC)
    return Table(tuple(used), body, caption, numeric=numeric)


_OURS = "dimension (ours)"
_NUMERIC = {
    "dimension (paper)", _OURS, "ours", "trials", "models", "runs", "p-value", "p (Holm)",
    "p (difference)", "matching trials",
}  # fmt: skip


def _cells(each: Verdict) -> dict[str, str]:
    """Return the cells of a claim by column title."""
    claim, style = each.claim, _STYLES[type(each.claim)]
    labels = {("dimension (paper)" if name == "dimension" else name): shown(text, 80)
              for name, text in claim.labels.items()}  # fmt: skip
    if each.dimension is not None:
        labels[_OURS] = str(each.dimension)
    return {
        **labels,
        "paper": shown(claim.text, _LONG),
        "ours": style.value(each.ours.value),
        "95 % CI": interval_of(each.ours, style.bound),
        "verdict": each.verdict,
        style.sample: str(each.ours.n) if each.ours.n else MISSING,
        "matching trials": percent(each.matching_trials),
        **{
            name: f"{with_interval(found, correlation)}, n = {found.n}"
            for name, found in each.secondary.items()
        },
        _P_VALUES.get(type(claim), "p-value"): p_value(each.p_value),
        "note": shown(each.reason or claim.note, _LONG),
    }


_P_VALUES: dict[type[Claim], str] = {OrderClaim: "p (Holm)", CorrelationClaim: "p (difference)"}


def not_judged_tables(verdicts: Sequence[Verdict]) -> list[Table]:
    """Return a table that counts the claims that were not run, by reason."""
    groups = Counter((v.claim.table, v.reason) for v in verdicts if v.verdict == "not run")
    if not groups:
        return []
    rows = tuple(
        (shown(table, 80), shown(reason, _LONG), str(number))
        for (table, reason), number in groups.items()
    )
    return [Table(("table", "reason", "claims"), rows, "Claims that were not run", numeric=(2,))]
