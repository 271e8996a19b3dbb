import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive.shard_merge import merge


def test_a_row_changes_by_its_fraction_of_the_summed_changes():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((5, 16)).astype(np.float32)
    copies = table + rng.standard_normal((3, 5, 16)).astype(np.float32)
    before, changes = table.copy(), (copies - table).sum(0)
    fractions = np.array([9, 1, 0.5, 1, 9], np.float32)

    merge(table, copies, fractions, 1, 4)

    assert_allclose(
        table[1:4], before[1:4] + changes[1:4] * fractions[1:4, None], rtol=1e-5, atol=1e-6
    )
    assert_array_equal(copies[:, 1:4], np.broadcast_to(table[1:4], (3, 3, 16)))


def test_rows_outside_the_range_do_not_change():
    table = np.zeros((5, 8), np.float32)
    copies, fractions = np.ones((2, 5, 8), np.float32), np.ones(5, np.float32)

    merge(table, copies, fractions, 1, 4)

    assert_array_equal(table[[0, 4]], 0)
    assert_array_equal(copies[:, [0, 4]], 1)
    assert_array_equal(table[1:4], 2)
