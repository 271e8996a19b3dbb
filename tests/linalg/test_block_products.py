"""Sparse vectors give the same results as the equivalent dense vectors."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import table
from lexiscope.learners.analogy_relations import (
    RelationModels,
    classifiers,
    mean_offsets,
    training_pairs,
)
from lexiscope.linalg.analogy_search import lr_cos, three_cos_add, three_cos_avg, three_cos_mul
from lexiscope.linalg.block_products import directions, multiplier, stack_queries
from lexiscope.linalg.cosine import cosine, dots
from lexiscope.linalg.neighbours import nearest, neighbours
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.purity import kmeans_clusters
from tests.sparse import sparse_table

WORDS = 700
# Rows from 600 on are copies of rows in another block.
EQUAL = [(n, 600 + n) for n in range(20)]
DENSE = sparse_table(WORDS, equal=EQUAL)
SPARSE = table(sparse.csr_array(DENSE))


def both(words=300, **settings):
    dense = sparse_table(words, **settings)
    return dense, table(sparse.csr_array(dense))


def test_cosines_norms_and_products_of_rows():
    dense, rows = both(2500)
    shuffled = np.random.default_rng(0).permutation(2500)

    assert_allclose(cosine(rows, rows[shuffled]), cosine(dense, dense[shuffled]), rtol=1e-12)
    assert_allclose(normalize_rows(rows).toarray(), normalize_rows(dense), rtol=1e-6)
    assert normalize_rows(rows).dtype == np.float32
    assert_allclose(dots(rows, rows[shuffled]), dots(dense, dense[shuffled]), rtol=1e-5)


def test_cosines_of_very_short_and_very_long_rows():
    tiny, huge = (table(sparse.csr_array([[number, 0], [0, number]])) for number in (1e-30, 1e30))

    assert_allclose(cosine(tiny, huge), [1, 1])


def test_nearest_rows_with_zero_rows_and_equal_rows():
    dense, rows = both(5000, empty=[0, 17, 4999], equal=[(3, 2100), (3, 4500), (40, 41)])
    queries = np.setdiff1d(np.arange(1200), [0, 17])

    found, expected = nearest(rows, queries, 6), nearest(dense, queries, 6)

    assert_array_equal(found.indices, expected.indices)
    assert_allclose(found.cosines, expected.cosines, rtol=1e-6)
    assert found.indices[np.searchsorted(queries, 3), :2].tolist() == [2100, 4500]


def test_equal_cosines_are_ordered_by_row():
    rows = table(sparse.csr_array(np.eye(4)[np.arange(10_000) % 4] * 3))

    found = nearest(rows, np.array([0, 9996, 5001]), 3)

    assert found.indices.tolist() == [[4, 8, 12], [0, 4, 8], [1, 5, 9]]
    assert (found.cosines == 1).all()


def test_rows_without_common_columns_have_cosine_zero_and_zero_rows_are_excluded():
    rows = table(sparse.csr_array([[1.0, 0], [0, 0], [0, 1.0], [0, 2.0]]))

    found = nearest(rows, np.array([0]), 3)

    assert found.indices.tolist() == [[2, 3, -1]]
    assert found.cosines[0, :2].tolist() == [0, 0]


def test_neighbours_of_words():
    dense, rows = both(100, empty=[7])
    words = [f"w{n}" for n in range(100)]
    queries = ["w3", "w99", "w50"]

    found, expected = (
        neighbours(embedding("e", words, each), queries, 5) for each in (rows, dense)
    )

    for word in queries:
        assert [near.word for near in found[word]] == [near.word for near in expected[word]]
        assert_allclose(*([n.cosine for n in each[word]] for each in (found, expected)), rtol=1e-6)


def pairs(sections=6, size=9):
    """Sections of word pairs; each pair forms an analogy with the next one."""
    words = np.random.default_rng(1).permutation(sections * size * 2).reshape(sections, size, 2)
    section = np.repeat(np.arange(sections), size)
    return section, words.reshape(-1, 2), np.roll(words, 1, axis=1).reshape(-1, 2)


SECTION, FIRST, SECOND = pairs()
TRAINING_PAIRS = training_pairs(SECTION, FIRST, SECOND)
QUESTIONS = FIRST[:, 0], FIRST[:, 1], SECOND[:, 0]


def solve_three_cos_avg(vectors):
    return three_cos_avg(vectors, *QUESTIONS, mean_offsets(vectors, TRAINING_PAIRS))


def solve_lr_cos(vectors):
    return lr_cos(
        vectors, *QUESTIONS, classifiers(vectors, TRAINING_PAIRS, np.random.default_rng(2))
    )


SOLVERS = {
    "3CosAdd": lambda vectors: three_cos_add(vectors, *QUESTIONS),
    "3CosMul": lambda vectors: three_cos_mul(vectors, *QUESTIONS, 1e-3),
    "3CosAvg": solve_three_cos_avg,
    "LRCos": solve_lr_cos,
}


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_every_solver_gives_the_same_predictions(solve):
    found = solve(SPARSE)

    assert_array_equal(found, solve(DENSE))
    assert len(set(found.tolist())) > 20


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_threads_do_not_change_the_predictions(monkeypatch, solve):
    predictions = []
    for threads in ("1", "3"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        predictions.append(solve(SPARSE).tolist())

    assert predictions[0] == predictions[1]


@pytest.mark.parametrize("index", [3, 300, 700])
def test_of_equal_vectors_the_earlier_word_wins_in_any_block(monkeypatch, index):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    dense = np.zeros((1000, 4))
    dense[:, 3] = 1
    dense[:3, :3] = np.eye(3)
    dense[:3, 3] = 0
    dense[index:] = [0, 2, 2, 0]
    rows = table(sparse.csr_array(dense))
    question = np.array([0]), np.array([1]), np.array([2])

    assert three_cos_add(rows, *question).tolist() == [index]
    assert three_cos_mul(rows, *question, 1e-6).tolist() == [index]


def test_a_word_may_occur_twice_in_a_question_and_all_words_may_be_excluded():
    rows = table(sparse.csr_array([[1, 0], [0.6, 0.8], [0, 1]]))

    assert three_cos_add(rows, np.array([0]), np.array([0]), np.array([2])).tolist() == [1]
    assert three_cos_add(rows, np.array([0]), np.array([1]), np.array([2])).tolist() == [-1]


def test_sparse_mean_offsets_represent_the_dense_ones():
    normalized = DENSE / np.linalg.norm(DENSE.astype(np.float64), axis=1)[:, None]

    found, expected = mean_offsets(SPARSE, TRAINING_PAIRS), mean_offsets(DENSE, TRAINING_PAIRS)

    assert_array_equal(found.row, expected.row)
    assert_allclose(found.rows @ normalized, expected.rows, atol=1e-6)


def test_sparse_classifiers_represent_the_dense_ones():
    normalized = DENSE / np.linalg.norm(DENSE.astype(np.float64), axis=1)[:, None]

    found, expected = (
        classifiers(v, TRAINING_PAIRS, np.random.default_rng(2)) for v in (SPARSE, DENSE)
    )

    assert_array_equal(found.row, expected.row)
    assert_allclose(found.rows[:, :-1] @ normalized, expected.rows[:, :-1], atol=1e-5)
    assert_allclose(found.rows[:, [WORDS]].toarray(), expected.rows[:, -1:], atol=1e-5)


def test_classifiers_can_be_trained_on_equal_vectors():
    dense, rows = both(60, equal=[(n, n + 1) for n in range(0, 30, 2)])

    found, expected = (solve_with_few_pairs(vectors) for vectors in (rows, dense))

    assert_array_equal(found, expected)


def solve_with_few_pairs(vectors):
    section, first, second = pairs(3, 8)
    models = classifiers(vectors, training_pairs(section, first, second), np.random.default_rng(0))
    return lr_cos(vectors, first[:, 0], first[:, 1], second[:, 0], models)


def test_without_mean_offsets_there_is_no_prediction():
    few = training_pairs(np.zeros(1, int), np.array([[0, 1]]), np.array([[2, 3]]))
    question = np.array([0]), np.array([1]), np.array([2])

    assert three_cos_avg(SPARSE, *question, mean_offsets(SPARSE, few)).tolist() == [-1]
    assert isinstance(mean_offsets(SPARSE, few), RelationModels)


def test_products_with_weights_of_words_are_products_with_their_weighted_sum():
    words, others = np.array([5, 9, 5]), np.array([1, 1, 2])
    out = []
    for vectors in (SPARSE, DENSE):
        one, other = directions(vectors, words), directions(vectors, others)
        queries = stack_queries(one, other - one)
        out.append(np.empty((6, 188), np.float32))
        multiplier(vectors, queries, 256)(512, out[-1])

    assert_allclose(*out, atol=1e-6)


def test_clusters_are_the_same():
    rng = np.random.default_rng(0)
    dense = sparse_table(90, dimension=60, density=0.05)
    for kind in range(3):  # words of a category have columns in common
        dense[30 * kind : 30 * kind + 30, 20 * kind : 20 * kind + 10] += rng.gamma(2, size=(30, 10))
    dense[50] = dense[3] = dense[4]
    rows = table(sparse.csr_array(dense))

    assert_array_equal(kmeans_clusters(rows, 3, [1, 2, 3]), kmeans_clusters(dense, 3, [1, 2, 3]))


def test_clustering_needs_as_many_distinct_rows_as_clusters():
    rows = table(sparse.csr_array([[1.0, 0], [2.0, 0], [0, 1.0], [1.0, 0]]))

    with pytest.raises(Undefined, match="only 2 different vectors for 3 categories"):
        kmeans_clusters(rows, 3, [0])


def test_a_wide_sparse_table_is_never_converted_to_dense():
    words, contexts, numbers = 20_000, 40_000, 2_000_000  # 3.2 GB if dense
    rng = np.random.default_rng(0)
    cells = rng.integers(0, words, numbers), rng.integers(0, contexts, numbers)
    rows = sparse.coo_array((rng.random(numbers, np.float32), cells), (words, contexts))
    wide = embedding("wide", map(str, range(words)), rows)
    section, first, second = pairs(2, 10)
    training = training_pairs(section, first, second)
    questions = first[:, 0], first[:, 1], second[:, 0]

    tracemalloc.start()
    try:
        nearest(wide.vectors, np.arange(50), 10, wide.lengths)
        three_cos_add(wide.vectors, *questions)
        three_cos_mul(wide.vectors, *questions, 1e-6)
        three_cos_avg(wide.vectors, *questions, mean_offsets(wide.vectors, training))
        lr_cos(wide.vectors, *questions, classifiers(wide.vectors, training, rng))
        _ = wide.has_mean_direction, wide.fingerprint, wide.first(10_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 100e6
