import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from lexiscope.core.dataset import word_array
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import interval
from lexiscope.stats.classes import (
    bag,
    chosen,
    held_out,
    logistic,
    mean_f1,
    means_of_vectors,
    predicted,
    sums_of_vectors,
)
from lexiscope.stats.folds import dealt
from lexiscope.stats.resampling import left_out
from tests.making import texts

SOME = texts(("the cat the hat", "a"), ("a hat", "b"), ("zyx", "a"))


def test_a_bag_counts_words_as_scikit_learn_does():
    counts = bag(SOME.counted)

    twin = CountVectorizer(vocabulary=SOME.counted.words, token_pattern=r"\S+")
    assert_array_equal(counts.toarray(), twin.fit_transform(SOME.text).toarray())
    assert SOME.counted.words == ("the", "cat", "hat", "a", "zyx")


def test_a_bag_of_other_words_leaves_out_those_it_lacks():
    counts = bag(SOME.counted, ("hat", "sun", "the"))

    assert counts.toarray().tolist() == [[1, 0, 2], [1, 0, 0], [0, 0, 0]]


def test_sums_and_means_of_vectors_by_hand():
    vectors = embedding("e", ["the", "hat", "cat"], [[1, 0], [0, 3], [2, 2]])

    assert sums_of_vectors(SOME.counted, vectors).tolist() == [[4, 5], [0, 3], [0, 0]]
    assert means_of_vectors(SOME.counted, vectors).tolist() == [[1, 1.25], [0, 3], [0, 0]]


def test_folds_have_equal_shares_of_every_label_and_follow_the_seed():
    labels = word_array(["a"] * 37 + ["b"] * 23)

    fold = dealt(labels, 5, np.random.default_rng(0))

    assert_array_equal(fold, dealt(labels, 5, np.random.default_rng(0)))
    assert (fold != dealt(labels, 5, np.random.default_rng(1))).any()
    for label in ("a", "b"):
        sizes = np.bincount(fold[labels == label], minlength=5)
        assert np.ptp(sizes) <= 1
    assert np.ptp(np.bincount(fold)) <= 1


def test_copies_of_an_item_come_into_one_fold():
    units = np.array([[0], [1], [0], [2], [3], [1], [0]])

    fold = dealt(word_array("ababaab"), 2, np.random.default_rng(0), units)

    assert len({fold[0], fold[2], fold[6]}) == 1
    assert fold[1] == fold[5]


def test_more_folds_than_items_are_refused():
    with pytest.raises(Undefined, match="3 different items cannot be dealt out to 4 folds"):
        dealt(word_array("aab"), 4, np.random.default_rng(0))


def test_the_same_share_of_every_label_is_held_out():
    labels = word_array(["a"] * 50 + ["b"] * 10 + ["c"])

    mask = held_out(labels, 0.2, np.random.default_rng(0))

    assert [int(mask[labels == label].sum()) for label in "abc"] == [10, 2, 1]


def classes(number, labels, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(labels, size=number)
    table = rng.normal(size=(number, 4)) + np.eye(labels, 4)[numbers]
    return table, word_array([f"label{k}" for k in numbers])


def test_two_classes_are_told_as_by_scikit_learn_itself():
    (table, labels), (asked, _) = classes(80, 2, 0), classes(40, 2, 1)

    found = predicted(logistic(0.5), table, labels, asked)

    direct = LogisticRegression(solver="liblinear", C=0.5).fit(table, labels.tolist())
    assert found.tolist() == direct.predict(asked).tolist()


def test_of_three_classes_the_surest_wins():
    (table, labels), (asked, _) = classes(120, 3, 0), classes(40, 3, 1)

    found = predicted(logistic(), table, labels, asked)

    kinds = sorted(set(labels))
    sure = [
        LogisticRegression(solver="liblinear").fit(table, labels == kind).decision_function(asked)
        for kind in kinds
    ]
    assert found.tolist() == [kinds[k] for k in np.argmax(sure, axis=0)]


def test_one_class_alone_cannot_be_learned():
    with pytest.raises(Undefined, match="only one class"):
        predicted(logistic(), np.ones((2, 1)), word_array("aa"), np.ones((1, 1)))


def test_the_best_on_the_part_to_choose_on_is_chosen_and_of_equals_the_smallest():
    lessons, tried = classes(60, 2, 0), classes(60, 2, 1)

    found = chosen((1.0, 0.01, 100.0), lessons, tried)

    right = {
        c: np.mean(
            LogisticRegression(solver="liblinear", C=c)
            .fit(lessons[0], lessons[1].tolist())
            .predict(tried[0])
            == tried[1]
        )
        for c in (0.01, 1.0, 100.0)
    }
    assert found.c == max(right, key=right.get)  # the first of equals
    assert found.accuracy == max(right.values())


def test_mean_f1_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    given, gold = (word_array(rng.choice(list("abc"), 200)) for _ in range(2))

    assert mean_f1(given, gold) == pytest.approx(
        f1_score(gold.tolist(), given.tolist(), average="macro")
    )


def test_mean_f1_without_each_item_is_that_of_the_others():
    rng = np.random.default_rng(1)
    given, gold = (word_array(rng.choice(list("ab"), 30)) for _ in range(2))

    without = left_out(mean_f1, Answers(given, gold))

    others = [np.delete(np.arange(30), k) for k in range(30)]
    assert_allclose(without, [mean_f1(given[rest], gold[rest]) for rest in others])


def test_mean_f1_of_very_many_items_has_the_interval_of_a_bootstrap():
    rng = np.random.default_rng(2)
    gold = word_array(rng.choice(list("ab"), 3000))
    given = np.where(rng.random(3000) < 0.8, gold, "a")

    found = interval(mean_f1, Answers(given, gold), np.random.default_rng(0))

    drawn = [rng.integers(3000, size=3000) for _ in range(300)]
    values = [f1_score(gold[d].tolist(), given[d].tolist(), average="macro") for d in drawn]
    assert_allclose(found, np.quantile(values, [0.025, 0.975]), atol=0.005)
