"""Cosine, rank and identification of samples of a term."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexiscope.core.errors import Undefined
from lexiscope.metrics.consistency import (
    common_proportion,
    directions,
    identification,
    jaccard_of_all,
    mean_overlap,
    nearest_words,
    pair_cosines,
    ranks_among,
    without_common_direction,
    without_direction,
)


def slow_rank(query, target, background, left_out=-1):
    """Position of the target among the background vectors, one vector after the other."""

    def cosine(one, two):
        return float(one @ two / np.sqrt((one @ one) * (two @ two)))

    limit = cosine(query, target)
    rank = 1
    for row, vector in enumerate(background.astype(np.float64)):
        if row != left_out and np.any(vector) and cosine(query, vector) > limit + 1e-12:
            rank += 1
    return rank


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 4))
def test_ranks_equal_those_of_a_loop(seed, words, targets):
    rng = np.random.default_rng(seed)
    background = rng.integers(-2, 3, (words, 3)).astype(np.float32)  # many ties and zero vectors
    queries = rng.integers(1, 4, (5, 3)).astype(np.float64)
    others = rng.integers(1, 4, (5, targets, 3)).astype(np.float64)
    rows = rng.integers(-1, words, 5)
    found = ranks_among(queries, others, background, rows)
    expected = [
        [slow_rank(queries[q], others[q, t], background, rows[q]) for t in range(targets)]
        for q in range(5)
    ]
    assert found.tolist() == expected


def test_more_words_and_queries_than_a_block():
    rng = np.random.default_rng(0)
    background = rng.normal(size=(5000, 5)).astype(np.float32)
    queries, others = rng.normal(size=(300, 5)), rng.normal(size=(300, 1, 5))
    found = ranks_among(queries, others, background)
    for q in (0, 255, 256, 299):
        assert found[q, 0] == slow_rank(queries[q], others[q, 0], background)


def test_a_tie_does_not_worsen_the_rank():
    background = np.array([[2, 1], [4, 2], [1, 0]], np.float32)
    query, target = np.array([[3.0, 0.5]]), np.array([[[1.0, 0.5]]])
    assert ranks_among(query, target, background).tolist() == [[2]]  # only [1, 0] is nearer


def test_the_nearest_vector_has_rank_1_and_its_own_entry_can_be_left_out():
    background = np.array([[1, 0], [0, 1]], np.float32)
    query, target = np.array([[1.0, 0.0]]), np.array([[[1.0, 0.2]]])
    assert ranks_among(query, target, background).item() == 2
    assert ranks_among(query, target, background, np.array([0])).item() == 1
    assert ranks_among(query, target, background, np.array([-1])).item() == 2


def test_a_missing_vector_has_no_rank():
    background = np.eye(2, dtype=np.float32)
    queries = np.array([[1.0, 0.0], [np.nan, np.nan], [0.0, 0.0]])
    targets = np.array([[[1.0, 1.0], [np.nan, np.nan]]] * 3)
    found = ranks_among(queries, targets, background)
    assert found[0, 0] == 2
    assert np.isnan(found).sum() == 5


def test_the_mean_cosine_is_over_all_pairs():
    vectors = np.random.default_rng(1).normal(size=(5, 3, 4))
    vectors[3, 1] = np.nan
    units = directions(vectors)
    for term in range(3):
        pairs = [units[i, term] @ units[j, term] for i in range(5) for j in range(i)]
        assert pair_cosines(units)[term] == pytest.approx(np.nanmean(pairs))


def test_one_sample_has_no_cosine():
    units = directions(np.array([[[1.0, 0.0]], [[np.nan, np.nan]]]))
    assert np.isnan(pair_cosines(units)).all()


def test_a_tie_counts_against_identification():
    same = directions(np.ones((2, 3, 2)))
    found = identification(same)
    assert found.first.tolist() == [0, 0, 0]
    assert found.reciprocal_rank.tolist() == pytest.approx([1 / 3] * 3)
    assert found.chance == pytest.approx(1 / 3)


def test_permuting_the_terms_of_a_sample_destroys_identification():
    rng = np.random.default_rng(2)
    own = rng.normal(size=(50, 20))
    samples = own + 0.1 * rng.normal(size=(2, 50, 20))
    assert identification(directions(samples)).first.mean() == 1
    permuted = np.stack([samples[0], np.roll(samples[1], 1, axis=0)])
    assert identification(directions(permuted)).first.mean() == 0


def test_without_a_direction_vectors_are_orthogonal_to_it():
    vectors, mean = np.random.default_rng(3).normal(size=(2, 4, 3)), np.array([1.0, 2.0, 3.0])
    assert np.allclose(without_direction(vectors, mean) @ mean, 0)
    assert without_direction(vectors, np.zeros(3)) is vectors


def test_sums_and_means_lose_the_same_direction():
    vectors, mean = np.random.default_rng(4).normal(size=(2, 4, 3)), np.array([1.0, 1.0, 0.0])
    sums = directions(without_direction(7 * vectors, mean))
    assert np.allclose(sums, directions(without_direction(vectors, mean)))


def test_without_the_common_direction_sums_are_no_longer_similar():
    rng = np.random.default_rng(5)
    units = directions(np.ones(20) + 0.3 * rng.normal(size=(2, 200, 20)))
    assert pair_cosines(units).mean() > 0.85
    assert abs(pair_cosines(without_common_direction(units)).mean()) < 0.1


def test_neighbours_are_in_order_and_zero_vectors_are_none():
    background = np.array([[0, 0], [1, 1], [1, 0], [-1, 0]], np.float32)
    units = directions(np.array([[1.0, 0.1]]))
    assert nearest_words(units, background, 10).tolist() == [[2, 1, 3]]


def test_agreement_of_neighbour_lists():
    lists = [["a", "b", "c"], ["a", "c", "d"], ["a", "e", "c"]]
    assert common_proportion(lists) == pytest.approx(2 / 3)
    assert jaccard_of_all(lists) == pytest.approx(2 / 5)
    assert 0 < mean_overlap(lists) < 1
    assert mean_overlap([["a"], ["b"]]) == 0
    for metric in (common_proportion, jaccard_of_all):
        with pytest.raises(Undefined):
            metric([[], []])
    with pytest.raises(Undefined):
        mean_overlap([["a"]])
