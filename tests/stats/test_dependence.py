from itertools import permutations

import numpy as np
import pytest

from lexiscope.stats.dependence import Dependence, dependence
from lexiscope.stats.standard_error import standard_error


def dense_moments(units, strata):
    """The correction and the degrees of freedom with dense matrices, as in the formulas."""
    items = len(units)
    codes = sorted({code for row in units.tolist() for code in row})
    z = np.array([[float(code in row) for code in codes] for row in units.tolist()])
    b = (z @ z.T > 0).astype(float)
    groups = np.unique(strata, return_inverse=True)[1]
    same = groups[:, None] == groups[None, :]
    m = np.eye(items) - same / same.sum(axis=1, keepdims=True)
    recurring = z.sum(axis=0) > 1
    alone = ~z[:, recurring].any(axis=1)
    z = np.hstack([z[:, recurring], np.eye(items)[:, alone]])
    q = z.T @ m @ b @ m @ z
    return np.sum(z.sum(axis=0) ** 2) / np.trace(q), np.trace(q) ** 2 / np.sum(q**2)


def questions(sections, pairs, shared):
    rows = [
        [100 * s + i, 100 * s + 50 + i % shared, 100 * s + j, 100 * s + 50 + j % shared]
        for s in range(sections)
        for i, j in permutations(range(pairs), 2)
    ]
    return np.array(rows), np.repeat(np.arange(sections), pairs * (pairs - 1))


CASES = {
    "clusters": (np.array([[k % 5] for k in range(23)]), np.zeros(23, int)),
    "clusters and singletons": (np.array([[0], [0], [0], [1], [1], [2], [3]]), np.zeros(7, int)),
    "pairs of words": (
        np.random.default_rng(0).integers(0, 20, (40, 2)),
        np.zeros(40, int),
    ),
    "queries with recurring answers": (
        np.array([[k, 100 + k % 4] for k in range(30)]),
        np.zeros(30, int),
    ),
    "sections of analogies": questions(3, 5, 5),
    "analogies that share words": questions(2, 6, 3),
}


@pytest.mark.parametrize("name", CASES)
def test_moments_agree_with_dense_matrices(name):
    units, strata = CASES[name]

    found = dependence(units, strata)

    correction, freedom = dense_moments(units, strata)
    assert found.correction == pytest.approx(correction)
    assert found.degrees_of_freedom == pytest.approx(freedom)


def test_equal_clusters_have_the_usual_correction_and_degrees_of_freedom():
    found = dependence(np.repeat(np.arange(6), 4)[:, None])

    assert not found.crossed
    assert found.correction == pytest.approx(6 / 5)
    assert found.degrees_of_freedom == pytest.approx(5)


def test_units_of_single_items_do_not_count():
    answers = np.array([[k, 100 + k % 4] for k in range(20)])

    both, only = dependence(answers), dependence(answers[:, 1:])

    assert not both.crossed
    assert both.degrees_of_freedom == pytest.approx(only.degrees_of_freedom) == pytest.approx(3)


@pytest.mark.parametrize("name", CASES)
def test_the_variance_is_unbiased_if_units_have_effects(name):
    units, strata = CASES[name]
    found = dependence(units, strata)
    effects = np.random.default_rng(0).normal(size=(4000, found.membership.shape[1]))
    values = effects @ found.membership.toarray().T

    estimates = [found.variance(row) for row in values]

    assert np.mean(estimates) == pytest.approx(np.var(values.mean(axis=1)), rel=0.12)


def test_differences_between_strata_are_no_sampling_error():
    units, strata = questions(2, 6, 6)
    values = np.random.default_rng(0).normal(size=len(units))

    plain = standard_error(values, units, strata)
    shifted = standard_error(values + 10 * strata, units, strata)

    assert shifted.error == pytest.approx(plain.error)
    assert standard_error(values + 10 * strata, units).error > 3 * plain.error


def test_a_result_is_cached_by_content():
    units = np.array([[0, 1], [1, 2], [2, 0], [3, 1]])

    assert dependence(units) is dependence(units.copy())
    assert isinstance(dependence(units), Dependence)
    assert dependence(units[:3]) is not dependence(units)
