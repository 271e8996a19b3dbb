import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import auc

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics.area_under_curve import area_under_curve

FRACTIONS = np.array([0.3, 0.4, 0.65, 1.0])
COUNTS = np.array([30.0, 40, 65, 100])


def rising(curves=5, seed=0):
    return np.sort(np.random.default_rng(seed).random((curves, 4)), axis=1)


def test_pitfall_48_the_axis_must_be_named():
    with pytest.raises(TypeError, match="axis"):
        area_under_curve(FRACTIONS, rising())


def test_pitfall_48_the_area_is_a_proportion_of_the_best_possible():
    assert_allclose(area_under_curve(FRACTIONS, np.ones((1, 4)), "fraction"), 1)
    assert_allclose(area_under_curve(COUNTS, np.ones((1, 4)), "log count"), 1)
    assert_allclose(area_under_curve(FRACTIONS, np.full((1, 4), 0.25), "fraction"), 0.25)
    assert_allclose(
        area_under_curve(COUNTS, 100 * rising(), "count", best=100),
        area_under_curve(FRACTIONS, rising(), "fraction"),
    )
    assert_allclose(area_under_curve(FRACTIONS, np.zeros((1, 4)), "fraction", worst=-1), 0.5)


def test_pitfall_48_the_axis_can_change_the_ranking():
    # The first is better for sizes up to 0.5, the second above.
    curves = np.array([[0.5, 0.9, 0.9, 0.9], [0.5, 0.6, 0.9, 1.0]])
    sizes = np.array([0.1, 0.2, 0.5, 1.0])

    # First minus second, a trapezoid between each two sizes, over the width of the axis.
    assert_allclose(
        -np.diff(area_under_curve(sizes, curves, "fraction")), (0.015 + 0.045 - 0.025) / 0.9
    )
    on_the_log_axis = 0.5 * (0.3 * np.log(2) + 0.3 * np.log(2.5) - 0.1 * np.log(2)) / np.log(10)
    assert_allclose(-np.diff(area_under_curve(sizes, curves, "log fraction")), on_the_log_axis)
    late = np.array([[0.5, 0.9, 0.9, 0.9], [0.5, 0.7, 1.0, 1.0]])
    assert (
        np.diff(area_under_curve(sizes, late, "fraction"))
        > 0
        > np.diff(area_under_curve(sizes, late, "log fraction"))
    )


@pytest.mark.parametrize(("linear", "sizes"), [("fraction", FRACTIONS), ("count", COUNTS)])
def test_areas_equal_those_of_scikit_learn(linear, sizes):
    scores = rising()

    assert_allclose(
        area_under_curve(sizes, scores, linear),
        [auc(sizes, row) / (sizes[-1] - sizes[0]) for row in scores],
    )
    assert_allclose(
        area_under_curve(sizes, scores, f"log {linear}"),
        [auc(np.log(sizes), row) / np.log(sizes[-1] / sizes[0]) for row in scores],
    )


def test_counts_and_fractions_of_items_give_the_same_area():
    assert_allclose(
        area_under_curve(FRACTIONS, rising(), "fraction"),
        area_under_curve(COUNTS, rising(), "count"),
    )
    assert_allclose(
        area_under_curve(FRACTIONS, rising(), "log fraction"),
        area_under_curve(COUNTS, rising(), "log count"),
    )


@pytest.mark.parametrize(
    ("sizes", "axis", "sentence"),
    [
        ([0.3, 0.3, 1], "fraction", "positive and increasing"),
        ([0, 0.5, 1], "log fraction", "must be positive"),
        ([30, 60, 100], "fraction", "at most 1, found 100"),
        ([0.3, 0.6, 1], "count", "Are these fractions"),
    ],
)
def test_sizes_that_do_not_fit_the_axis_are_refused(sizes, axis, sentence):
    with pytest.raises(BadUsage, match=sentence):
        area_under_curve(np.array(sizes), np.ones((1, 3)), axis)


def test_scores_beyond_the_best_possible_are_refused():
    with pytest.raises(BadUsage, match=r"0 and 1, found 0\.5 to 80"):
        area_under_curve(np.array([0.5, 1]), np.array([[0.5, 80]]), "fraction")


def test_one_training_size_is_no_curve():
    with pytest.raises(Undefined, match="at least two training sizes"):
        area_under_curve(np.array([1.0]), np.array([[0.5]]), "fraction")
