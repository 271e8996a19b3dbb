import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.core.contracts.learner import Outcome
from lexiscope.core.errors import MissingExtra
from lexiscope.learners.models.cnn import _token_matrix
from tests.learners.models.material import fit, texts, training_set

SMALL = {"maps": 8, "max_epochs": 12, "learning_rate": 0.01}


def test_a_missing_torch_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(MissingExtra, match=r"lexiscope\[neural\]"):
        fit("cnn", texts(), training_set(60, 30))


def test_texts_are_padded_and_truncated():
    problem = texts(items=6)

    matrix = _token_matrix(problem, 3, 5)

    assert matrix.shape == (6, 5)
    assert matrix[0, :4].tolist() == problem.tokens[:4].tolist()
    assert matrix.max() <= len(problem.vectors)


def test_the_network_separates_classes_with_different_words():
    pytest.importorskip("torch")
    problem, sets = texts(items=240), training_set(240, 150)

    own = fit("cnn", problem, sets, **SMALL)

    assert np.mean(own.predicted == problem.gold[sets.test]) > 0.8
    assert own.bits < len(sets.following)
    assert 1 <= own.selected["epochs"] <= 12


def test_predictions_do_not_depend_on_labels_of_test_items():
    pytest.importorskip("torch")
    problem, sets = texts(), training_set(60, 36)
    own = fit("cnn", problem, sets, **SMALL)

    problem.gold[sets.test] = 1 - problem.gold[sets.test]

    assert_array_equal(fit("cnn", problem, sets, **SMALL).predicted, own.predicted)


def test_a_fallback_that_is_as_good_on_the_folds_is_selected():
    pytest.importorskip("torch")
    problem, sets = texts(), training_set(60, 36)

    found = fit("cnn", problem, sets, Outcome(np.zeros(20, np.int64), 1.0, {}), **SMALL)

    assert found.selected == {"fallback": "logistic_regression"}
