"""Claims about word frequency in vectors: statistics by hand, and verdicts on planted values."""

import numpy as np
import pytest
from scipy.stats import linregress, norm, ttest_1samp, ttest_ind

from lexiscope.core.estimate import Estimate
from lexiscope.experiments.correlation.plan import NotRun
from lexiscope.experiments.inspection.results import FrequencyProbe, NeighbourRanks, ProbePoint
from lexiscope.papers.claims import FrequencyAccuracyClaim, FrequencyOrderClaim, PowerLawClaim
from lexiscope.papers.frequency import (
    INVERSE,
    Frequency,
    FrequencyRun,
    Statistic,
    judge_accuracy,
    judge_order,
    judge_power_law,
    lowest_accuracy,
    slope,
)
from lexiscope.papers.verdicts import Margins, decide

THRESHOLDS = (10, 100, 1000)
NOWHERE = NeighbourRanks(
    0, 0, (), Estimate(None), None, Estimate(None), None, None, None, "too few query words"
)


def ranks(exponent, inverse=0.3, half=0.02):
    found = Estimate(exponent, exponent - half, exponent + half)
    other = Estimate(inverse, inverse - half, inverse + half)
    return NeighbourRanks(400, 1000, (), found, 900.0, other, 2.0, 0.8, 5000.0)


def run(model, accuracies, number=1, half=0.01, near=NOWHERE):
    points = tuple(
        ProbePoint(t, 400, Estimate(v, v - half, v + half), 0.01, Estimate(0.5), None, 0.9)
        for t, v in zip(THRESHOLDS, accuracies, strict=True)
    )
    return FrequencyRun(model, number, FrequencyProbe(points), near)


def frequency(*runs, missing=()):
    return Frequency(THRESHOLDS, runs, missing)


def points(*runs):
    return list(zip(*(each.probe.points for each in runs), strict=True))


def order(row="A", statistic="slope", below=""):
    return FrequencyOrderClaim(
        table="Figure 3", row=row, column="accuracy", statistic=statistic, below=below,
        printed="increases",
    )  # fmt: skip


def accuracy(row="A", lowest=100, highest=1000):
    return FrequencyAccuracyClaim(
        table="Figure 3", row=row, column="accuracy", low=95.0, high=100.0, lowest=lowest,
        highest=highest,
    )  # fmt: skip


def exponent(row="A"):
    return PowerLawClaim(table="Figure 4", row=row, column="exponent", value=0.17, queries=400)


def test_the_slope_is_that_of_a_least_squares_fit():
    found = slope(points(run("A", (0.6, 0.75, 0.8))))

    assert found.value == pytest.approx(linregress([1, 2, 3], [60, 75, 80]).slope)


def test_the_error_of_a_slope_is_that_of_simulated_accuracies():
    rng, error = np.random.default_rng(0), 100 * 0.02 / (2 * 1.959964)
    simulated = rng.normal([60, 75, 80], error, (20_000, 3))
    slopes = np.polynomial.polynomial.polyfit([1, 2, 3], simulated.T, 1)[1]

    assert slope(points(run("A", (0.6, 0.75, 0.8)))).error == pytest.approx(slopes.std(), rel=0.02)


def test_without_errors_over_words_the_tests_are_those_of_scipy():
    one, two = Statistic((3.0, 4.0, 6.0), 0.0), Statistic((1.0, 1.5, 1.2), 0.0)

    expected = ttest_ind(one.values, two.values, equal_var=False)
    assert one.minus(two).tested()[1] == pytest.approx(expected.pvalue)
    assert one.minus(two).freedom == pytest.approx(expected.df)
    assert one.above(2.0).tested()[1] == pytest.approx(ttest_1samp(one.values, 2.0).pvalue)


def test_of_a_single_run_the_test_is_a_z_test():
    estimate, p = Statistic((53.0,), 1.5).above(50.0).tested()

    assert p == pytest.approx(2 * norm.sf(2.0))
    assert (estimate.low, estimate.high) == pytest.approx((3 - 1.959964 * 1.5, 3 + 1.959964 * 1.5))


def test_the_lowest_accuracy_is_that_of_the_mean_over_runs():
    found = lowest_accuracy(points(run("A", (0.6, 0.9, 0.7)), run("A", (0.8, 0.9, 0.5), 2)))

    assert found.values == pytest.approx((70.0, 50.0))


def test_above_chance_is_decided_by_the_lowest_accuracy():
    found = frequency(run("A", (0.9, 0.52, 0.8)), run("B", (0.9, 0.45, 0.8)))
    above, below = decide([judge_order(order(n, "above chance"), found) for n in ("A", "B")])

    assert (above.verdict, below.verdict) == ("agrees", "differs")
    assert above.ours.value == pytest.approx(2.0)


def test_a_rise_is_compared_between_models():
    found = frequency(run("A", (0.6, 0.7, 0.9)), run("B", (0.9, 0.9, 0.8)))
    rises, falls, more, same = decide(
        [judge_order(each, found) for each in (
            order("A"), order("B"), order("A", below="B"), order("A", below="A"))]
    )  # fmt: skip

    assert (rises.verdict, falls.verdict, more.verdict) == ("agrees", "differs", "agrees")
    assert more.ours.value == pytest.approx(rises.ours.value - falls.ours.value)
    assert (same.verdict, same.ours.value) == ("undecided", 0.0)


def test_a_printed_range_agrees_with_a_value_in_it_and_differs_from_one_far_below():
    found = frequency(run("A", (0.5, 0.97, 0.98)), run("B", (0.99, 0.7, 0.99)))
    inside, outside = decide(
        [judge_accuracy(accuracy(name), found, Margins()) for name in ("A", "B")]
    )

    assert (inside.verdict, inside.difference.value) == ("agrees", 0.0)
    assert inside.secondary["at the lowest threshold, 10"].value == pytest.approx(50.0)
    assert (outside.verdict, outside.ours.value) == ("differs", pytest.approx(70.0))
    assert outside.paper.value == 95.0


def test_without_a_threshold_in_the_range_a_claim_is_not_run():
    found = frequency(run("A", (0.9, 0.9, 0.9)))
    verdict = judge_accuracy(accuracy("A", 5000, 50_000), found, Margins())

    assert verdict.verdict == "not run"
    assert "No threshold of this range has enough words" in verdict.reason
    assert judge_order(order("Z"), found).reason == "The model was not inspected."


def test_the_exponent_is_compared_in_one_direction_and_shown_in_both():
    runs = [run("A", (0.9,) * 3, n, near=ranks(e)) for n, e in ((1, 0.16), (2, 0.18), (3, 0.17))]
    (verdict,) = decide([judge_power_law(exponent(), frequency(*runs), Margins())])

    assert (verdict.verdict, verdict.ours.value) == ("agrees", pytest.approx(0.17))
    assert verdict.secondary[INVERSE].value == pytest.approx(0.3)
    far = frequency(run("A", (0.9,) * 3, near=ranks(0.4)))
    assert decide([judge_power_law(exponent(), far, Margins())])[0].verdict == "differs"


def test_without_query_words_the_reason_is_that_of_the_measurement():
    few = frequency(run("A", (0.9,) * 3))
    absent = frequency(run("A", (0.9,) * 3), missing=(NotRun("neighbour ranks", "no ws353"),))

    assert judge_power_law(exponent(), few, Margins()).reason == "too few query words"
    assert judge_power_law(exponent(), absent, Margins()).reason == "no ws353"
