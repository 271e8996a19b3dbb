import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.stats.relations import classifiers, lessons, mean_offsets

# Two sections of four pairs (0, 1), (2, 3), ... (14, 15); each pair asks about the next.
PAIRS = np.arange(16).reshape(8, 2)
SECTION = np.repeat([0, 1], 4)
NEXT = np.array([1, 2, 3, 0, 5, 6, 7, 4])
LESSONS = lessons(SECTION, PAIRS, PAIRS[NEXT])
VECTORS = np.random.default_rng(0).normal(size=(60, 5)).astype(np.float32)


def offsets(vectors):
    return mean_offsets(vectors, LESSONS)


def weights(vectors):
    return classifiers(vectors, LESSONS, np.random.default_rng(0))


def test_a_question_learns_from_the_other_pairs_of_its_section():
    others = LESSONS.others(int(LESSONS.lesson[0]))

    assert LESSONS.asked[LESSONS.lesson[0]].tolist() == [0, 2, 3]
    assert others.tolist() == [[0, 1], [4, 5], [6, 7]]


def test_pairs_that_hold_the_third_word_or_the_answer_are_no_lesson():
    first = np.array([[0, 1], [9, 2], [3, 8], [2, 7], [0, 1], [4, 5]])
    second = np.tile([2, 3], (6, 1))

    found = lessons(np.zeros(6, np.int64), first, second)

    assert found.lesson.tolist() == [0] * 6
    assert found.others(0).tolist() == [[0, 1], [4, 5]]


def test_the_mean_offset_is_over_vectors_of_length_one():
    rows = VECTORS / np.linalg.norm(VECTORS, axis=1)[:, None]

    found = offsets(VECTORS)

    expected = np.mean([rows[1] - rows[0], rows[5] - rows[4], rows[7] - rows[6]], axis=0)
    assert_allclose(found.rows[found.row[0]], expected, rtol=1e-5)


@pytest.mark.parametrize("learn", [offsets, weights])
def test_nothing_leaks_from_the_words_asked_about(learn):
    moved = VECTORS.copy()
    moved[[2, 3]] = [[9, 0, 0, 0, 0], [0, 0, 0, 0, -9]]

    before, after = learn(VECTORS), learn(moved)

    same = [np.array_equal(before.rows[row], after.rows[row]) for row in before.row]
    # Question 0 asks about the pair that moved; questions 1 to 3 learn from it; 4 to 7 do not.
    assert same == [True, False, False, False, True, True, True, True]


def test_a_classifier_tells_targets_from_sources():
    apart = VECTORS.copy()
    apart[1:16:2, 0] += 5  # targets lie in one direction

    found = weights(apart)

    assert found.rows.shape == (8, 6)
    assert (found.rows[:, 0] > np.abs(found.rows[:, 1:5]).max(axis=1)).all()


def test_threads_do_not_change_what_is_learnt(monkeypatch):
    found = []
    for threads in ("1", "4"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        found.append(weights(VECTORS).rows.tolist())

    assert found[0] == found[1]
