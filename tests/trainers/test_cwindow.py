import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.errors import BadUsage
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.cwindow import Cwindow
from lexiscope.trainers.skipgram import Skipgram
from tests.builders import text
from tests.kernels.predictive.test_cwindow import reference_train
from tests.trainers import test_predictive
from tests.trainers.test_predictive import short_rounds  # noqa: F401  a fixture
from tests.trainers.test_structured import both_ways, cosines

SMALL = {"dimension": 10, "window": 1, "dynamic_window": False, "epochs": 20, "subsample": 0}


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.usefixtures("short_rounds")
def test_training_agrees_with_the_slow_kernel(shards, monkeypatch):
    monkeypatch.setitem(test_predictive.REFERENCES, Cwindow, (reference_train, ()))
    small = {**test_predictive.SMALL, "learning_rate": 0.1}
    words, model = text(), Cwindow(shards=shards, space="both", **small)

    found = model.train(words, default_rng(4)).vectors

    slow = test_predictive.slowly(model, words, 4)
    assert_allclose(found[:, :5], slow["inputs"][:, :5], atol=2e-5)
    positions = slow["outputs"].reshape(len(words.vocabulary), 4, 8)[:, :, :5]
    assert_allclose(found[:, 5:], positions.reshape(-1, 20), atol=2e-5)


def test_words_with_equal_contexts_become_similar():
    found = Cwindow(**SMALL).train(both_ways(), default_rng(1))

    for kind in "xy":
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "a")) + 0.3
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "b")) + 0.3


def test_word_order_distinguishes_words_that_a_bag_of_words_does_not():
    words = both_ways()
    ordered, *bags = (
        kind(**SMALL).train(words, default_rng(1)) for kind in (Cwindow, Skipgram, Cbow)
    )

    assert min(cosines(ordered, "x", "x")) > max(cosines(ordered, "x", "y")) + 0.3
    for bag in bags:
        assert min(cosines(bag, "x", "y")) > max(cosines(ordered, "x", "y")) + 0.3


def test_an_output_row_has_a_vector_for_each_position():
    words, small = text(), {"dimension": 5, "window": 3, "epochs": 1}
    found = {
        space: Cwindow(space=space, **small).train(words, default_rng(0)).vectors
        for space in ("input", "output", "both")
    }

    assert found["input"].shape == (len(words.vocabulary), 5)
    assert found["output"].shape == (len(words.vocabulary), 2 * 3 * 5)
    assert_array_equal(found["both"], np.hstack([found["input"], found["output"]]))


def test_the_window_is_fixed_by_default():
    words = text()

    fixed, dynamic = (
        Cwindow(dimension=4, epochs=1, dynamic_window=dynamic_window)
        .train(words, default_rng(0))
        .fingerprint
        for dynamic_window in (False, True)
    )

    assert Cwindow(dimension=4, epochs=1).train(words, default_rng(0)).fingerprint == fixed
    assert fixed != dynamic
    assert Cwindow().learning_rate == 0.05


@pytest.mark.parametrize("wrong", [{"window": 0}, {"negative": 0}, {"dimension": 0}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(BadUsage, match=next(iter(wrong))):
        Cwindow(**wrong)
