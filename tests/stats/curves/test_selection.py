"""The best model is selected by validation scores; ties go to the simpler model."""

import numpy as np

from lexiscope.stats.curves.selection import best_models

NAMES = ["svm", "logistic", "forest", "majority"]
COMPLEXITIES = ["non-linear", "linear", "non-linear", "constant"]


def selected(*scores):
    validation = np.array(scores, float)[:, None, None]
    return NAMES[best_models(validation, COMPLEXITIES, NAMES)[0, 0]]


def test_the_highest_validation_score_wins():
    assert selected(0.9, 0.8, 0.7, 0.6) == "svm"


def test_of_equal_scores_the_simpler_model_wins():
    assert selected(0.9, 0.9, 0.9, 0.6) == "logistic"
    assert selected(0.9, 0.9, 0.9, 0.9) == "majority"


def test_of_equal_scores_and_classes_the_first_name_wins():
    assert selected(0.9, 0.8, 0.9, 0.6) == "forest"


def test_a_model_without_validation_score_is_worse_than_any_other():
    assert selected(np.nan, np.nan, 0.1, np.nan) == "forest"
    assert selected(np.nan, np.nan, np.nan, np.nan) == "majority"


def test_each_repeat_and_size_has_its_own_best_model():
    validation = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.3, 0.4], [0.5, 0.6]]])

    assert best_models(validation, ["non-linear", "linear"], ["a", "b"]).tolist() == [
        [0, 1],
        [1, 0],
    ]
