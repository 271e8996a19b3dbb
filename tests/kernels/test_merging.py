import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.merging import merge


def test_a_row_moves_by_its_share_of_how_far_all_copies_moved():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((5, 16)).astype(np.float32)
    copies = table + rng.standard_normal((3, 5, 16)).astype(np.float32)
    before, moved = table.copy(), (copies - table).sum(0)
    shares = np.array([9, 1, 0.5, 1, 9], np.float32)

    merge(table, copies, shares, 1, 4)

    assert_allclose(table[1:4], before[1:4] + moved[1:4] * shares[1:4, None], rtol=1e-5, atol=1e-6)
    assert_array_equal(copies[:, 1:4], np.broadcast_to(table[1:4], (3, 3, 16)))


def test_rows_outside_are_left_alone():
    table = np.zeros((5, 8), np.float32)
    copies, shares = np.ones((2, 5, 8), np.float32), np.ones(5, np.float32)

    merge(table, copies, shares, 1, 4)

    assert_array_equal(table[[0, 4]], 0)
    assert_array_equal(copies[:, [0, 4]], 1)
    assert_array_equal(table[1:4], 2)
