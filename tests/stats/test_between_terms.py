"""Samples of one term against samples of different terms."""

import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.metrics.consistency import directions
from lexiscope.stats.between_terms import (
    error_of_terms,
    nearest_in_frequency,
    proportion_interval,
    term_null,
)


def vectors(samples=2, terms=40, strength=1.0, seed=0):
    rng = np.random.default_rng(seed)
    own = strength * rng.normal(size=(terms, 10))
    return directions(own + 0.5 * rng.normal(size=(samples, terms, 10)))


def null_of(units, frequency=None, **settings):
    terms = units.shape[1]
    frequency = np.arange(terms) + 10 if frequency is None else frequency
    return term_null(units, frequency, np.random.default_rng(1), **settings)


@pytest.mark.parametrize("samples", [2, 5])
def test_similar_samples_are_significant(samples):
    found = null_of(vectors(samples))
    assert (found.p <= 0.05).mean() > 0.9
    assert found.p_of_mean == pytest.approx(0.001)
    assert found.excess.mean() > 0.5


@pytest.mark.parametrize("samples", [2, 5])
def test_permuted_terms_are_not(samples):
    units = vectors(samples)
    rng = np.random.default_rng(2)
    permuted = np.stack([sample[rng.permutation(40)] for sample in units])
    found = null_of(permuted)
    assert (found.p <= 0.05).mean() < 0.2
    assert found.p_of_mean > 0.01
    assert abs(found.excess.mean()) < 0.1


def test_two_samples_use_every_replacement():
    units = vectors(terms=25)
    found = null_of(units, similar_terms=24)
    cosines = units[0] @ units[1].T
    others = np.concatenate([np.delete(cosines[3], 3), np.delete(cosines[:, 3], 3)])
    reached = np.mean(others >= cosines[3, 3])
    assert found.between[3] == pytest.approx(others.mean())
    assert found.p[3] == pytest.approx((1 + 24 * reached) / 25)


def test_few_terms_have_a_null_but_no_p_value():
    found = null_of(vectors(terms=19))
    assert np.isfinite(found.between).all()
    assert np.isnan(found.p).all()
    assert np.isfinite(null_of(vectors(terms=20)).p).all()


def test_the_influence_is_that_of_leaving_terms_out():
    units = vectors(samples=3, terms=30)
    together = null_of(units, similar_terms=29, draws=1)
    without = [
        null_of(np.delete(units, t, axis=1), similar_terms=28, draws=1).excess.mean()
        for t in range(30)
    ]
    jackknife = 29 * (together.excess.mean() - np.array(without))
    assert together.influence == pytest.approx(jackknife, abs=1e-9)
    sums = together.influence + together.influence_on_between
    assert sums == pytest.approx(together.within - together.within.mean())


def test_terms_without_two_vectors_have_no_value():
    units = vectors(samples=3, terms=30)
    units[1:, 4] = np.nan
    units[2, 5] = np.nan
    found = null_of(units)
    for column in (found.within, found.between, found.p, found.excess, found.influence):
        assert np.isnan(column[4])
        assert np.isfinite(np.delete(column, 4)).all()


@pytest.mark.parametrize("terms", [0, 1, 2])
def test_hardly_any_terms(terms):
    found = null_of(vectors(terms=terms))
    assert len(found.within) == terms
    assert np.isnan(found.p).all()


def test_similar_terms_are_nearest_in_frequency():
    present, frequency = np.ones((2, 6), np.bool_), np.array([10, 11, 12, 100, 110, 1000])
    near = nearest_in_frequency(present, frequency, np.random.default_rng(0), 2)
    assert near[0].tolist() == [1, 2]
    assert near[5].tolist() == [3, 4]


def test_a_similar_term_has_all_samples_of_the_term():
    present = np.array([[True, True, True], [True, True, True], [True, False, True]])
    near = nearest_in_frequency(present, np.ones(3, np.int64), np.random.default_rng(0), 5)
    assert [each.tolist() for each in near] == [[2], [0, 2], [0]]


def test_the_same_generator_gives_the_same_null():
    one, two = null_of(vectors(5)), null_of(vectors(5))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.p, two.p)


def test_intervals_of_proportions_are_within_0_and_1():
    low, high = proportion_interval(0.0, 30)
    assert low == 0
    assert 0 < high < 0.2
    low, high = proportion_interval(1.0, 30)
    assert 0.8 < low < 1
    assert high == 1


def test_one_term_has_no_error():
    with pytest.raises(Undefined, match="one term"):
        error_of_terms(np.array([1.0, np.nan]))
