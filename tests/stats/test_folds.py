from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import ttest_1samp

from lexiscope.core.dataset import word_array
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.folds import corrected_t, fold_of, nested, sizes_of, word_disjoint
from tests.making import synthetic_words


def differences_of_equals(seed, items=100, test=30, repeats=15):
    """Errors of one regression less those of another that is as good, over random splits."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=items)
    features = [gold[:, None] + 2 * rng.normal(size=(items, 5)) for _ in range(2)]
    gaps = np.empty(repeats)
    for repeat in range(repeats):
        order = rng.permutation(items)
        held, learnt = order[:test], order[test:]
        weights = [np.linalg.lstsq(x[learnt], gold[learnt], rcond=None)[0] for x in features]
        ours, theirs = (
            np.mean((x[held] @ w - gold[held]) ** 2) for x, w in zip(features, weights, strict=True)
        )
        gaps[repeat] = ours - theirs
    return gaps


def test_pitfall_43_folds_are_not_independent():
    studies = [differences_of_equals(seed) for seed in range(300)]

    naive = np.mean([ttest_1samp(gaps, 0).pvalue < 0.05 for gaps in studies])
    corrected = np.mean([corrected_t(gaps, 70, 30).p < 0.05 for gaps in studies])

    assert naive > 0.3  # six times the false alarms promised
    assert corrected < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_a_real_difference_is_found_all_the_same():
    gaps = 1 + np.random.default_rng(0).normal(size=10) * 0.3

    found = corrected_t(gaps, 90, 10)

    assert found.p < 0.001
    assert 0 < found.low < found.value < found.high


def test_the_corrected_t_is_scipys_divided_by_the_overlap():
    from scipy.stats import t

    gaps = np.random.default_rng(1).normal(0.3, 1, 10)
    plain = ttest_1samp(gaps, 0)

    # Ten folds of ten: (1/10 + 10/90) instead of 1/10.
    wider = np.sqrt(1 + 10 / 9)
    found = corrected_t(gaps, 90, 10)
    assert found.p == pytest.approx(2 * t.sf(abs(plain.statistic) / wider, 9))
    low, high = plain.confidence_interval(0.95)
    assert_allclose(found[1:3], gaps.mean() + wider * (np.array([low, high]) - gaps.mean()))


def test_with_next_to_no_test_items_it_is_the_plain_t():
    gaps = np.random.default_rng(2).normal(0.3, 1, 10)

    assert corrected_t(gaps, 10**9, 1).p == pytest.approx(ttest_1samp(gaps, 0).pvalue)


def test_folds_that_do_not_vary():
    assert corrected_t(np.zeros(5), 80, 20) == (0, 0, 0, 1)
    with pytest.raises(Undefined, match="the same in all folds"):
        corrected_t(np.full(5, 0.1), 80, 20)
    with pytest.raises(Undefined, match="one fold"):
        corrected_t(np.array([0.1]), 80, 20)


def test_pitfall_49_each_training_subset_holds_the_one_before():
    items = np.arange(100, 200)
    sizes = sizes_of([0.3, 0.5, 0.75, 1], 100)

    subsets = nested(items, sizes, np.random.default_rng(0))

    assert [len(subset) for subset in subsets] == [30, 50, 75, 100]
    for smaller, larger in pairwise(subsets):
        assert set(smaller) < set(larger)
        assert larger[: len(smaller)].tolist() == smaller.tolist()
    assert sorted(subsets[-1]) == items.tolist()


def test_pitfall_49_repeats_have_orders_of_their_own_and_a_seed_repeats_them():
    one, other, again = (
        nested(np.arange(50), [15], np.random.default_rng(seed))[0].tolist() for seed in (0, 1, 0)
    )

    assert one == again
    assert set(one) != set(other)
    assert one != sorted(one)


@pytest.mark.parametrize("sizes", [[], [5, 5], [7, 3], [0, 4], [5, 11]])
def test_sizes_that_do_not_grow_within_the_items_are_refused(sizes):
    with pytest.raises(BadUsage, match="Sizes must grow, from 1 to at most 10 items"):
        nested(np.arange(10), sizes, np.random.default_rng(0))


@pytest.mark.parametrize("shares", [[0, 0.5], [0.5, 1.1]])
def test_shares_are_parts_of_the_whole(shares):
    with pytest.raises(BadUsage, match="above 0 and not above 1"):
        sizes_of(shares, 10)


def leaks(words, split):
    return set(words[split.test].ravel()) & set(words[split.train].ravel())


@given(st.integers(0, 1000), st.integers(2, 4), st.integers(30, 200))
def test_pitfall_22_no_word_of_a_test_item_stands_in_a_training_item(seed, width, words):
    rng = np.random.default_rng(seed)
    items = rng.integers(0, words, (60, width))
    try:
        split = word_disjoint(items, 0.2, rng)
    except Undefined:
        return

    assert not leaks(items, split)
    assert sorted(np.concatenate(split)) == list(range(60))
    assert len(split.test) >= 12
    for item in split.left_out:  # nothing is left out that would not leak
        assert set(items[item]) & set(items[split.test].ravel())
        assert not set(items[item]) <= set(items[split.test].ravel())


def questions(pairs):
    """Every two pairs of a relation make two questions, as in Google's analogies."""
    rows = [(*one, *other) for one in pairs for other in pairs if one != other]
    return np.array([word_array(row) for row in rows])


def test_pitfall_22_analogies_of_the_same_pairs_are_split_by_their_words():
    capitals = questions([(f"city{k}", f"land{k}") for k in range(20)])
    by_item = np.random.default_rng(0).permutation(len(capitals))

    split = word_disjoint(capitals, 0.2, np.random.default_rng(0))

    # Split by items, every test word is known from training.
    train, test = capitals[by_item[76:]], capitals[by_item[:76]]
    assert set(test.ravel()) <= set(train.ravel())
    assert not leaks(capitals, split)
    assert len(split.test) >= 76
    assert len(split.train) >= 76


def test_pairs_without_a_word_in_common_are_all_used():
    pairs = word_array([f"word{k}" for k in range(40)]).reshape(20, 2)

    split = word_disjoint(pairs, 0.25, np.random.default_rng(0))

    assert [len(part) for part in split] == [15, 5, 0]


def test_the_same_seed_gives_the_same_split():
    pairs = np.random.default_rng(0).integers(0, 80, (60, 2))

    one, again = (word_disjoint(pairs, 0.2, np.random.default_rng(3)) for _ in range(2))

    assert [part.tolist() for part in one] == [part.tolist() for part in again]


def test_items_that_all_share_a_word_cannot_be_split():
    star = np.column_stack([np.zeros(10, int), np.arange(1, 11)])

    with pytest.raises(Undefined, match="no item is left to train on"):
        word_disjoint(star, 0.2, np.random.default_rng(0))
    with pytest.raises(BadUsage, match="between 0 and 1, found 1"):
        word_disjoint(star, 1, np.random.default_rng(0))


def test_a_words_fold_depends_on_no_other_word():
    words = synthetic_words(300)

    whole, part = fold_of(words, 5, 7), fold_of(words[::3], 5, 7)

    assert part.tolist() == whole[::3].tolist()
    assert set(whole.tolist()) == {0, 1, 2, 3, 4}
    assert np.bincount(whole).min() > 35  # of 60 on average
    assert fold_of(words, 5, 8).tolist() != whole.tolist()


def test_a_word_that_stands_twice_is_in_one_fold():
    first, second = fold_of(["may", "may"], 10, 0)

    assert first == second


def test_one_fold_is_none():
    with pytest.raises(BadUsage, match="must be 2 or more, found 1"):
        fold_of(["a"], 1, 0)
