"""The rule for verdicts: significant, equivalent or undecided, corrected over a paper."""

from dataclasses import replace

import pytest

from lexiscope.papers.agreement import Agreement, ScoreSample
from lexiscope.papers.claims import (
    CorrelationClaim,
    OrderClaim,
    ProportionClaim,
    ScoreClaim,
    SignificanceClaim,
)
from lexiscope.papers.verdicts import WORDS, Estimate, Verdict, compared, decide, unknown
from lexiscope.report.papers.claims import claims_table, claims_tables, verdict_sentence

SCORE = ScoreClaim(table="Table 2", row="m", column="e", value=40.3, dimension=300)
ORDER = OrderClaim(table="text", row="m", below="n", column="c")


def judged(p, low=-5.0, high=5.0, claim=SCORE, min_p=0.0):
    paper = ScoreSample(40.3, 0.1)
    found = Agreement(paper, paper, (low + high) / 2, low, high, p, min_p)
    return compared(Verdict(claim, "undecided", Estimate(40.3)), found, margin=2.0)


def words(*verdicts):
    return [each.verdict for each in decide(verdicts)]


@pytest.mark.parametrize(
    ("p", "low", "high", "verdict"),
    [
        (0.01, -9.0, -5.0, "differs"),
        (0.5, -1.9, 1.5, "agrees"),
        (0.5, -2.1, 1.5, "undecided"),
        (0.04, 0.1, 1.5, "differs"),  # significant wins, however small the difference is
    ],
)
def test_a_number_differs_agrees_or_is_undecided(p, low, high, verdict):
    assert words(judged(p, low, high)) == [verdict]
    assert verdict in WORDS


def test_holms_correction_is_over_all_claims_of_the_paper():
    assert words(judged(0.03)) == ["differs"]
    assert words(judged(0.03), judged(0.5)) == ["undecided", "undecided"]
    assert words(judged(0.01), judged(0.5))[0] == "differs"
    assert [each.p_holm for each in decide([judged(0.01), judged(0.5)])] == [0.02, 0.5]


def test_a_claim_that_cannot_be_significant_does_not_count_for_the_correction():
    assert words(judged(0.03), judged(0.5, min_p=0.2))[0] == "differs"


def test_a_claim_that_is_not_judged_does_not_count_for_the_correction():
    misprint = unknown(judged(0.001), "A misprint.")

    found = decide([judged(0.03), misprint, Verdict(SCORE, "not run", reason="No data.")])

    assert [each.verdict for each in found] == ["differs", "unknown", "not run"]
    assert found[1].reason == "A misprint."


@pytest.mark.parametrize(
    ("difference", "p", "verdict"),
    [
        (0.1, 0.01, "agrees"),
        (-0.1, 0.01, "differs"),
        (0.1, 0.2, "undecided"),
        (None, None, "undecided"),
    ],
)
def test_an_order_is_judged_by_the_sign_of_a_significant_difference(difference, p, verdict):
    significance = SignificanceClaim(table="T", row="m", below="n", column="e", value=0.01)

    for claim in (ORDER, significance):
        assert words(Verdict(claim, "undecided", Estimate(difference), p_value=p)) == [verdict]


@pytest.mark.parametrize(
    ("value", "trials", "each"),
    [(0.5, 1, True), (1.0, 10, True), (0.0, 50, True), (0.5, 10, False)],
)
def test_a_claim_holds_for_each_trial_if_there_is_one_or_if_all_or_none_are_correct(
    value, trials, each
):
    claim = ProportionClaim(table="text", row="m", column="c", value=value, trials=trials)

    assert claim.holds_for_each_trial is each


def correlation(**more):
    names = {"metric": "pearson", "predictor": "A", "target": "B", "dimension": 300, "points": 11}
    return CorrelationClaim(table="Table 3", row="r", column="B", value=0.5, **names, **more)


def test_a_table_has_both_uncertainties_the_difference_and_the_p_values():
    verdicts = [
        Verdict(
            correlation(), "undecided", Estimate(0.55, 0.4, 0.7, 11), dimension=50,
            paper=Estimate(0.5, 0.3, 0.65, 7), difference=Estimate(0.05, -0.2, 0.3), p_value=0.8,
            p_holm=1.0,
        ),
        Verdict(correlation(note="Printed twice."), "unknown", reason="Too few models."),
    ]  # fmt: skip

    table = claims_table(verdicts, "Table 3")

    assert table.head == (
        "predictor", "target", "dimension (paper)", "dimension (ours)", "paper", "ours", "verdict",
        "paper, 95 % CI", "ours, 95 % CI", "difference (90 % CI)", "p", "p (Holm)",
        "independent models", "note",
    )  # fmt: skip
    assert table.rows[0] == (
        "A", "B", "300", "50", "0.50", "+0.55", "undecided", "+0.30 to +0.65", "+0.40 to +0.70",
        "+0.05 (-0.20 to +0.30)", "0.800", "1.000", "11", "",
    )  # fmt: skip
    assert table.rows[1][-1] == "Too few models."


def test_a_table_of_scores_has_items_coverage_vocabulary_margin_and_what_the_error_lacks():
    paper = Estimate(40.3, 40.2, 40.4, 0, "rounding only")
    known = replace(judged(0.5), paper=paper._replace(n=4199, state=""), covered=(3990, 4199))

    (table,) = claims_tables([known, replace(judged(0.5), paper=paper)], vocabulary=39542)
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]

    assert table.caption == ("Table 2: scores, equivalence margin ±2.0, vocabulary of 39,542 words")
    assert rows[0]["items covered"] == "3,990/4,199"
    assert rows[0]["items (paper)"] == "4,199"
    assert rows[1]["paper, 95 % CI"] == "40.2 to 40.4 (rounding only)"


def test_a_score_is_shown_with_the_decimals_of_the_paper():
    claim = ScoreClaim(table="4", row="m", column="e", value=93.9, dimension=50, decimals=2)

    table = claims_table([Verdict(claim, "undecided", Estimate(93.857, 93.5, 94.2, 1))], "4")

    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["paper"], row["ours"], row["ours, 95 % CI"]) == ("93.90", "93.86", "93.50 to 94.20")


def test_the_sentence_counts_every_verdict_and_the_claims_that_cannot_agree():
    verdicts = [Verdict(correlation(), word) for word in ("agrees", "not run", "agrees")]

    assert (
        verdict_sentence(verdicts) == "Verdicts on 3 claims of the paper: agrees 2 and not run 1."
    )
    imprecise = Verdict(correlation(), "undecided", can_agree=False)
    assert verdict_sentence([imprecise]).endswith(
        "the printed number itself is wider than the margin."
    )
