"""Resampled correlations compared with SciPy on each resample."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import pearsonr, spearmanr

from lexiscope.kernels.resampled_correlation import (
    BLOCK,
    centred_ranks,
    count_items,
    resampled_pearson,
    resampled_spearman,
)


def sort_order(values):
    order = np.argsort(values, kind="stable")
    tied = np.concatenate([[False], values[order][1:] == values[order][:-1]])
    return order, tied


def reference(correlation, x, y, samples):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant resamples: both give NaN
        return np.array([correlation(x[s], y[s]).statistic for s in samples])


def counted(samples, items):
    counts = np.zeros((-(-len(samples) // BLOCK), items, BLOCK), np.uint16)
    count_items(samples, counts)
    return counts


def spearman_of_resamples(x, y, samples):
    counts = counted(samples, len(x))
    ranks, squares = np.empty(counts.shape, np.int32), np.empty((len(counts), BLOCK))
    centred_ranks(*sort_order(y), counts, ranks, squares)
    out = np.empty((len(counts), BLOCK))
    resampled_spearman(*sort_order(x), counts, ranks, squares, out)
    return out.ravel()[: len(samples)]


def pearson_of_resamples(x, y, samples):
    counts = counted(samples, len(x))
    out = np.empty((len(counts), BLOCK))
    resampled_pearson(x, y, counts, out)
    return out.ravel()[: len(samples)]


def test_counts_are_how_often_a_resample_holds_an_item():
    samples = np.random.default_rng(1).integers(0, 7, (100, 7))

    counts = counted(samples, 7)

    found = np.moveaxis(counts, 1, 2).reshape(-1, 7)[:100]
    assert (found == [np.bincount(sample, minlength=7) for sample in samples]).all()


@pytest.mark.parametrize("distinct", [2, 5, 1000])
def test_spearman_of_resamples_agrees_with_scipy_with_ties(distinct):
    rng = np.random.default_rng(distinct)
    x, y = rng.integers(0, distinct, (2, 40)).astype(np.float64)
    samples = rng.integers(0, 40, (200, 40))

    assert_allclose(
        spearman_of_resamples(x, y, samples), reference(spearmanr, x, y, samples), atol=1e-12
    )


def test_pearson_of_resamples_agrees_with_scipy():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 40))
    samples = rng.integers(0, 40, (200, 40))

    assert_allclose(
        pearson_of_resamples(x, y, samples), reference(pearsonr, x, y, samples), atol=1e-12
    )


columns = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=3, max_size=6)


@settings(max_examples=50)
@given(columns, st.integers(0, 99))
def test_a_constant_resample_has_no_correlation(rows, seed):
    x, y = np.array(rows).T.copy()
    samples = np.random.default_rng(seed).integers(0, len(x), (30, len(x)))
    constant = np.array([np.ptp(x[s]) == 0 or np.ptp(y[s]) == 0 for s in samples])

    assert np.isnan(spearman_of_resamples(x, y, samples)).tolist() == constant.tolist()
    assert np.isnan(pearson_of_resamples(x, y, samples))[constant].all()


def test_a_resample_of_one_item_is_constant_despite_rounding():
    x, y = np.array([0.1, 0.2, 1.3]), np.array([0.1, 0.4, 2.3])  # 0.1 * 3 / 3 is above 0.1
    samples = np.array([[0, 0, 0], [1, 1, 1], [2, 2, 2]])

    assert np.isnan(pearson_of_resamples(x, y, samples)).all()
    assert np.isnan(spearman_of_resamples(x, y, samples)).all()
