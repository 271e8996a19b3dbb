import pytest

from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import Undefined
from lexiscope.metrics.accuracy import accuracy


def test_accuracy_is_the_proportion_of_correct_predictions():
    predicted, gold = word_array(["a", "b", "", "d"]), word_array(["a", "x", "c", "d"])

    assert accuracy(predicted, gold) == 0.5
    assert accuracy.per_item(predicted, gold).tolist() == [1, 0, 0, 1]


def test_accuracy_without_items_is_undefined():
    with pytest.raises(Undefined, match="no item is covered"):
        accuracy(word_array([]), word_array([]))
