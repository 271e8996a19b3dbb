import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from lexiscope.linalg.cca import dense_directions, sparse_directions


def tables(seed=0, rows=300):
    """Two views of tokens, one-hot features that agree for most tokens."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, rows)
    right = np.where(rng.random(rows) < 0.6, left, rng.integers(0, 5, rows))
    return np.eye(5)[left], np.eye(5)[right]


def correlations(left, right):
    """Uncentred correlation of each pair of columns."""
    norms = np.linalg.norm(left, axis=0) * np.linalg.norm(right, axis=0)
    return (left * right).sum(axis=0) / norms


def test_correlations_are_the_singular_values_of_the_whitened_covariance():
    left, right = tables()
    counts = left.sum(axis=0), right.sum(axis=0)
    roots = [np.sqrt(np.maximum(count, 1)) for count in counts]
    best = np.linalg.svd(left.T @ right / np.outer(*roots), compute_uv=False)

    found = sparse_directions(csr_array(left.T @ right), *counts, 3, np.random.default_rng(0))

    assert_allclose(correlations(left @ found.left, right @ found.right), best[:3], atol=1e-5)
    assert_array_equal(found.left[4], 0)  # a feature that never occurs


def test_linearly_dependent_states_do_not_change_the_directions():
    left, right = tables()
    states = right[:, :4]
    twice = np.hstack([states, states])

    once, doubled = (
        dense_directions(left.T @ each, left.sum(axis=0), each.T @ each, 3)
        for each in (states, twice)
    )

    assert_allclose(np.abs(once), np.abs(doubled), atol=1e-8)


def test_directions_beyond_the_rank_are_zero():
    left, right = tables()
    states = right[:, :2]

    found = dense_directions(left.T @ states, left.sum(axis=0), states.T @ states, 4)

    assert found.shape == (5, 4)
    assert found[:, :2].any(axis=0).all()
    assert_array_equal(found[:, 2:], 0)
