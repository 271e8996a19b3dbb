import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.stats import chisquare

from lexiscope.kernels.rng import alias_table, bounded, next_state, random_bits, sample_alias
from tests.kernels.predictive.reference_loop import ReferenceRng


def fractions(table):
    """Probability of each index, from the entries."""
    own = (table >> np.uint64(32)).astype(np.float64) / 2**32
    found = own.copy()
    np.add.at(found, (table & np.uint64(0xFFFFFFFF)).astype(np.int64), 1 - own)
    return found / len(table)


@pytest.mark.parametrize(
    "weights",
    [[1.0], [1.0, 1.0], [3.0, 1.0], [1e-9, 1.0, 1e9], [0.0, 2.0, 0.0], np.arange(1, 500) ** -0.75],
    ids=["one", "equal", "two", "extremes", "zeros", "zipf"],
)
def test_an_alias_table_holds_the_given_distribution(weights):
    weights = np.array(weights, np.float64)

    assert_allclose(fractions(alias_table(weights)), weights / weights.sum(), atol=1e-9)


@njit
def _samples(table, seed, out):
    state = np.uint64(seed)
    for i in range(out.shape[0]):
        state = next_state(state)
        out[i] = sample_alias(random_bits(state), table)


def test_indices_are_sampled_in_proportion_to_their_weights():
    weights = np.arange(1, 41) ** -0.75
    out = np.empty(200_000, np.int64)

    _samples(alias_table(weights), 7, out)

    expected = weights / weights.sum() * len(out)
    assert chisquare(np.bincount(out, minlength=40), expected).pvalue > 1e-3


def test_samples_agree_with_the_reference():
    table, rng, out = alias_table(np.array([5.0, 1, 3, 1])), ReferenceRng(3), np.empty(50, np.int64)

    _samples(table, 3, out)

    assert out.tolist() == [rng.sample(table) for _ in range(50)]


@njit
def _below(limit, seed, out):
    state = np.uint64(seed)
    for i in range(out.shape[0]):
        state = next_state(state)
        out[i] = bounded(random_bits(state), limit)


def test_bounded_integers_are_uniform():
    out = np.empty(100_000, np.int64)

    _below(7, 11, out)

    assert chisquare(np.bincount(out, minlength=7)).pvalue > 1e-3
    assert out.tolist()[:20] == [
        ReferenceRng.below(c, 7) for c in [ReferenceRng(11)] for _ in range(20)
    ]


def test_the_first_bits_are_those_of_splitmix64():
    """The first numbers of the reference implementation for seed 1234567."""
    rng = ReferenceRng(1234567)

    assert [rng.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
