import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from lexiscope.core.dataset import word_array
from lexiscope.core.entities import joined
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import interval
from lexiscope.stats.standard_error import influence
from lexiscope.stats.type_sets import (
    exact_match,
    item_f1,
    item_f1_by_chance,
    item_f1_of_one_answer,
    micro_f1,
    one_answer,
    sets_of,
    type_counts,
)

GIVEN = word_array(["city|place", "city", "", "poet"])
GOLD = word_array(["city|place", "place|river", "poet", "city|place|poet"])


def drawn(items, seed, empty=False):
    """Random sets of six types; without `empty`, each has one at least."""
    rng = np.random.default_rng(seed)
    members = rng.random((items, 6)) < 0.3
    if not empty:
        members[np.arange(items), rng.integers(0, 6, items)] = True
    return word_array(joined(f"t{k}" for k in np.flatnonzero(row)) for row in members)


def binary(*texts):
    coder = MultiLabelBinarizer(classes=[f"t{k}" for k in range(6)])
    return [coder.fit_transform([t.split("|") if t else [] for t in column]) for column in texts]


def test_the_f1_of_each_item_by_hand():
    found = item_f1.per_item(GIVEN, GOLD)

    assert found.tolist() == [1, 0, 0, 0.5]  # 2 * 1 / (1 + 3)
    assert item_f1(GIVEN, GOLD) == 1.5 / 4


def test_types_are_counted_by_hand():
    assert type_counts(GIVEN, GOLD).tolist() == [[2, 0, 0], [0, 1, 2], [0, 0, 1], [1, 0, 2]]


def test_micro_f1_by_hand():
    # Right: 2 + 0 + 0 + 1; given 2 + 1 + 0 + 1; true 2 + 2 + 1 + 3.
    assert micro_f1(GIVEN, GOLD) == 2 * 3 / (4 + 8)


@pytest.mark.parametrize("seed", range(5))
def test_all_agree_with_scikit_learn(seed):
    given, gold = drawn(200, seed, empty=True), drawn(200, seed + 50)
    ours, theirs = binary(gold, given)

    assert item_f1(given, gold) == pytest.approx(f1_score(ours, theirs, average="samples"))
    assert micro_f1(given, gold) == pytest.approx(f1_score(ours, theirs, average="micro"))
    assert exact_match(given, gold) == pytest.approx(accuracy_score(ours, theirs))


def test_texts_become_rows_of_named_columns():
    names, members = sets_of(GIVEN)

    assert names == ["city", "place", "poet"]
    assert members.astype(int).tolist() == [[1, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_dealt_out_anew_perfect_answers_are_worth_what_sets_share_by_chance():
    gold = word_array(["a"] * 50 + ["b"] * 50)

    assert item_f1(gold, gold) == 1
    assert item_f1_by_chance(gold, gold) == pytest.approx(0.5, abs=0.03)


def test_the_best_single_answer_is_found_by_trying():
    gold = word_array(["a|b", "a|b", "a", "c"])

    tried = [
        item_f1(word_array([text] * 4), gold) for text in ("a", "a|b", "a|b|c", "b", "c", "a|c")
    ]

    assert item_f1_of_one_answer(gold, gold) == pytest.approx(max(tried))
    assert one_answer(gold) == ("a|b", pytest.approx(max(tried)))


def test_nothing_asked_is_undefined():
    with pytest.raises(Undefined, match="no item could be asked"):
        item_f1(word_array([]), word_array([]))


def test_the_interval_of_a_ratio_is_that_of_the_plain_function():
    answers = Answers(drawn(60, 1), drawn(60, 2))
    slow = Measure(micro_f1.function, "slow")

    ours, theirs = (interval(each, answers, np.random.default_rng(0)) for each in (micro_f1, slow))

    assert ours == pytest.approx(theirs)
    assert ours.low < micro_f1(answers.given, answers.gold) < ours.high


def test_the_influence_on_a_ratio_is_that_of_leaving_items_out():
    answers = Answers(drawn(150, 1), drawn(150, 2))

    ours, theirs = (
        influence(each, answers) for each in (micro_f1, Measure(micro_f1.function, "slow"))
    )

    assert ours.mean() == pytest.approx(0, abs=1e-12)
    assert ours == pytest.approx(theirs)
