import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import f1_score

from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import word_array
from lexiscope.metrics.f1 import f1_of_totals, macro_f1
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.resampling import leave_one_out


def test_macro_f1_is_scikit_learns():
    rng = np.random.default_rng(0)
    predicted, gold = (word_array(rng.choice(list("abc"), 200)) for _ in range(2))

    assert macro_f1(predicted, gold) == pytest.approx(
        f1_score(gold.tolist(), predicted.tolist(), average="macro")
    )


def test_leave_one_out_macro_f1_is_that_of_the_other_items():
    rng = np.random.default_rng(1)
    predicted, gold = (word_array(rng.choice(list("ab"), 30)) for _ in range(2))

    without = leave_one_out(macro_f1, Predictions(predicted, gold))

    others = [np.delete(np.arange(30), k) for k in range(30)]
    assert_allclose(without, [macro_f1(predicted[rest], gold[rest]) for rest in others])


def test_the_interval_of_macro_f1_over_very_many_items_is_a_bootstrap():
    rng = np.random.default_rng(2)
    gold = word_array(rng.choice(list("ab"), 3000))
    predicted = np.where(rng.random(3000) < 0.8, gold, "a")

    found = confidence_interval(macro_f1, Predictions(predicted, gold), np.random.default_rng(0))

    resamples = [rng.integers(3000, size=3000) for _ in range(300)]
    values = [f1_score(gold[d].tolist(), predicted[d].tolist(), average="macro") for d in resamples]
    assert_allclose(found, np.quantile(values, [0.025, 0.975]), atol=0.005)


def test_f1_is_scikit_learns():
    gold = np.array([1, 1, 0, 1, 0, 1, 0, 0])
    found = np.array([1, 0, 1, 1, 0, 1, 1, 0])
    counts = np.column_stack([gold & found, found & ~gold & 1, gold & ~found & 1])

    assert f1_of_totals(counts.sum(axis=0)) == pytest.approx(f1_score(gold, found))
