import numpy as np
from numpy.testing import assert_allclose

from lexiscope.linalg.cosine import cosine


def test_cosine_of_each_pair_of_rows():
    left = np.array([[1, 0], [3, 4], [1, 1]], np.float32)
    right = np.array([[0, 5], [6, 8], [-2, -2]], np.float32)

    assert_allclose(cosine(left, right), [0, 1, -1], atol=1e-15)


def test_vectors_with_very_small_and_very_large_norms_have_cosines():
    tiny, huge = np.array([[1e-30, 0]], np.float32), np.array([[1e30, 1e30]], np.float32)

    assert_allclose(cosine(tiny, huge), [np.sqrt(0.5)])
