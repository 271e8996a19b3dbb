import numpy as np
import pytest

from lexiscope.core.measure import Measure
from lexiscope.core.result import variant
from lexiscope.core.task import Answers
from lexiscope.tasks.analogy import Analogy


def test_answers_are_one_per_item():
    with pytest.raises(ValueError, match="2 answers for 3 items"):
        Answers(np.zeros(2), np.zeros(3))


def test_answers_to_some_items():
    taken = Answers(np.array([1, 2, 3]), np.array([4, 5, 6])).take(np.array([True, False, True]))

    assert taken.given.tolist() == [1, 3]
    assert taken.gold.tolist() == [4, 6]


def test_a_measure_is_named_after_its_function():
    def largest(given, gold):
        return float(np.max(given))

    assert Measure(largest).name == "largest"
    assert Measure(largest)(np.array([1, 3]), np.array([0, 0])) == 3


def test_only_a_mean_over_items_can_count_unasked_items():
    with pytest.raises(TypeError, match="only a mean over items"):
        Measure(lambda given, gold: 0.0, "odd").over_all_items("odd_of_all")


def test_a_task_knows_its_settings_and_measures():
    assert Analogy(solver="3CosMul").settings == {"solver": "3CosMul", "epsilon": 1e-6}
    assert [m.name for m in Analogy.measures()] == ["accuracy", "accuracy_of_all"]


def test_a_variant_names_only_settings_that_differ():
    defaults = Analogy().settings

    assert variant("analogy", defaults, defaults) == "analogy"
    assert variant("analogy", Analogy(solver="3CosMul").settings, defaults) == (
        "analogy (solver=3CosMul)"
    )
