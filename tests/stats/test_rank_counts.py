import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.errors import Undefined
from lexiscope.stats.rank_counts import first_ranks, last_ranks, means

TABLE = np.array([[9.0, 5, 1, 4], [7, 5, 2, 4], [8, 3, 3, 4]])


def test_the_mean_gives_all_columns_equal_weight():
    assert_allclose(means(TABLE), [4.75, 4.5, 4.5])


def test_a_shared_first_rank_is_a_tie():
    found = first_ranks(TABLE)

    assert found.untied.tolist() == [1, 0, 1]
    assert found.ties == ((1, (0, 1)), (3, (0, 1, 2)))


def test_last_ranks_are_counted_in_the_same_way():
    found = last_ranks(TABLE)

    assert found.untied.tolist() == [1, 1, 1]
    assert found.ties == ((3, (0, 1, 2)),)


def by_sorting(table):
    """First ranks by sorting each column."""
    untied = [0] * len(table)
    for column in zip(*table, strict=True):
        (_, _), (second, _), (best, member) = sorted((score, m) for m, score in enumerate(column))
        untied[member] += second < best
    return untied


@pytest.mark.parametrize("seed", range(10))
def test_first_and_last_ranks_equal_those_by_sorting(seed):
    table = np.random.default_rng(seed).integers(0, 4, (3, 12)).astype(np.float64)

    assert first_ranks(table).untied.tolist() == by_sorting(table.tolist())
    assert last_ranks(table).untied.tolist() == by_sorting((-table).tolist())


@pytest.mark.parametrize("function", [means, first_ranks, last_ranks])
def test_incomplete_tables_are_undefined(function):
    with pytest.raises(Undefined, match="member 1 has no score in column 0"):
        function(np.array([[1.0, 2], [np.nan, 5]]))
