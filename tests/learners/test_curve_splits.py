import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import Undefined
from lexiscope.learners.curve_splits import (
    SplitItems,
    inner_folds,
    outer_split,
    stratified_order,
    training_sets,
)


def rng(seed=0):
    return np.random.default_rng(seed)


def classified(*counts):
    codes = np.repeat(np.arange(len(counts)), counts)
    return SplitItems(len(codes), codes)


pairs_of_words = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=30, max_size=120
)


@given(pairs_of_words, st.integers(0, 1000))
def test_no_test_word_occurs_in_a_training_pair_nor_a_validation_word_in_an_inner_one(pairs, seed):
    words = np.array(pairs)
    items = SplitItems(len(words), None, words)
    try:
        split = outer_split(items, 0.2, rng(seed))
    except Undefined:  # every pair shares a word with the test pairs
        return
    assert not set(words[split.test].ravel()) & set(words[split.pool].ravel())

    for fold in inner_folds(items, split.pool, rng(seed)):
        assert not set(words[fold.train].ravel()) & set(words[fold.validate].ravel())
        assert set(fold.train) | set(fold.validate) <= set(split.pool)


def test_small_components_are_split_without_losing_an_item():
    words = np.array([[n // 3 * 10, n // 3 * 10 + n % 3 + 1] for n in range(90)])  # stars of three
    split = outer_split(SplitItems(90, None, words), 0.2, rng())

    assert len(split.test) == 18
    assert len(split.pool) == 72
    assert not set(words[split.test].ravel()) & set(words[split.pool].ravel())


def test_with_shared_words_every_pair_is_used():
    words = np.array([[0, n] for n in range(1, 41)])  # all pairs share one word
    items = SplitItems(40, None, words, shared_words=True)

    split = outer_split(items, 0.2, rng())

    assert len(split.test) == 8
    assert len(split.pool) == 32


def test_test_items_and_every_prefix_of_the_training_items_have_the_proportions_of_classes():
    items = classified(60, 30, 10)

    split = outer_split(items, 0.3, rng())

    assert np.bincount(items.classes[split.test]).tolist() == [18, 9, 3]
    assert np.bincount(items.classes[split.pool[:10]]).tolist() == [6, 3, 1]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.integers(0, 100))
def test_a_stratified_order_is_a_permutation_with_proportional_prefixes(classes, seed):
    codes = np.array(classes)
    order = stratified_order(codes, rng(seed))
    assert sorted(order) == list(range(len(codes)))

    total = np.bincount(codes, minlength=4)
    for end in range(1, len(codes) + 1):
        here = np.bincount(codes[order[:end]], minlength=4)
        assert (abs(here - total * end / len(codes)) < 4).all()


def test_training_sets_are_nested_and_the_following_items_are_those_of_the_next_set():
    items = classified(30, 30)
    split = outer_split(items, 0.3, rng())

    sets = training_sets(items, split, [10, 20, 42], lambda size: rng(size))

    assert [len(each.train) for each in sets] == [10, 20, 42]
    assert sets[1].train[:10].tolist() == sets[0].train.tolist()
    assert sets[0].following.tolist() == sets[1].train[10:].tolist()
    assert len(sets[-1].following) == 0


def test_inner_folds_divide_the_training_items():
    items = classified(20, 10)
    train = np.arange(30)

    folds = inner_folds(items, train, rng())

    assert len(folds) == 3
    assert sorted(np.concatenate([fold.validate for fold in folds])) == list(range(30))
    assert all(not set(fold.train) & set(fold.validate) for fold in folds)


@pytest.mark.parametrize(
    ("items", "train"),
    [
        (classified(3, 2), np.arange(5)),  # too few items
        (classified(20, 10), np.arange(20)),  # one class only
        (SplitItems(12, None, np.arange(24).reshape(12, 2)), np.arange(12)),  # too few pairs
    ],
)
def test_a_small_training_set_has_no_inner_folds(items, train):
    assert inner_folds(items, train, rng()) == ()
