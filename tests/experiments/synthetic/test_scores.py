"""Scores of stored predictions: accuracies, intervals over trials, facets, comparisons."""

import numpy as np
import pytest
from scipy.stats import beta, binomtest, t
from sklearn.metrics import accuracy_score, precision_score, recall_score

from lexiscope.core.contracts.probe import ProbePredictions
from lexiscope.experiments.synthetic import sweep
from lexiscope.experiments.synthetic.results import ProbeScore
from lexiscope.experiments.synthetic.scores import ProbeColumn, accuracy_of, score
from lexiscope.papers.claims import OrderClaim
from lexiscope.papers.reproduce import judge, plan_for
from lexiscope.papers.schema import load
from lexiscope.store.store import ProbeRecord, Store, TrialRecord

TRIALS = 12
PLAN = plan_for(
    "s0", criteria=["nonconflation"], models=["PPMI", "SKIP"], trials=TRIALS, sentences=50
)
GOLD = ("no", "no", "yes", "yes")
ITEMS = ("v3", "v4", "w3", "w4")
BLANK = ProbeScore("c", "s", "v", "m", None, None, None, None, 0, 0)


def predictions_of(model, number):
    """PPMI predicts no for every word; SKIP is correct except in every third trial."""
    if model == "PPMI":
        return ("no",) * 4
    return ("no", "yes", "yes", "no") if number % 3 == 0 else GOLD


@pytest.fixture(scope="module")
def found():
    with Store() as store:
        for batch in sweep.batches(PLAN):
            for job in batch.jobs:
                predicted = predictions_of(job.model.name, batch.trial.number)
                store.add_trial(*recorded(batch, job, ProbePredictions(ITEMS, predicted, GOLD)))
        return score(PLAN, store)


def recorded(batch, job, predictions):
    trial = batch.trial
    rows = tuple(zip(predictions.items, predictions.predicted, predictions.gold, strict=True))
    first = job.id, trial.grammar.fingerprint, {}, 50, 0, trial.number
    return TrialRecord(*first, "c", "t", 1, {}, "v", 0.1, {}), [
        ProbeRecord(p.id, job.id, p.target, p.probe.space, p.probe.name, 1, {}, rows)
        for p in job.probes
    ]


def main(found, model):
    return found.rows("nonconflation", model=model, probe="subspace", main=True)[0]


def test_accuracies(found):
    assert main(found, "PPMI").value == 0.5
    assert main(found, "SKIP").value == pytest.approx((8 * 4 + 4 * 2) / 48)
    assert main(found, "SKIP").trials == TRIALS
    assert main(found, "SKIP").items == 4 * TRIALS
    assert main(found, "SKIP").trial_accuracies == (0.5, 1.0, 1.0) * 4


def test_the_sampling_unit_of_the_interval_is_the_trial(found):
    hits = np.array(
        [predictions_of("SKIP", k)[i] == GOLD[i] for k in range(TRIALS) for i in range(4)]
    )
    proportion, items = hits.mean(), len(hits)
    means = hits.reshape(TRIALS, 4).mean(axis=1)
    over_trials = means.std(ddof=1) / np.sqrt(TRIALS)
    over_items = hits.std(ddof=1) / np.sqrt(items)
    design = over_trials / over_items * t.ppf(0.975, TRIALS - 1) / 1.959963984540054
    effective = items / design**2
    correct, wrong = proportion * effective + 0.5, (1 - proportion) * effective + 0.5

    ours = main(found, "SKIP")

    assert effective < items / 1.5
    assert ours.low == pytest.approx(beta.ppf(0.025, correct, wrong))
    assert ours.high == pytest.approx(beta.ppf(0.975, correct, wrong))


def test_the_interval_of_a_perfect_accuracy_depends_on_the_number_of_trials():
    column = ProbeColumn(*(np.array(["yes"] * 40, object) for _ in range(3)), np.arange(40) // 4)

    ours = accuracy_of(BLANK, column)

    assert ours.high == 1.0
    assert ours.low == pytest.approx(beta.ppf(0.025, 10.5, 0.5))
    assert ours.low < binomtest(40, 40).proportion_ci().low  # 40 independent words


def test_one_trial_has_a_score_but_no_interval():
    column = ProbeColumn(
        np.array(["a", "b"], object), np.array(["yes", "no"], object),
        np.array(["yes", "yes"], object), np.zeros(2, np.int64),
    )  # fmt: skip

    ours = accuracy_of(BLANK, column)

    assert (ours.value, ours.low) == (0.5, None)
    assert ours.state == "one trial is not enough for an interval"


def test_accurate_is_precision_and_consistent_is_recall(found):
    facets = {(f.model, f.label): f for f in found.facets}
    predicted = [predictions_of("SKIP", k)[i] for k in range(TRIALS) for i in range(4)]
    gold = list(GOLD) * TRIALS

    for label in ("yes", "no"):
        skip = facets["SKIP", label]
        assert skip.accurate.value == precision_score(gold, predicted, pos_label=label)
        assert skip.consistent.value == recall_score(gold, predicted, pos_label=label)
    assert facets["PPMI", "yes"].accurate.value is None  # predicted for no word
    assert facets["PPMI", "yes"].consistent.value == 0
    assert accuracy_score(gold, predicted) == pytest.approx(main(found, "SKIP").value)


def test_two_models_are_compared_trial_by_trial(found):
    (comparison,) = found.comparisons

    assert (comparison.first, comparison.second) == ("PPMI", "SKIP")
    assert comparison.difference == pytest.approx(0.5 - 40 / 48)
    # PPMI is worse in 8 of 12 trials and equal in the others: the signs of 8 trials count.
    assert comparison.p == pytest.approx(2 * 2.0**-8)
    assert comparison.p_holm == comparison.p
    assert comparison.significant


@pytest.mark.parametrize(
    ("model", "verdict", "matching"), [("PPMI", "undecided", 1.0), ("SKIP", "undecided", 8 / 12)]
)
def test_claims_are_judged_by_the_scores_and_the_single_trials(found, model, verdict, matching):
    ours = next(v for v in judge(load("s0"), found) if v.claim.row == model)

    assert ours.verdict == verdict
    assert ours.matching_trials == pytest.approx(matching)
    assert ours.ours.value == main(found, model).value


def test_an_order_is_judged_in_the_direction_of_the_claim(found):
    import msgspec

    names = ("PPMI", "SKIP"), ("SKIP", "PPMI")
    claims = tuple(
        OrderClaim(table="text", row=better, column="nonconflation", below=worse)
        for worse, better in names
    )
    right, wrong = judge(msgspec.structs.replace(load("s0"), claims=claims), found)

    assert right.verdict == "agrees"
    assert right.ours.value == pytest.approx(40 / 48 - 0.5)
    assert right.ours.low <= right.ours.value <= right.ours.high
    assert wrong.verdict == "differs"
    assert (wrong.ours.low, wrong.ours.high) == (-right.ours.high, -right.ours.low)


def test_claims_outside_the_selection_are_not_run_with_the_reason(found):
    reasons = {(v.claim.row, v.claim.column): v.reason for v in judge(load("s0"), found)}

    assert reasons["LBL", "nonconflation"] == "The model LBL was not selected."
    assert reasons["PPMI", "sparseness"] == "The criterion sparseness was not selected."
