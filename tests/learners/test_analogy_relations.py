import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.learners.analogy_relations import classifiers, mean_offsets, training_pairs

# Two sections of four pairs (0, 1), (2, 3), ... (14, 15); each pair is the query of the one before.
PAIRS = np.arange(16).reshape(8, 2)
SECTION = np.repeat([0, 1], 4)
NEXT = np.array([1, 2, 3, 0, 5, 6, 7, 4])
TRAINING = training_pairs(SECTION, PAIRS, PAIRS[NEXT])
VECTORS = np.random.default_rng(0).normal(size=(60, 5)).astype(np.float32)


def offsets(vectors):
    return mean_offsets(vectors, TRAINING)


def weights(vectors):
    return classifiers(vectors, TRAINING, np.random.default_rng(0))


def test_the_training_pairs_are_the_other_pairs_of_the_section():
    others = TRAINING.of_query(int(TRAINING.query[0]))

    assert TRAINING.queries[TRAINING.query[0]].tolist() == [0, 2, 3]
    assert others.tolist() == [[0, 1], [4, 5], [6, 7]]


def test_pairs_with_the_third_word_or_the_answer_are_excluded():
    first = np.array([[0, 1], [9, 2], [3, 8], [2, 7], [0, 1], [4, 5]])
    second = np.tile([2, 3], (6, 1))

    found = training_pairs(np.zeros(6, np.int64), first, second)

    assert found.query.tolist() == [0] * 6
    assert found.of_query(0).tolist() == [[0, 1], [4, 5]]


def test_the_mean_offset_is_over_normalised_vectors():
    rows = VECTORS / np.linalg.norm(VECTORS, axis=1)[:, None]

    found = offsets(VECTORS)

    expected = np.mean([rows[1] - rows[0], rows[5] - rows[4], rows[7] - rows[6]], axis=0)
    assert_allclose(found.rows[found.row[0]], expected, rtol=1e-5)


@pytest.mark.parametrize("learn", [offsets, weights])
def test_no_model_depends_on_the_vectors_of_its_query(learn):
    moved = VECTORS.copy()
    moved[[2, 3]] = [[9, 0, 0, 0, 0], [0, 0, 0, 0, -9]]

    before, after = learn(VECTORS), learn(moved)

    same = [np.array_equal(before.rows[row], after.rows[row]) for row in before.row]
    # The moved pair is the query of question 0; it trains questions 1 to 3, but not 4 to 7.
    assert same == [True, False, False, False, True, True, True, True]


def test_a_classifier_separates_targets_from_sources():
    separable = VECTORS.copy()
    separable[1:16:2, 0] += 5  # targets have a common direction

    found = weights(separable)

    assert found.rows.shape == (8, 6)
    assert (found.rows[:, 0] > np.abs(found.rows[:, 1:5]).max(axis=1)).all()


def test_threads_do_not_change_the_models(monkeypatch):
    found = []
    for threads in ("1", "4"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        found.append(weights(VECTORS).rows.tolist())

    assert found[0] == found[1]
