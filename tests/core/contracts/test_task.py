import numpy as np
import pytest

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.result import variant
from lexiscope.tasks.analogy import Analogy


def test_there_is_one_prediction_per_item():
    with pytest.raises(ValueError, match="2 predictions for 3 items"):
        Predictions(np.zeros(2), np.zeros(3))


def test_predictions_of_some_items():
    taken = Predictions(np.array([1, 2, 3]), np.array([4, 5, 6])).take(
        np.array([True, False, True])
    )

    assert taken.predicted.tolist() == [1, 3]
    assert taken.gold.tolist() == [4, 6]


def test_a_metric_is_named_after_its_function():
    def largest(predicted, gold):
        return float(np.max(predicted))

    assert Metric(largest).name == "largest"
    assert Metric(largest)(np.array([1, 3]), np.array([0, 0])) == 3


def test_only_a_mean_over_items_can_count_items_that_are_not_covered():
    with pytest.raises(TypeError, match="only a mean over items"):
        Metric(lambda predicted, gold: 0.0, "odd").over_all_items("odd_all_items")


def test_a_task_has_settings_and_metrics():
    assert Analogy(solver="3CosMul").settings == {"solver": "3CosMul", "epsilon": 1e-6}
    assert [m.name for m in Analogy.metrics()] == ["accuracy", "accuracy_all_items"]


def test_a_variant_names_only_settings_that_differ():
    defaults = Analogy().settings

    assert variant("analogy", defaults, defaults) == "analogy"
    assert variant("analogy", Analogy(solver="3CosMul").settings, defaults) == (
        "analogy (solver=3CosMul)"
    )
