import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.errors import Undefined
from lexiscope.stats.rankings import last_places, means, winners

TABLE = np.array([[9.0, 5, 1, 4], [7, 5, 2, 4], [8, 3, 3, 4]])


def test_the_mean_counts_every_column_the_same():
    assert_allclose(means(TABLE), [4.75, 4.5, 4.5])


def test_a_shared_first_place_is_a_tie_and_nobodys_win():
    found = winners(TABLE)

    assert found.alone.tolist() == [1, 0, 1]
    assert found.ties == ((1, (0, 1)), (3, (0, 1, 2)))


def test_last_places_are_counted_in_the_same_way():
    found = last_places(TABLE)

    assert found.alone.tolist() == [1, 1, 1]
    assert found.ties == ((3, (0, 1, 2)),)


def by_sorting(table):
    """Per column the best member, if the second best is worse."""
    alone = [0] * len(table)
    for column in zip(*table, strict=True):
        (_, _), (second, _), (best, member) = sorted((score, m) for m, score in enumerate(column))
        alone[member] += second < best
    return alone


@pytest.mark.parametrize("seed", range(10))
def test_sole_winners_equal_those_by_sorting(seed):
    table = np.random.default_rng(seed).integers(0, 4, (3, 12)).astype(np.float64)

    assert winners(table).alone.tolist() == by_sorting(table.tolist())
    assert last_places(table).alone.tolist() == by_sorting((-table).tolist())


@pytest.mark.parametrize("function", [means, winners, last_places])
def test_members_with_scores_in_different_columns_are_not_compared(function):
    with pytest.raises(Undefined, match="member 1 has no score in column 0"):
        function(np.array([[1.0, 2], [np.nan, 5]]))
