import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.errors import Undefined
from lexiscope.stats.win_counts import last_places, means, winners

TABLE = np.array([[9.0, 5, 1, 4], [7, 5, 2, 4], [8, 3, 3, 4]])


def test_the_mean_gives_all_columns_equal_weight():
    assert_allclose(means(TABLE), [4.75, 4.5, 4.5])


def test_tied_members_do_not_win():
    found = winners(TABLE)

    assert found.untied.tolist() == [1, 0, 1]
    assert found.ties == ((1, (0, 1)), (3, (0, 1, 2)))


def test_last_places_are_counted_in_the_same_way():
    found = last_places(TABLE)

    assert found.untied.tolist() == [1, 1, 1]
    assert found.ties == ((3, (0, 1, 2)),)


def by_sorting(table):
    """Wins by sorting each column."""
    untied = [0] * len(table)
    for column in zip(*table, strict=True):
        (_, _), (second, _), (best, member) = sorted((score, m) for m, score in enumerate(column))
        untied[member] += second < best
    return untied


@pytest.mark.parametrize("seed", range(10))
def test_wins_equal_those_by_sorting(seed):
    table = np.random.default_rng(seed).integers(0, 4, (3, 12)).astype(np.float64)

    assert winners(table).untied.tolist() == by_sorting(table.tolist())
    assert last_places(table).untied.tolist() == by_sorting((-table).tolist())


@pytest.mark.parametrize("function", [means, winners, last_places])
def test_incomplete_tables_are_undefined(function):
    with pytest.raises(Undefined, match="member 1 has no score in column 0"):
        function(np.array([[1.0, 2], [np.nan, 5]]))
