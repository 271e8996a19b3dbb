import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.entities import join_types
from lexiscope.core.errors import Undefined
from lexiscope.metrics.multilabel import (
    best_constant,
    exact_match,
    item_f1,
    item_f1_chance_level,
    item_f1_constant,
    label_sets,
    micro_f1,
    type_counts,
)
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.standard_error import influence

PREDICTED = word_array(["city|place", "city", "", "poet"])
GOLD = word_array(["city|place", "place|river", "poet", "city|place|poet"])


def random_sets(items, seed, empty=False):
    """Random sets of six types; without `empty`, each has at least one type."""
    rng = np.random.default_rng(seed)
    members = rng.random((items, 6)) < 0.3
    if not empty:
        members[np.arange(items), rng.integers(0, 6, items)] = True
    return word_array(join_types(f"t{k}" for k in np.flatnonzero(row)) for row in members)


def binary(*texts):
    coder = MultiLabelBinarizer(classes=[f"t{k}" for k in range(6)])
    return [coder.fit_transform([t.split("|") if t else [] for t in column]) for column in texts]


def test_the_f1_of_each_item_by_hand():
    found = item_f1.per_item(PREDICTED, GOLD)

    assert found.tolist() == [1, 0, 0, 0.5]  # 2 * 1 / (1 + 3)
    assert item_f1(PREDICTED, GOLD) == 1.5 / 4


def test_types_are_counted_by_hand():
    assert type_counts(PREDICTED, GOLD).tolist() == [[2, 0, 0], [0, 1, 2], [0, 0, 1], [1, 0, 2]]


def test_micro_f1_by_hand():
    # True positives: 2 + 0 + 0 + 1; predicted 2 + 1 + 0 + 1; gold 2 + 2 + 1 + 3.
    assert micro_f1(PREDICTED, GOLD) == 2 * 3 / (4 + 8)


@pytest.mark.parametrize("seed", range(5))
def test_metrics_agree_with_scikit_learn(seed):
    predicted, gold = random_sets(200, seed, empty=True), random_sets(200, seed + 50)
    ours, theirs = binary(gold, predicted)

    assert item_f1(predicted, gold) == pytest.approx(f1_score(ours, theirs, average="samples"))
    assert micro_f1(predicted, gold) == pytest.approx(f1_score(ours, theirs, average="micro"))
    assert exact_match(predicted, gold) == pytest.approx(accuracy_score(ours, theirs))


def test_strings_become_rows_of_named_columns():
    names, members = label_sets(PREDICTED)

    assert names == ["city", "place", "poet"]
    assert members.astype(int).tolist() == [[1, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_the_chance_level_is_the_f1_of_permuted_predictions():
    gold = word_array(["a"] * 50 + ["b"] * 50)

    assert item_f1(gold, gold) == 1
    assert item_f1_chance_level(gold, gold) == pytest.approx(0.5, abs=0.03)


def test_the_best_constant_is_as_good_as_an_exhaustive_search():
    gold = word_array(["a|b", "a|b", "a", "c"])

    tried = [
        item_f1(word_array([text] * 4), gold) for text in ("a", "a|b", "a|b|c", "b", "c", "a|c")
    ]

    assert item_f1_constant(gold, gold) == pytest.approx(max(tried))
    assert best_constant(gold) == ("a|b", pytest.approx(max(tried)))


def test_without_covered_items_the_score_is_undefined():
    with pytest.raises(Undefined, match="no item is covered"):
        item_f1(word_array([]), word_array([]))


def test_the_interval_of_a_ratio_is_that_of_the_plain_function():
    predictions = Predictions(random_sets(60, 1), random_sets(60, 2))
    slow = Metric(micro_f1.function, "slow")

    ours, theirs = (
        confidence_interval(each, predictions, np.random.default_rng(0))
        for each in (micro_f1, slow)
    )

    assert ours == pytest.approx(theirs)
    assert ours.low < micro_f1(predictions.predicted, predictions.gold) < ours.high


def test_the_influence_on_a_ratio_is_that_of_leave_one_out():
    predictions = Predictions(random_sets(150, 1), random_sets(150, 2))

    ours, theirs = (
        influence(each, predictions) for each in (micro_f1, Metric(micro_f1.function, "slow"))
    )

    assert ours.mean() == pytest.approx(0, abs=1e-12)
    assert ours == pytest.approx(theirs)
