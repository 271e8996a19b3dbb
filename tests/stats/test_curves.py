import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import auc

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.curves import areas

SHARES = np.array([0.3, 0.4, 0.65, 1.0])
COUNTS = np.array([30.0, 40, 65, 100])


def rising(curves=5, seed=0):
    return np.sort(np.random.default_rng(seed).random((curves, 4)), axis=1)


def test_pitfall_48_the_axis_must_be_named():
    with pytest.raises(TypeError, match="axis"):
        areas(SHARES, rising())


def test_pitfall_48_the_area_is_a_share_of_the_best_possible():
    assert_allclose(areas(SHARES, np.ones((1, 4)), "share"), 1)
    assert_allclose(areas(COUNTS, np.ones((1, 4)), "log count"), 1)
    assert_allclose(areas(SHARES, np.full((1, 4), 0.25), "share"), 0.25)
    assert_allclose(
        areas(COUNTS, 100 * rising(), "count", best=100), areas(SHARES, rising(), "share")
    )
    assert_allclose(areas(SHARES, np.zeros((1, 4)), "share", worst=-1), 0.5)


def test_pitfall_48_the_axis_may_decide_who_is_ahead():
    # The first is better up to 0.5, the second above.
    curves = np.array([[0.5, 0.9, 0.9, 0.9], [0.5, 0.6, 0.9, 1.0]])
    sizes = np.array([0.1, 0.2, 0.5, 1.0])

    # First minus second, a trapezoid between each two sizes, over the width of the axis.
    assert_allclose(-np.diff(areas(sizes, curves, "share")), (0.015 + 0.045 - 0.025) / 0.9)
    by_tenfold = 0.5 * (0.3 * np.log(2) + 0.3 * np.log(2.5) - 0.1 * np.log(2)) / np.log(10)
    assert_allclose(-np.diff(areas(sizes, curves, "log share")), by_tenfold)
    late = np.array([[0.5, 0.9, 0.9, 0.9], [0.5, 0.7, 1.0, 1.0]])
    assert np.diff(areas(sizes, late, "share")) > 0 > np.diff(areas(sizes, late, "log share"))


@pytest.mark.parametrize(("linear", "sizes"), [("share", SHARES), ("count", COUNTS)])
def test_areas_equal_those_of_another_library(linear, sizes):
    scores = rising()

    assert_allclose(
        areas(sizes, scores, linear),
        [auc(sizes, row) / (sizes[-1] - sizes[0]) for row in scores],
    )
    assert_allclose(
        areas(sizes, scores, f"log {linear}"),
        [auc(np.log(sizes), row) / np.log(sizes[-1] / sizes[0]) for row in scores],
    )


def test_counting_items_or_giving_shares_makes_no_difference():
    assert_allclose(areas(SHARES, rising(), "share"), areas(COUNTS, rising(), "count"))
    assert_allclose(areas(SHARES, rising(), "log share"), areas(COUNTS, rising(), "log count"))


@pytest.mark.parametrize(
    ("sizes", "axis", "sentence"),
    [
        ([0.3, 0.3, 1], "share", "must grow"),
        ([0, 0.5, 1], "log share", "from above 0"),
        ([30, 60, 100], "share", "at most 1, found 100"),
        ([0.3, 0.6, 1], "count", "Are these shares"),
    ],
)
def test_sizes_that_do_not_fit_the_axis_are_refused(sizes, axis, sentence):
    with pytest.raises(BadUsage, match=sentence):
        areas(np.array(sizes), np.ones((1, 3)), axis)


def test_scores_beyond_the_best_possible_are_refused():
    with pytest.raises(BadUsage, match=r"0 and 1, found 0\.5 to 80"):
        areas(np.array([0.5, 1]), np.array([[0.5, 80]]), "share")


def test_one_size_is_no_curve():
    with pytest.raises(Undefined, match="one training size"):
        areas(np.array([1.0]), np.array([[0.5]]), "share")
