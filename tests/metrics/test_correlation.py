import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from lexiscope.core.errors import Undefined
from lexiscope.metrics.accuracy import accuracy, accuracy_all_items
from lexiscope.metrics.correlation import pearson, spearman

tied = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30)


@given(tied)
def test_correlations_equal_scipys_with_ties(rows):
    predicted, gold = np.array(rows, np.float64).T
    assume(np.ptp(predicted) > 0 and np.ptp(gold) > 0)

    assert spearman(predicted, gold) == pytest.approx(spearmanr(predicted, gold).statistic)
    assert pearson(predicted, gold) == pytest.approx(pearsonr(predicted, gold).statistic)


@given(tied)
def test_spearman_is_pearson_of_the_transformed_columns(rows):
    predicted, gold = np.array(rows, np.float64).T
    assume(np.ptp(predicted) > 0 and np.ptp(gold) > 0)

    assert spearman(predicted, gold) == pytest.approx(
        pearson(spearman.transform(predicted), spearman.transform(gold))
    )


def test_ties_have_the_average_rank():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    assert spearman(np.array([1, 5, 5, 9]), np.array([1, 2, 3, 4])) == pytest.approx(
        4.5 / 22.5**0.5
    )
    assert spearman.transform(np.array([1, 5, 5, 9])).tolist() == [1, 2.5, 2.5, 4]


def test_spearman_depends_only_on_the_order():
    gold = np.array([1.0, 2, 3, 10])

    assert spearman(np.exp(gold), gold) == pytest.approx(1)
    assert spearman(-gold, gold) == pytest.approx(-1)
    assert kendalltau(np.exp(gold), gold).statistic == pytest.approx(1)
    assert pearson(np.exp(gold), gold) < 1


@pytest.mark.parametrize("metric", [spearman, pearson], ids=lambda m: m.name)
@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        ([1, 2], [1, 2], "only 2 items are covered, at least 3 are needed"),
        ([], [], "only 0 items are covered"),
        ([1, 1, 1], [1, 2, 3], "the predictions are all equal"),
        ([1, 2, 3], [4, 4, 4], "the gold ratings are all equal"),
        ([0, 0, 0], [1, 2, 3], "the predictions are all equal"),
        ([1, 1 - 1e-16, 1 + 2e-16], [1, 2, 3], "the predictions are all equal"),
    ],
)
def test_a_correlation_of_a_constant_column_is_undefined(metric, predicted, gold, message):
    with pytest.raises(Undefined, match=message):
        metric(np.array(predicted, np.float64), np.array(gold, np.float64))


def test_small_differences_above_rounding_are_ranked():
    assert spearman(np.array([0.9999990, 0.9999991, 0.9999992]), np.arange(3)) == pytest.approx(1)


def test_metrics_have_names():
    names = [metric.name for metric in (spearman, pearson, accuracy, accuracy_all_items)]

    assert names == ["spearman", "pearson", "accuracy", "accuracy_all_items"]
    assert accuracy_all_items.all_items
    assert rankdata([3, 1]).tolist() == spearman.transform(np.array([3, 1])).tolist()
