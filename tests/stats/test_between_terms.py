"""Samples of one term against samples of different terms."""

import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.metrics.consistency import directions
from lexiscope.stats.between_terms import (
    bounded_mean_interval,
    error_of_terms,
    nearest_in_frequency,
    proportion_interval,
    term_null,
)
from lexiscope.stats.multiple_comparisons import benjamini_hochberg


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
    units = vectors(terms=25, strength=0.3)
    found = null_of(units, similar_terms=24)
    cosines = units[0] @ units[1].T
    noise = directions(units[0] - units[1])
    checked = 0
    for term in range(25):
        others = np.concatenate([np.delete(cosines[term], term), np.delete(cosines[:, term], term)])
        assert found.between[term] == pytest.approx(others.mean())
        projected = np.delete(units[:, term] @ noise.T, term, axis=1).ravel()
        nulls = (others, np.concatenate([projected, -projected]))
        reached = max(np.mean(each >= cosines[term, term]) for each in nulls)
        if 24 * reached >= 1:
            assert found.p[term] == pytest.approx((1 + 24 * reached) / 25)
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("samples", [2, 5])
def test_learnable_terms_do_not_make_others_learnable(samples):
    rng = np.random.default_rng(4)
    noise_of = np.arange(1, 31.0) ** -0.8  # in few dimensions; the terms differ in all of them
    false = []
    for _ in range(100):
        own = rng.normal(size=(60, 30)) * (np.arange(60) < 30)[:, None]
        units = directions(own + rng.normal(size=(samples, 60, 30)) * noise_of)
        found = term_null(units, rng.integers(10, 50, 60), rng, draws=99)
        false.append(np.mean(found.p[30:] <= 0.05))
    assert np.mean(false) < 0.05


@pytest.mark.parametrize("samples", [2, 5])
def test_a_few_learnable_terms_remain_after_correction(samples):
    rng = np.random.default_rng(5)
    own = 3 * rng.normal(size=(60, 20)) * (np.arange(60) < 8)[:, None]
    found = null_of(directions(own + rng.normal(size=(samples, 60, 20))), draws=199)
    selected = benjamini_hochberg(found.p.tolist()) <= 0.05
    assert selected[:8].sum() >= 6
    assert selected[8:].sum() <= 2
    assert found.smallest_p == pytest.approx(1 / (1 + 60 * 40 / 2))
    assert found.p.min() >= found.smallest_p


def test_equal_samples_have_no_noise():
    units = np.repeat(vectors(1, terms=30), 3, axis=0)
    found = null_of(units, draws=99)
    assert (found.p <= 0.05).all()


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


RANKS = np.array([1.0] * 17 + [2.0, 4.0, 12.0])


def test_the_interval_of_a_mean_rank_stays_within_its_limits():
    mean, error = RANKS.mean(), RANKS.std(ddof=1) / np.sqrt(20)
    assert mean - 2.09 * error < 1  # a t interval does not
    low, high = bounded_mean_interval(RANKS, 1, 101, np.random.default_rng(0))
    assert 1 < low < mean < high < 101
    far_low, far_high = bounded_mean_interval(102 - RANKS, 1, 101, np.random.default_rng(0))
    assert (far_low, far_high) == pytest.approx((102 - high, 102 - low))


def test_the_same_generator_gives_the_same_interval():
    one, two = (bounded_mean_interval(RANKS, 1, 101, np.random.default_rng(0)) for _ in "ab")
    assert one == two


def test_intervals_of_skewed_ranks_cover_their_mean():
    rng = np.random.default_rng(1)
    expected = 1 + np.exp(2 + 0.5)
    covered = []
    for _ in range(200):
        ranks = 1 + np.exp(rng.normal(2, 1, 40))
        low, high = bounded_mean_interval(ranks, 1, 10_001, rng, 299)
        covered.append(low <= expected <= high)
    assert np.mean(covered) > 0.9
