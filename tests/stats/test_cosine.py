import numpy as np
from numpy.testing import assert_allclose

from lexiscope.stats.cosine import cosine, unit


def test_cosine_of_each_pair_of_rows():
    left = np.array([[1, 0], [3, 4], [1, 1]], np.float32)
    right = np.array([[0, 5], [6, 8], [-2, -2]], np.float32)

    assert_allclose(cosine(left, right), [0, 1, -1], atol=1e-15)


def test_very_short_and_very_long_vectors_have_cosines_too():
    tiny, huge = np.array([[1e-30, 0]], np.float32), np.array([[1e30, 1e30]], np.float32)

    assert_allclose(cosine(tiny, huge), [np.sqrt(0.5)])


def test_unit_rows_have_length_one():
    rows = np.array([[3.0, 4.0], [0.0, -2.0]])

    assert_allclose(unit(rows), [[0.6, 0.8], [0, -1]])
    assert rows.tolist() == [[3, 4], [0, -2]]
