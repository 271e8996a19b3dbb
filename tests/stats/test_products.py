"""Sparse vectors give what the same vectors give when every zero is written out."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import table
from lexiscope.stats.analogies import by_class, by_offset, by_product, by_sum
from lexiscope.stats.clusters import clustered
from lexiscope.stats.cosine import cosine, dots, unit
from lexiscope.stats.neighbours import nearest, neighbours
from lexiscope.stats.products import directions, multiplier, stacked
from lexiscope.stats.relations import Learnt, classifiers, lessons, mean_offsets
from tests.sparse import sparse_table

WORDS = 700
# Rows 600 on are copies of others; their own block of words differs from that of the first.
EQUAL = [(n, 600 + n) for n in range(20)]
DENSE = sparse_table(WORDS, equal=EQUAL)
SPARSE = table(sparse.csr_array(DENSE))


def both(words=300, **settings):
    dense = sparse_table(words, **settings)
    return dense, table(sparse.csr_array(dense))


def test_cosines_lengths_and_products_of_rows():
    dense, rows = both(2500)
    shuffled = np.random.default_rng(0).permutation(2500)

    assert_allclose(cosine(rows, rows[shuffled]), cosine(dense, dense[shuffled]), rtol=1e-12)
    assert_allclose(unit(rows).toarray(), unit(dense), rtol=1e-6)
    assert unit(rows).dtype == np.float32
    assert_allclose(dots(rows, rows[shuffled]), dots(dense, dense[shuffled]), rtol=1e-5)


def test_cosines_of_very_short_and_very_long_rows():
    tiny, huge = (table(sparse.csr_array([[number, 0], [0, number]])) for number in (1e-30, 1e30))

    assert_allclose(cosine(tiny, huge), [1, 1])


def test_nearest_rows_with_zero_rows_and_equal_rows():
    dense, rows = both(5000, empty=[0, 17, 4999], equal=[(3, 2100), (3, 4500), (40, 41)])
    queries = np.setdiff1d(np.arange(1200), [0, 17])

    found, wanted = nearest(rows, queries, 6), nearest(dense, queries, 6)

    assert_array_equal(found.places, wanted.places)
    assert_allclose(found.cosines, wanted.cosines, rtol=1e-6)
    assert found.places[np.searchsorted(queries, 3), :2].tolist() == [2100, 4500]


def test_equal_cosines_keep_the_order_of_the_rows():
    rows = table(sparse.csr_array(np.eye(4)[np.arange(10_000) % 4] * 3))

    found = nearest(rows, np.array([0, 9996, 5001]), 3)

    assert found.places.tolist() == [[4, 8, 12], [0, 4, 8], [1, 5, 9]]
    assert (found.cosines == 1).all()


def test_rows_without_a_common_column_are_neighbours_at_zero_and_zero_rows_are_none():
    rows = table(sparse.csr_array([[1.0, 0], [0, 0], [0, 1.0], [0, 2.0]]))

    found = nearest(rows, np.array([0]), 3)

    assert found.places.tolist() == [[2, 3, -1]]
    assert found.cosines[0, :2].tolist() == [0, 0]


def test_neighbours_of_words():
    dense, rows = both(100, empty=[7])
    words = [f"w{n}" for n in range(100)]
    asked = ["w3", "w99", "w50"]

    found, wanted = (neighbours(embedding("e", words, each), asked, 5) for each in (rows, dense))

    for word in asked:
        assert [near.word for near in found[word]] == [near.word for near in wanted[word]]
        assert_allclose(*([n.cosine for n in each[word]] for each in (found, wanted)), rtol=1e-6)


def pairs(sections=6, size=9):
    """Sections of pairs over the first words, each pair asking about the next."""
    places = np.random.default_rng(1).permutation(sections * size * 2).reshape(sections, size, 2)
    section = np.repeat(np.arange(sections), size)
    return section, places.reshape(-1, 2), np.roll(places, 1, axis=1).reshape(-1, 2)


SECTION, FIRST, SECOND = pairs()
LESSONS = lessons(SECTION, FIRST, SECOND)
ASKED = FIRST[:, 0], FIRST[:, 1], SECOND[:, 0]


def solved_by_offset(vectors):
    return by_offset(vectors, *ASKED, mean_offsets(vectors, LESSONS))


def solved_by_class(vectors):
    return by_class(vectors, *ASKED, classifiers(vectors, LESSONS, np.random.default_rng(2)))


SOLVERS = {
    "3CosAdd": lambda vectors: by_sum(vectors, *ASKED),
    "3CosMul": lambda vectors: by_product(vectors, *ASKED, 1e-3),
    "3CosAvg": solved_by_offset,
    "LRCos": solved_by_class,
}


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_every_solver_answers_the_same(solve):
    found = solve(SPARSE)

    assert_array_equal(found, solve(DENSE))
    assert len(set(found.tolist())) > 20


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_threads_do_not_change_the_answers(monkeypatch, solve):
    answers = []
    for threads in ("1", "3"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        answers.append(solve(SPARSE).tolist())

    assert answers[0] == answers[1]


@pytest.mark.parametrize("place", [3, 300, 700])
def test_of_equal_words_the_earlier_one_wins_in_any_block(monkeypatch, place):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    dense = np.zeros((1000, 4))
    dense[:, 3] = 1
    dense[:3, :3] = np.eye(3)
    dense[:3, 3] = 0
    dense[place:] = [0, 2, 2, 0]
    rows = table(sparse.csr_array(dense))
    question = np.array([0]), np.array([1]), np.array([2])

    assert by_sum(rows, *question).tolist() == [place]
    assert by_product(rows, *question, 1e-6).tolist() == [place]


def test_the_same_word_may_stand_twice_and_no_word_may_be_left():
    rows = table(sparse.csr_array([[1, 0], [0.6, 0.8], [0, 1]]))

    assert by_sum(rows, np.array([0]), np.array([0]), np.array([2])).tolist() == [1]
    assert by_sum(rows, np.array([0]), np.array([1]), np.array([2])).tolist() == [-1]


def test_what_is_learnt_stands_for_the_row_that_dense_vectors_teach():
    directed = DENSE / np.linalg.norm(DENSE.astype(np.float64), axis=1)[:, None]

    found, wanted = mean_offsets(SPARSE, LESSONS), mean_offsets(DENSE, LESSONS)

    assert_array_equal(found.row, wanted.row)
    assert_allclose(found.rows @ directed, wanted.rows, atol=1e-6)


def test_the_classifier_found_in_the_span_is_the_classifier():
    directed = DENSE / np.linalg.norm(DENSE.astype(np.float64), axis=1)[:, None]

    found, wanted = (classifiers(v, LESSONS, np.random.default_rng(2)) for v in (SPARSE, DENSE))

    assert_array_equal(found.row, wanted.row)
    assert_allclose(found.rows[:, :-1] @ directed, wanted.rows[:, :-1], atol=1e-5)
    assert_allclose(found.rows[:, [WORDS]].toarray(), wanted.rows[:, -1:], atol=1e-5)


def test_a_classifier_learns_from_words_that_are_equal():
    dense, rows = both(60, equal=[(n, n + 1) for n in range(0, 30, 2)])

    found, wanted = (solved_from(vectors) for vectors in (rows, dense))

    assert_array_equal(found, wanted)


def solved_from(vectors):
    section, first, second = pairs(3, 8)
    taught = classifiers(vectors, lessons(section, first, second), np.random.default_rng(0))
    return by_class(vectors, first[:, 0], first[:, 1], second[:, 0], taught)


def test_nothing_learnt_is_no_answer():
    few = lessons(np.zeros(1, int), np.array([[0, 1]]), np.array([[2, 3]]))
    question = np.array([0]), np.array([1]), np.array([2])

    assert by_offset(SPARSE, *question, mean_offsets(SPARSE, few)).tolist() == [-1]
    assert isinstance(mean_offsets(SPARSE, few), Learnt)


def test_products_with_weighted_words_are_those_of_their_weighted_sum():
    words, others = np.array([5, 9, 5]), np.array([1, 1, 2])
    out = []
    for vectors in (SPARSE, DENSE):
        one, other = directions(vectors, words), directions(vectors, others)
        asked = stacked(one, other - one)
        out.append(np.empty((6, 188), np.float32))
        multiplier(vectors, asked, 256)(512, out[-1])

    assert_allclose(*out, atol=1e-6)


def test_clusters_are_the_same():
    rng = np.random.default_rng(0)
    dense = sparse_table(90, dimension=60, density=0.05)
    for kind in range(3):  # words of a kind share some columns
        dense[30 * kind : 30 * kind + 30, 20 * kind : 20 * kind + 10] += rng.gamma(2, size=(30, 10))
    dense[50] = dense[3] = dense[4]
    rows = table(sparse.csr_array(dense))

    assert_array_equal(clustered(rows, 3, [1, 2, 3]), clustered(dense, 3, [1, 2, 3]))


def test_too_few_different_rows_fill_no_clusters():
    rows = table(sparse.csr_array([[1.0, 0], [2.0, 0], [0, 1.0], [1.0, 0]]))

    with pytest.raises(Undefined, match="only 2 different vectors for 3 categories"):
        clustered(rows, 3, [0])


def test_a_wide_table_is_never_written_out():
    words, contexts, numbers = 20_000, 40_000, 2_000_000  # 3.2 GB if it were
    rng = np.random.default_rng(0)
    places = rng.integers(0, words, numbers), rng.integers(0, contexts, numbers)
    rows = sparse.coo_array((rng.random(numbers, np.float32), places), (words, contexts))
    wide = embedding("wide", map(str, range(words)), rows)
    section, first, second = pairs(2, 10)
    taught = lessons(section, first, second)
    asked = first[:, 0], first[:, 1], second[:, 0]

    tracemalloc.start()
    try:
        nearest(wide.vectors, np.arange(50), 10, wide.lengths)
        by_sum(wide.vectors, *asked)
        by_product(wide.vectors, *asked, 1e-6)
        by_offset(wide.vectors, *asked, mean_offsets(wide.vectors, taught))
        by_class(wide.vectors, *asked, classifiers(wide.vectors, taught, rng))
        _ = wide.has_a_mean, wide.fingerprint, wide.first(10_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 100e6
