"""The comparison of a printed number with ours: intervals and p-values, each by hand."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from math import atanh, comb, hypot, sqrt
from pathlib import Path

import pytest
from scipy.stats import fisher_exact, norm

from lexiscope.papers.agreement import (
    CorrelationSample,
    GapSample,
    ProportionSample,
    ScoreErrors,
    ScoreSample,
    compare_correlations,
    compare_gaps,
    compare_proportions,
    compare_scores,
    correlation_p,
    effective_words,
)


@pytest.fixture(scope="module")
def benchmark():
    path = Path(__file__).parents[2] / "benchmarks" / "claims.py"
    spec = spec_from_file_location("claims_benchmark", path)
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_wilsons_interval_of_a_proportion():
    low, high = ProportionSample(1.0, 10).interval()

    assert (round(low, 4), high) == (0.7225, 1.0)  # 10 / (10 + 1.96 ** 2)


def test_fishers_interval_of_a_correlation():
    low, high = CorrelationSample(0.88, 7, "pearson").interval()

    assert low == pytest.approx(0.376, abs=1e-3)  # atanh 1.376 -+ 1.96 / 2
    assert high == pytest.approx(0.982, abs=1e-3)


def test_words_of_a_trial_count_by_the_variance_between_trials():
    independent = [0.5] * 10 + [0.75] * 30 + [1.0] * 10

    assert effective_words(independent, 4) == 4  # never more than the words
    assert effective_words([0.0, 1.0] * 25, 4) == 1  # all right or all wrong
    assert effective_words([1.0] * 50, 4) == 1  # nothing is known
    assert effective_words([0.5] * 50, 4) == 4
    assert effective_words([0.5], 4) == 1


def test_ten_trials_without_an_error_do_not_contradict_an_error_in_fifty():
    ours = [1.0] * 49 + [0.8]  # the case of PPMI and multifacetedness

    found = compare_proportions(ours, 10, (1.0, 1.0), 10)

    assert found.p == 1.0
    assert found.difference == pytest.approx(-0.004)
    assert found.low < found.difference < found.high


def test_a_proportion_has_fishers_test_of_the_effective_numbers():
    ours = [0.0, 1.0] * 25  # one effective word per trial

    found = compare_proportions(ours, 4, (1.0, 1.0), 10)

    expected = fisher_exact([[25, 25], [10, 0]])[1]
    assert found.p == pytest.approx(expected)


def test_a_single_trial_has_no_smaller_p_value_than_its_permutations():
    found = compare_proportions([0.5] * 50, 20, (1.0, 1.0), 1)

    assert fisher_exact([[500, 500], [20, 0]])[1] < 1e-5
    assert found.p == found.min_p == 1 / comb(51, 1)


def test_of_a_printed_range_the_nearest_value_is_compared():
    assert compare_proportions([0.97] * 50, 100, (0.95, 1.0), 50).difference == 0
    assert compare_proportions([0.9] * 50, 100, (0.95, 1.0), 50).difference == pytest.approx(-0.05)


def test_a_correlation_has_a_z_test_with_both_standard_errors():
    found = compare_correlations(CorrelationSample(-0.87, 7, "pearson"), (0.74, 0.74), 7)

    z = (atanh(-0.87) - atanh(0.74)) / sqrt(1 / 4 + 1 / 4)
    assert found.p == pytest.approx(2 * norm.sf(abs(z)))
    assert found.difference == pytest.approx(-1.61)
    assert compare_correlations(CorrelationSample(0.5, 3, "pearson"), (0.5, 0.5), 7) is None


def test_a_difference_of_correlations_is_compared_with_the_printed_one():
    def gap(one, other):
        parts = (CorrelationSample(r, 7, "pearson") for r in (one, other))
        return GapSample(*parts, 0.5)

    same = compare_gaps(gap(0.8, 0.3), gap(0.8, 0.3))
    other = compare_gaps(gap(-0.9, 0.9), gap(0.8, 0.3))

    assert (same.difference, same.p) == (0, 1)
    assert other.difference == pytest.approx(-2.3)
    assert 0.05 < other.p < 0.1  # the 90 % interval excludes 0, the 95 % interval does not
    assert other.high < 0


def test_a_score_has_the_errors_of_both_samples():
    errors = ScoreErrors(ours=1.0, items=1.0, between_runs=0.0, runs=1, rounding=0.0)

    found = compare_scores(72.0, 80.0, errors)

    assert found.p == pytest.approx(2 * norm.sf(8 / sqrt(2)))
    assert found.low == pytest.approx(-8 - norm.ppf(0.95) * sqrt(2))


def test_the_variance_between_runs_enters_for_the_paper_too_and_has_few_degrees_of_freedom():
    errors = ScoreErrors(ours=0.0, items=None, between_runs=1.0, runs=3, rounding=0.0)

    found = compare_scores(71.0, 70.0, errors)

    assert found.paper == ScoreSample(70.0, 1.0, 2.0)
    assert found.ours.error == pytest.approx(1 / sqrt(3))
    assert hypot(found.ours.error, found.paper.error) == pytest.approx(sqrt(4 / 3))


def test_the_p_value_of_a_correlation_is_that_of_a_t_test():
    assert correlation_p(0.754, 7) == pytest.approx(0.05, abs=1e-3)  # the critical value of tables
    assert 0 < correlation_p(1.0, 7) < 1e-6


@pytest.mark.parametrize(
    "name",
    [
        "proportion 0.98, paper 10 trials, ours 50, clustering 0",
        "proportion 0.98, paper 10 trials, ours 50, clustering 1",
        "proportion 0.7, paper 10 trials, ours 50, clustering 0.3",
        "pearson 0.5, 7 models and 4 derived from them",
        "score, 3 runs, standard deviation between runs 0.5",
    ],
)
def test_the_same_truth_differs_in_at_most_five_percent(benchmark, name):
    scenario = next(each for each in benchmark.SCENARIOS if each.name == name)

    found = benchmark.rates(scenario, 400)

    assert found.differs <= 0.05 + 2 * sqrt(0.05 * 0.95 / 400)


def test_a_paper_has_a_wrong_difference_in_at_most_five_percent(benchmark):
    assert benchmark.page_rate(100) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 100)
