"""Tables of claims: paper, ours, difference, p-value, verdict. They serve every paper."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.papers.claims import (
    Claim,
    ColumnCountClaim,
    ConsistencyClaim,
    CorrelationClaim,
    CurveScoreClaim,
    FrequencyAccuracyClaim,
    FrequencyOrderClaim,
    JudgmentContrastClaim,
    JudgmentEqualityClaim,
    JudgmentOrderClaim,
    ModelOrderClaim,
    OrderClaim,
    PowerLawClaim,
    PredictorClaim,
    ProportionClaim,
    RankClaim,
    RankingClaim,
    ScoreClaim,
    SignificanceClaim,
    SizeOrderClaim,
    TermModelOrderClaim,
)
from lexiscope.papers.verdicts import WORDS, Estimate, Verdict
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import (
    MISSING,
    correlation,
    count,
    fraction,
    interval_of,
    p_value,
    percent,
    plain,
    points,
    signed,
    signed_points,
    with_interval,
)  # fmt: skip
from lexiscope.report.sentences import counted, listed

_LONG = 300  # characters of a cell
_RULE = (
    "The printed number and ours are compared with the sampling error of both. Differs: "
    "significantly different (5 %) after Holm's correction over all judged claims. Agrees: the "
    "90 % CI of the difference is within the equivalence margin (two one-sided tests at 5 %). "
    "Undecided: neither."
)


class _Style(NamedTuple):
    """How the values of a kind of claim are formatted, and what its sampling error is."""

    value: Callable[[float | None], str]
    bound: Callable[[float | None], str]  # of the confidence interval
    gap: Callable[[float | None], str]  # of the difference
    sample: str
    title: str
    meaning: str


def _signed_score(value: float | None) -> str:
    return signed(value, 1)


def _signed_percent(value: float | None) -> str:
    return signed(None if value is None else 100 * value, 2)


def _rank(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"


def _three(value: float | None) -> str:
    return MISSING if value is None else f"{value:,.3f}"


_STYLES: dict[type[Claim], _Style] = {
    ProportionClaim: _Style(
        percent,
        points,
        signed_points,
        "trials",
        "proportion of correct predictions",
        "Proportions: Fisher's exact test of effective numbers of words. The words of a trial are "
        "dependent; how much, our trials show. Of a printed range, the value nearest to ours is "
        "compared.",
    ),
    CorrelationClaim: _Style(
        correlation,
        correlation,
        correlation,
        "independent models",
        "correlation over models",
        "Correlations: z test on Fisher's scale, for as many models as share no vectors. All runs "
        "and base models vary the points.",
    ),
    ScoreClaim: _Style(
        plain,
        plain,
        _signed_score,
        "runs",
        "scores",
        "Scores: t test. The error of the paper over test items is ours, for its number of items; "
        "with an unknown number, only rounding. Both have the variance between our runs.",
    ),
    ColumnCountClaim: _Style(
        plain,
        plain,
        _signed_score,
        "columns",
        "columns of a table",
        "Counts of columns in which a model is best or worst alone, on the columns with the "
        "paper's own dataset in both. The errors are those of the scores, by a parametric "
        "bootstrap that treats them as independent; the margin is one column.",
    ),
    OrderClaim: _Style(
        signed_points,
        points,
        signed_points,
        "trials",
        "order of models",
        "An order of two models agrees or differs if our difference is significant after the "
        "correction, and is undecided otherwise.",
    ),
    SignificanceClaim: _Style(
        _signed_percent,
        _signed_percent,
        _signed_percent,
        "items",
        "significant differences",
        "A printed significant difference agrees or differs if ours is significant after the "
        "correction, and is undecided otherwise.",
    ),
    PredictorClaim: _Style(
        correlation,
        correlation,
        correlation,
        "independent models",
        "difference of two correlations",
        "Differences of two correlations: intervals for dependent correlations (Zou), ours and the "
        "paper's.",
    ),
    RankClaim: _Style(
        _rank,
        _rank,
        _rank,
        "datasets",
        "mean ranks of embeddings, from 0",
        "Ranks: groups of embeddings without a significant difference by one-way ANOVA, from 0, "
        "the mean over datasets with the 95 % CI over datasets.",
    ),
    CurveScoreClaim: _Style(
        plain,
        plain,
        _signed_score,
        "training items",
        "accuracy in percent, the best over embeddings",
        "Accuracies: the highest mean over repeats among the embeddings; the note names it.",
    ),
    ModelOrderClaim: _Style(
        _signed_score,
        _signed_score,
        _signed_score,
        "repeats",
        "order of supervised models, in percentage points",
        "An order of two supervised models: corrected resampled t-test of their difference at "
        "100 % of the training items, the mean over embeddings. It agrees or differs if the "
        "difference is significant after the correction.",
    ),
    ConsistencyClaim: _Style(
        _three,
        _three,
        _three,
        "terms",
        "consistency",
        "Consistency: means over terms with the 95 % CI over terms. Mean cosines on the texts of "
        "the paper are compared; the paper prints no spread, so both have ours.",
    ),
    TermModelOrderClaim: _Style(
        _three,
        _three,
        _three,
        "terms",
        "order of models of terms, difference of the mean cosines",
        "An order of two models of terms: paired t-test of their cosines over terms.",
    ),
    SizeOrderClaim: _Style(
        _three,
        _three,
        _three,
        "steps",
        "order of sizes of samples, smallest step of the mean cosine",
        "An order of sizes: the least significant step between successive sizes, as if they had "
        "different terms; all steps must be significant.",
    ),
    FrequencyAccuracyClaim: _Style(
        plain,
        plain,
        _signed_score,
        "runs",
        "accuracy of predicting whether a word is frequent, in percent",
        "Accuracy of the frequency probe: the lowest over the thresholds of a range; t test with "
        "the error over words and between runs. Of a printed range, the value nearest to ours is "
        "compared.",
    ),
    FrequencyOrderClaim: _Style(
        _signed_score,
        _signed_score,
        _signed_score,
        "runs",
        "accuracy of predicting whether a word is frequent, in percentage points",
        "Above chance: the lowest accuracy over all thresholds minus 50. Slope: the change of the "
        "accuracy when the threshold grows tenfold, of the first model minus that of the second.",
    ),
    PowerLawClaim: _Style(
        _three,
        _three,
        correlation,
        "runs",
        "exponent of corpus rank on neighbour rank",
        "Exponents: t test with the error over query words and between runs; the error of the "
        "paper over query words is ours, for its number of them.",
    ),
    JudgmentOrderClaim: _Style(
        _three,
        _three,
        _three,
        "query words",
        "order of models by people",
        "People: the difference of two scores agrees or differs if it is significant after the "
        "correction, by the test of a study that holds for other judges and query words.",
    ),
    JudgmentContrastClaim: _Style(
        _three,
        _three,
        _three,
        "query words",
        "difference between kinds of items by people",
        "People: the difference of a model's scores on two kinds of items, z test.",
    ),
    JudgmentEqualityClaim: _Style(
        _three,
        _three,
        _three,
        "query words",
        "equal scores on two kinds of items by people",
        "People: equal scores on two kinds of items agree if the difference is within the margin.",
    ),
    RankingClaim: _Style(
        correlation,
        correlation,
        correlation,
        "independent models",
        "rank correlation with the printed ranking",
        "A ranking agrees or differs if its rank correlation with ours is significant after the "
        "correction, and is undecided otherwise.",
    ),
}


def verdict_sentence(verdicts: Sequence[Verdict]) -> str:
    """Summarise the verdicts on the claims of a paper."""
    number = Counter(each.verdict for each in verdicts)
    found = [f"{word} {number[word]}" for word in WORDS if number[word]]
    text = f"Verdicts on {counted(len(verdicts), 'claim')} of the paper: {listed(found)}."
    imprecise = sum(each.verdict == "undecided" and not each.can_agree for each in verdicts)
    if not imprecise:
        return text
    return (
        f"{text} Of the undecided claims, {imprecise} cannot agree with any result: the 90 % CI of "
        "the printed number itself is wider than the margin."
    )


def claims_section(verdicts: Sequence[Verdict], vocabulary: int | None = None) -> Section:
    """Return the section on the claims of a paper, with the rule for their verdicts."""
    kinds = dict.fromkeys(type(each.claim) for each in _judged(verdicts))
    text = (verdict_sentence(verdicts), _RULE, *(_STYLES[kind].meaning for kind in kinds))
    tables = [*claims_tables(verdicts, vocabulary), *not_judged_tables(verdicts)]
    return Section("Claims of the paper", text, tuple(tables))


def _judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [each for each in verdicts if each.verdict != "not run"]


def claims_tables(verdicts: Sequence[Verdict], vocabulary: int | None = None) -> Iterator[Table]:
    """Return a table for each table of the paper and kind of claim."""
    groups: dict[tuple[str, type[Claim]], list[Verdict]] = {}
    for each in _judged(verdicts):
        groups.setdefault((each.claim.table, type(each.claim)), []).append(each)
    for (name, kind), group in groups.items():
        words = f", vocabulary of {count(vocabulary)} words" if vocabulary else ""
        detail = words if kind is ScoreClaim else ""
        caption = f"{_capital(name)}: {_STYLES[kind].title}{_margin(group)}{detail}"
        yield claims_table(group, caption)


def _margin(verdicts: Sequence[Verdict]) -> str:
    """Return the equivalence margin of a group of claims."""
    margin = next((each.margin for each in verdicts if each.margin is not None), None)
    if margin is None:
        return ""
    gap = _style(verdicts[0].claim).gap
    return f", equivalence margin ±{gap(margin).lstrip('+')}"


def _style(claim: Claim) -> _Style:
    """Return the style of a claim; a score has as many decimals as the printed one."""
    style = _STYLES[type(claim)]
    if not isinstance(claim, ScoreClaim) or claim.decimals == 1:
        return style
    digits = claim.decimals

    def unsigned(value: float | None) -> str:
        return signed(value, digits).removeprefix("+")

    return style._replace(value=unsigned, bound=unsigned, gap=partial(signed, digits=digits))


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
    "dimension (paper)", _OURS, "ours", "trials", "independent models", "runs", "p", "p (Holm)",
    "matching trials", "items covered", "items (paper)", "items",
}  # fmt: skip


def _cells(each: Verdict) -> dict[str, str]:
    """Return the cells of a claim by column title."""
    claim, style = each.claim, _style(each.claim)
    labels = {("dimension (paper)" if name == "dimension" else name): shown(text, 80)
              for name, text in claim.labels.items()}  # fmt: skip
    if each.dimension is not None:
        labels[_OURS] = str(each.dimension)
    is_score = isinstance(claim, ScoreClaim)
    return {
        **labels,
        "paper": shown(claim.text, _LONG),
        "ours": style.value(each.ours.value),
        "verdict": each.verdict,
        "paper, 95 % CI": _paper_interval(each.paper, style),
        "ours, 95 % CI": interval_of(each.ours, style.bound),
        "difference (90 % CI)": with_interval(each.difference, style.gap),
        "p": p_value(each.p_value),
        "p (Holm)": p_value(each.p_holm),
        style.sample: str(each.ours.n) if each.ours.n else MISSING,
        "items covered": fraction(*each.covered) if each.covered else MISSING,
        "items (paper)": count(each.paper.n) if is_score and each.paper.n else MISSING,
        "matching trials": percent(each.matching_trials),
        **{
            name: f"{with_interval(found, _secondary(claim, style))}, n = {found.n}"
            for name, found in each.secondary.items()
        },
        "note": shown(each.reason or claim.note, _LONG),
    }


def _secondary(claim: Claim, style: _Style) -> Callable[[float | None], str]:
    """Return the format of secondary estimates."""
    own = isinstance(claim, FrequencyAccuracyClaim | PowerLawClaim | ColumnCountClaim)
    return style.value if own else correlation


def _paper_interval(paper: Estimate, style: _Style) -> str:
    found = interval_of(paper._replace(state=""), style.bound)
    return f"{found} ({paper.state})" if paper.state and found != MISSING else found


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
