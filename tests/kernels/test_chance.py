import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.stats import chisquare

from lexiscope.kernels.chance import alias_table, below, drawn, following, mixed
from tests.kernels.walked import Chance


def shares(table):
    """How likely each place is, from the entries."""
    own = (table >> np.uint64(32)).astype(np.float64) / 2**32
    found = own.copy()
    np.add.at(found, (table & np.uint64(0xFFFFFFFF)).astype(np.int64), 1 - own)
    return found / len(table)


@pytest.mark.parametrize(
    "weights",
    [[1.0], [1.0, 1.0], [3.0, 1.0], [1e-9, 1.0, 1e9], [0.0, 2.0, 0.0], np.arange(1, 500) ** -0.75],
    ids=["one", "alike", "two", "extremes", "zeros", "zipf"],
)
def test_a_table_holds_the_shares_it_was_made_of(weights):
    weights = np.array(weights, np.float64)

    assert_allclose(shares(alias_table(weights)), weights / weights.sum(), atol=1e-9)


@njit
def _draws(table, seed, out):
    state = np.uint64(seed)
    for i in range(out.shape[0]):
        state = following(state)
        out[i] = drawn(mixed(state), table)


def test_places_are_drawn_as_often_as_they_weigh():
    weights = np.arange(1, 41) ** -0.75
    out = np.empty(200_000, np.int64)

    _draws(alias_table(weights), 7, out)

    expected = weights / weights.sum() * len(out)
    assert chisquare(np.bincount(out, minlength=40), expected).pvalue > 1e-3


def test_draws_are_those_of_the_slow_twin():
    table, chance, out = alias_table(np.array([5.0, 1, 3, 1])), Chance(3), np.empty(50, np.int64)

    _draws(table, 3, out)

    assert out.tolist() == [chance.drawn(table) for _ in range(50)]


@njit
def _below(limit, seed, out):
    state = np.uint64(seed)
    for i in range(out.shape[0]):
        state = following(state)
        out[i] = below(mixed(state), limit)


def test_whole_numbers_below_a_limit_are_equally_likely():
    out = np.empty(100_000, np.int64)

    _below(7, 11, out)

    assert chisquare(np.bincount(out, minlength=7)).pvalue > 1e-3
    assert out.tolist()[:20] == [Chance.below(c, 7) for c in [Chance(11)] for _ in range(20)]


def test_the_first_bits_are_those_of_splitmix64():
    """The numbers of the generator's reference for seed 1234567."""
    chance = Chance(1234567)

    assert [chance.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
