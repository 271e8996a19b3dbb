"""What is made of replies: shares, intervals over trials, facets, verdicts, orders."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, binomtest, t
from sklearn.metrics import accuracy_score, precision_score, recall_score

from lexiscope.bench import measuring, studyfile, sweep, verdicts
from lexiscope.bench.replies import Replied
from lexiscope.bench.studied import Found
from lexiscope.bench.studyplan import Published
from lexiscope.core.study import Replies
from lexiscope.store.store import Store

TRIALS = 12
PLAN = studyfile.of_paper(
    "s0", criteria=["nonconflation"], models=["PPMI", "SKIP"], trials=TRIALS, sentences=50
)
GOLD = ("no", "no", "yes", "yes")


def replies_of(model, number):
    """PPMI says no to all; SKIP is right in all but every third trial."""
    if model == "PPMI":
        return ("no",) * 4
    return ("no", "yes", "yes", "no") if number % 3 == 0 else GOLD


@pytest.fixture(scope="module")
def found():
    with Store() as store:
        for batch in sweep.batches(PLAN):
            for order in batch.orders:
                given = replies_of(order.model.name, batch.place.number)
                store.add_trial(
                    *recorded(batch, order, Replies(("v3", "v4", "w3", "w4"), given, GOLD))
                )
        return measuring.measured(PLAN, store)  # fmt: skip


def recorded(batch, order, replies):
    from lexiscope.store.store import ProbeRecord, TrialRecord

    place, rows = batch.place, tuple(zip(replies.items, replies.given, replies.gold, strict=True))
    made = order.trial, place.grammar.fingerprint, {}, 50, 0, place.number
    trial = TrialRecord(*made, "c", "t", 1, {}, "v", 0.1, {})
    return trial, [
        ProbeRecord(a.id, order.trial, a.question, a.probe.space, a.probe.name, 1, {}, rows)
        for a in order.asked
    ]


def main(found, model):
    return found.rows("nonconflation", model=model, study="subspace", main=True)[0]


def test_shares_of_right_answers(found):
    assert main(found, "PPMI").value == 0.5
    assert main(found, "SKIP").value == pytest.approx((8 * 4 + 4 * 2) / 48)
    assert main(found, "SKIP").trials == TRIALS
    assert main(found, "SKIP").items == 4 * TRIALS


def test_the_interval_counts_trials_not_words(found):
    hits = np.array([replies_of("SKIP", k)[i] == GOLD[i] for k in range(TRIALS) for i in range(4)])
    share, items = hits.mean(), len(hits)
    means = hits.reshape(TRIALS, 4).mean(axis=1)
    over_trials = means.std(ddof=1) / np.sqrt(TRIALS)
    alone = hits.std(ddof=1) / np.sqrt(items)
    stretch = over_trials / alone * t.ppf(0.975, TRIALS - 1) / 1.959963984540054
    worth = items / stretch**2
    right, wrong = share * worth + 0.5, (1 - share) * worth + 0.5

    ours = main(found, "SKIP")

    assert worth < items / 1.5
    assert ours.low == pytest.approx(beta.ppf(0.025, right, wrong))
    assert ours.high == pytest.approx(beta.ppf(0.975, right, wrong))


def test_all_right_in_every_trial_is_as_sure_as_so_many_trials():
    column = Replied(*(np.array(["yes"] * 40, object) for _ in range(3)), np.arange(40) // 4)
    blank = replace(Found("c", "s", "v", "m", None, None, None, None, 0, 0))

    ours = measuring.share_of(blank, column)

    assert ours.high == 1.0
    assert ours.low == pytest.approx(beta.ppf(0.025, 10.5, 0.5))
    assert ours.low < binomtest(40, 40).proportion_ci().low  # words alone would seem surer


def test_one_trial_has_a_score_but_no_interval():
    column = Replied(
        np.array(["a", "b"], object), np.array(["yes", "no"], object),
        np.array(["yes", "yes"], object), np.zeros(2, np.int64),
    )  # fmt: skip
    blank = Found("c", "s", "v", "m", None, None, None, None, 0, 0)

    ours = measuring.share_of(blank, column)

    assert (ours.value, ours.low) == (0.5, None)
    assert ours.state == "one trial does not say how a score varies"


def test_accurate_is_precision_and_consistent_is_recall(found):
    facets = {(f.model, f.answer): f for f in found.facets}
    given = [replies_of("SKIP", k)[i] for k in range(TRIALS) for i in range(4)]
    gold = list(GOLD) * TRIALS

    for answer in ("yes", "no"):
        skip = facets["SKIP", answer]
        assert skip.accurate.value == precision_score(gold, given, pos_label=answer)
        assert skip.consistent.value == recall_score(gold, given, pos_label=answer)
    assert facets["PPMI", "yes"].accurate.value is None  # of no word it was said
    assert facets["PPMI", "yes"].consistent.value == 0
    assert accuracy_score(gold, given) == pytest.approx(main(found, "SKIP").value)


def test_two_models_are_compared_trial_by_trial(found):
    (comparison,) = found.comparisons

    assert (comparison.first, comparison.second) == ("PPMI", "SKIP")
    assert comparison.difference == pytest.approx(0.5 - 40 / 48)
    # In 8 of 12 trials PPMI has 2 answers fewer, in the others the same: signs of 8 trials count.
    assert comparison.p == pytest.approx(2 * 2.0**-8)
    assert comparison.p_holm == comparison.p
    assert comparison.real


@pytest.mark.parametrize(
    ("model", "verdict", "alike"), [("PPMI", "agrees", 1.0), ("SKIP", "possible", 8 / 12)]
)
def test_the_paper_is_set_beside_what_was_found(found, model, verdict, alike):
    ours = next(v for v in found.verdicts if v.published.model == model)

    assert ours.verdict == verdict
    assert ours.alike == pytest.approx(alike)


@pytest.mark.parametrize(
    ("low", "high", "alike", "trials", "verdict"),
    [
        (0.9, 1.0, None, 50, "agrees"),
        (0.5, 1.0, None, 50, "open"),
        (0.2, 0.4, 0.5, 1, "possible"),
        (0.2, 0.4, None, 50, "differs"),
        (0.2, 0.4, 0.04, 1, "differs"),
        (0.2, 0.4, 0.98, 10, "possible"),  # ten in a row: 0.82
        (0.2, 0.4, 0.7, 10, "differs"),  # 0.03
        (0.2, 0.7, 0.0, 1, "open"),  # nothing is said on so little
    ],
)
def test_words_of_a_verdict(low, high, alike, trials, verdict):
    said = Published("c", "m", "subspace", None, 0.95, 1.0, "close to 100 %", trials)
    ours = Found("c", "s", "v", "m", None, (low + high) / 2, low, high, 50, 250)

    assert verdicts.verdict_on(ours, said, alike) == verdict


def test_an_order_is_looked_at_from_the_side_of_the_better(found):
    both = ("PPMI", "SKIP"), ("SKIP", "PPMI")
    plan = replace(PLAN, orders=tuple(("nonconflation", models) for models in both))

    right, wrong = verdicts.orders(plan, found.comparisons)

    assert (right.worse, right.better, right.verdict) == ("PPMI", "SKIP", "agrees")
    assert right.comparison.difference == pytest.approx(40 / 48 - 0.5)
    assert right.comparison.low <= right.comparison.difference <= right.comparison.high
    assert wrong.verdict == "differs"
