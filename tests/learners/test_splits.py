from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ttest_1samp

from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.learners.splits import (
    corrected_t_test,
    hashed_folds,
    held_out_mask,
    nested_subsets,
    stratified_folds,
    subset_sizes,
    word_disjoint_split,
)
from tests.builders import synthetic_words


def differences_under_the_null(seed, items=100, test=30, repeats=15):
    """Errors of one regression minus those of an equally good one, over random splits."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=items)
    features = [gold[:, None] + 2 * rng.normal(size=(items, 5)) for _ in range(2)]
    differences = np.empty(repeats)
    for repeat in range(repeats):
        order = rng.permutation(items)
        test_items, train_items = order[:test], order[test:]
        weights = [
            np.linalg.lstsq(x[train_items], gold[train_items], rcond=None)[0] for x in features
        ]
        ours, theirs = (
            np.mean((x[test_items] @ w - gold[test_items]) ** 2)
            for x, w in zip(features, weights, strict=True)
        )
        differences[repeat] = ours - theirs
    return differences


def test_pitfall_43_folds_are_not_independent():
    samples = [differences_under_the_null(seed) for seed in range(300)]

    naive = np.mean([ttest_1samp(differences, 0).pvalue < 0.05 for differences in samples])
    corrected = np.mean([corrected_t_test(differences, 70, 30).p < 0.05 for differences in samples])

    assert naive > 0.3  # six times the nominal false positive rate
    assert corrected < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_a_large_difference_is_significant():
    differences = 1 + np.random.default_rng(0).normal(size=10) * 0.3

    found = corrected_t_test(differences, 90, 10)

    assert found.p < 0.001
    assert 0 < found.low < found.value < found.high


def test_the_corrected_t_is_scipys_divided_by_the_overlap():
    from scipy.stats import t

    differences = np.random.default_rng(1).normal(0.3, 1, 10)
    plain = ttest_1samp(differences, 0)

    # Ten folds of ten: (1/10 + 10/90) instead of 1/10.
    factor = np.sqrt(1 + 10 / 9)
    found = corrected_t_test(differences, 90, 10)
    assert found.p == pytest.approx(2 * t.sf(abs(plain.statistic) / factor, 9))
    low, high = plain.confidence_interval(0.95)
    assert_allclose(
        found[1:3], differences.mean() + factor * (np.array([low, high]) - differences.mean())
    )


def test_with_very_few_test_items_it_is_the_ordinary_t_test():
    differences = np.random.default_rng(2).normal(0.3, 1, 10)

    assert corrected_t_test(differences, 10**9, 1).p == pytest.approx(
        ttest_1samp(differences, 0).pvalue
    )


def test_folds_without_variance():
    assert corrected_t_test(np.zeros(5), 80, 20) == (0, 0, 0, 1)
    with pytest.raises(Undefined, match="the same in all folds"):
        corrected_t_test(np.full(5, 0.1), 80, 20)
    with pytest.raises(Undefined, match="one fold"):
        corrected_t_test(np.array([0.1]), 80, 20)


def test_pitfall_49_each_training_subset_contains_the_one_before():
    items = np.arange(100, 200)
    sizes = subset_sizes([0.3, 0.5, 0.75, 1], 100)

    subsets = nested_subsets(items, sizes, np.random.default_rng(0))

    assert [len(subset) for subset in subsets] == [30, 50, 75, 100]
    for smaller, larger in pairwise(subsets):
        assert set(smaller) < set(larger)
        assert larger[: len(smaller)].tolist() == smaller.tolist()
    assert sorted(subsets[-1]) == items.tolist()


def test_pitfall_49_subsets_are_random_and_reproducible():
    one, other, again = (
        nested_subsets(np.arange(50), [15], np.random.default_rng(seed))[0].tolist()
        for seed in (0, 1, 0)
    )

    assert one == again
    assert set(one) != set(other)
    assert one != sorted(one)


@pytest.mark.parametrize("sizes", [[], [5, 5], [7, 3], [0, 4], [5, 11]])
def test_sizes_that_do_not_increase_within_the_items_are_refused(sizes):
    with pytest.raises(BadUsage, match="Sizes must increase, from 1 to at most 10 items"):
        nested_subsets(np.arange(10), sizes, np.random.default_rng(0))


@pytest.mark.parametrize("fractions", [[0, 0.5], [0.5, 1.1]])
def test_fractions_are_above_0_and_at_most_1(fractions):
    with pytest.raises(BadUsage, match="above 0 and at most 1"):
        subset_sizes(fractions, 10)


def leaks(words, split):
    return set(words[split.test].ravel()) & set(words[split.train].ravel())


@given(st.integers(0, 1000), st.integers(2, 4), st.integers(30, 200))
def test_pitfall_22_no_word_of_a_test_item_occurs_in_a_training_item(seed, width, words):
    rng = np.random.default_rng(seed)
    items = rng.integers(0, words, (60, width))
    try:
        split = word_disjoint_split(items, 0.2, rng)
    except Undefined:
        return

    assert not leaks(items, split)
    assert sorted(np.concatenate(split)) == list(range(60))
    assert len(split.test) >= 12
    for item in split.excluded:  # only items that would leak are excluded
        assert set(items[item]) & set(items[split.test].ravel())
        assert not set(items[item]) <= set(items[split.test].ravel())


def questions(pairs):
    """Every two pairs of a relation make two questions, as in Google's analogies."""
    rows = [(*one, *other) for one in pairs for other in pairs if one != other]
    return np.array([word_array(row) for row in rows])


def test_pitfall_22_analogies_of_the_same_pairs_are_split_by_their_words():
    capitals = questions([(f"city{k}", f"land{k}") for k in range(20)])
    by_item = np.random.default_rng(0).permutation(len(capitals))

    split = word_disjoint_split(capitals, 0.2, np.random.default_rng(0))

    # Split by items, every test word is known from training.
    train, test = capitals[by_item[76:]], capitals[by_item[:76]]
    assert set(test.ravel()) <= set(train.ravel())
    assert not leaks(capitals, split)
    assert len(split.test) >= 76
    assert len(split.train) >= 76


def test_pairs_without_a_word_in_common_are_all_used():
    pairs = word_array([f"word{k}" for k in range(40)]).reshape(20, 2)

    split = word_disjoint_split(pairs, 0.25, np.random.default_rng(0))

    assert [len(part) for part in split] == [15, 5, 0]


def test_the_same_seed_gives_the_same_split():
    pairs = np.random.default_rng(0).integers(0, 80, (60, 2))

    one, again = (word_disjoint_split(pairs, 0.2, np.random.default_rng(3)) for _ in range(2))

    assert [part.tolist() for part in one] == [part.tolist() for part in again]


def test_items_that_all_share_a_word_cannot_be_split():
    star = np.column_stack([np.zeros(10, int), np.arange(1, 11)])

    with pytest.raises(Undefined, match="no training item is left"):
        word_disjoint_split(star, 0.2, np.random.default_rng(0))
    with pytest.raises(BadUsage, match="between 0 and 1, found 1"):
        word_disjoint_split(star, 1, np.random.default_rng(0))


def test_the_fold_of_a_word_does_not_depend_on_other_words():
    words = synthetic_words(300)

    whole, part = hashed_folds(words, 5, 7), hashed_folds(words[::3], 5, 7)

    assert part.tolist() == whole[::3].tolist()
    assert set(whole.tolist()) == {0, 1, 2, 3, 4}
    assert np.bincount(whole).min() > 35  # of 60 on average
    assert hashed_folds(words, 5, 8).tolist() != whole.tolist()


def test_equal_words_are_in_the_same_fold():
    first, second = hashed_folds(["may", "may"], 10, 0)

    assert first == second


def test_one_fold_is_refused():
    with pytest.raises(BadUsage, match="must be 2 or more, found 1"):
        hashed_folds(["a"], 1, 0)


def test_folds_are_stratified_and_reproducible():
    labels = word_array(["a"] * 37 + ["b"] * 23)

    fold = stratified_folds(labels, 5, np.random.default_rng(0))

    assert_array_equal(fold, stratified_folds(labels, 5, np.random.default_rng(0)))
    assert (fold != stratified_folds(labels, 5, np.random.default_rng(1))).any()
    for label in ("a", "b"):
        sizes = np.bincount(fold[labels == label], minlength=5)
        assert np.ptp(sizes) <= 1
    assert np.ptp(np.bincount(fold)) <= 1


def test_copies_of_an_item_are_in_the_same_fold():
    units = np.array([[0], [1], [0], [2], [3], [1], [0]])

    fold = stratified_folds(word_array("ababaab"), 2, np.random.default_rng(0), units)

    assert len({fold[0], fold[2], fold[6]}) == 1
    assert fold[1] == fold[5]


def test_more_folds_than_items_are_refused():
    with pytest.raises(Undefined, match="3 different items cannot be split into 4 folds"):
        stratified_folds(word_array("aab"), 4, np.random.default_rng(0))


def test_the_same_fraction_of_every_label_is_held_out():
    labels = word_array(["a"] * 50 + ["b"] * 10 + ["c"])

    mask = held_out_mask(labels, 0.2, np.random.default_rng(0))

    assert [int(mask[labels == label].sum()) for label in "abc"] == [10, 2, 1]
