"""The rules for verdicts, each by hand."""

import pytest

from lexiscope.papers.claims import (
    WORDS,
    CorrelationClaim,
    Estimate,
    ProportionClaim,
    ScoreClaim,
    Verdict,
    judge_correlation,
    judge_order,
    judge_proportion,
    judge_score,
)
from lexiscope.report.papers.claims import claims_table, verdict_sentence

CLOSE = ProportionClaim(table="text", row="m", column="c", low=0.95, high=1.0, trials=50)


def with_trials(trials):
    return ProportionClaim(table="text", row="m", column="c", low=0.95, high=1.0, trials=trials)


@pytest.mark.parametrize(
    ("low", "high", "matching", "trials", "verdict"),
    [
        (0.9, 1.0, None, 50, "agrees"),
        (0.5, 1.0, None, 50, "inconclusive"),
        (0.2, 0.4, 0.5, 1, "possible"),
        (0.2, 0.4, None, 50, "differs"),
        (0.2, 0.4, 0.04, 1, "differs"),
        (0.2, 0.4, 0.98, 10, "possible"),  # 0.98 ** 10 = 0.82
        (0.2, 0.4, 0.7, 10, "differs"),  # 0.7 ** 10 = 0.03
        (0.2, 0.7, 0.0, 1, "inconclusive"),  # too wide to differ
    ],
)
def test_a_proportion_is_judged_by_overlap_precision_and_matching_trials(
    low, high, matching, trials, verdict
):
    ours = Estimate((low + high) / 2, low, high, 50)

    assert judge_proportion(with_trials(trials), ours, matching) == verdict


def test_a_proportion_without_a_value_is_unknown():
    assert judge_proportion(CLOSE, Estimate(), None) == "unknown"


@pytest.mark.parametrize(
    ("value", "trials", "each"),
    [(0.5, 1, True), (1.0, 10, True), (0.0, 50, True), (0.5, 10, False)],
)
def test_a_claim_holds_for_each_trial_if_there_is_one_or_if_all_or_none_are_correct(
    value, trials, each
):
    claim = ProportionClaim(table="text", row="m", column="c", value=value, trials=trials)

    assert claim.holds_for_each_trial is each


@pytest.mark.parametrize(
    ("ours", "printed", "p_value", "bases", "verdict"),
    [
        ((0.8, 0.6, 0.9), 0.7, 0.5, (0.8, 0.2, 0.9), "agrees"),
        ((0.5, -0.2, 0.9), 0.7, 0.5, (0.8, 0.2, 0.9), "inconclusive"),
        ((0.8, 0.6, 0.9), 0.5, 0.2, (0.8, 0.6, 0.9), "possible"),
        ((0.8, 0.6, 0.9), 0.1, 0.01, (0.4, -0.2, 0.9), "possible"),
        ((0.8, 0.6, 0.9), 0.1, 0.01, (0.8, 0.2, 0.9), "differs"),
        ((0.8, None, None), 0.1, None, (0.8, None, None), "unknown"),
    ],
)
def test_a_correlation_is_judged_by_intervals_and_the_p_value_of_the_difference(
    ours, printed, p_value, bases, verdict
):
    found = judge_correlation(printed, Estimate(*ours, 11), p_value, Estimate(*bases, 7))

    assert found == verdict
    assert verdict in WORDS


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (40.0, 41.0, "agrees"),
        (40.34, 41.0, "agrees"),
        (40.4, 41.0, "differs"),
        (None, None, "unknown"),
    ],
)
def test_a_score_is_judged_by_its_interval_up_to_rounding(low, high, verdict):
    claim = ScoreClaim(table="Table 2", row="m", column="e", value=40.3, dimension=300)

    assert judge_score(claim, Estimate(40.5, low, high), rounding=0.05) == verdict


@pytest.mark.parametrize(
    ("difference", "significant", "verdict"),
    [
        (0.1, True, "agrees"),
        (-0.1, True, "differs"),
        (0.1, False, "inconclusive"),
        (None, False, "inconclusive"),
        (None, None, "unknown"),
    ],
)
def test_an_order_is_judged_by_the_sign_of_a_significant_difference(
    difference, significant, verdict
):
    assert judge_order(difference, significant) == verdict


def correlation(**more):
    names = {"metric": "pearson", "predictor": "A", "target": "B", "dimension": 300, "points": 11}
    return CorrelationClaim(table="Table 3", row="r", column="B", value=0.5, **names, **more)


def test_one_table_serves_all_claims_and_leaves_out_empty_columns():
    verdicts = [
        Verdict(correlation(), "agrees", Estimate(0.55, 0.4, 0.7, 11), dimension=50, p_value=0.8),
        Verdict(correlation(note="Printed twice."), "unknown", reason="Too few models."),
    ]

    table = claims_table(verdicts, "Table 3")

    assert table.head == (
        "predictor", "target", "dimension (paper)", "dimension (ours)", "paper", "ours", "95 % CI",
        "verdict", "models", "p (difference)", "note",
    )  # fmt: skip
    assert table.rows[0] == (
        "A", "B", "300", "50", "0.50", "+0.55", "+0.40 to +0.70", "agrees", "11", "0.800", "",
    )  # fmt: skip
    assert table.rows[1][-1] == "Too few models."


def test_the_sentence_counts_every_verdict():
    verdicts = [Verdict(correlation(), word) for word in ("agrees", "not run", "agrees")]

    assert (
        verdict_sentence(verdicts) == "Verdicts on 3 claims of the paper: agrees 2 and not run 1."
    )
