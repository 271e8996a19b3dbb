"""The prequential code, worked by hand."""

import numpy as np

from lexiscope.stats.curves.description_length import description_length


def test_the_first_block_costs_as_much_as_the_uniform_code():
    assert description_length(np.array([[np.nan]]), 10, 8).tolist() == [30.0]


def test_further_blocks_cost_what_the_model_needs():
    bits = np.array([[5.0, 3.0, np.nan], [10.0, 10.0, np.nan]])

    assert description_length(bits, 10, 2).tolist() == [18.0, 30.0]
