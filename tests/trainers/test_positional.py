"""CWindow and structured skip-gram: models with output vectors by position."""

from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.cwindow import Cwindow
from lexiscope.trainers.skipgram import Skipgram
from lexiscope.trainers.structured import Structured
from tests.builders import text
from tests.kernels.predictive import test_cwindow, test_structured
from tests.trainers import test_predictive
from tests.trainers.test_predictive import short_rounds  # noqa: F401  a fixture

SMALL = {"dimension": 10, "window": 1, "dynamic_window": False, "epochs": 20, "subsample": 0}
REFERENCES = {Cwindow: test_cwindow.reference_train, Structured: test_structured.reference_train}
each_model = pytest.mark.parametrize("model", REFERENCES)


def both_ways(sentences=600):
    """Words x have a before and b after them, words y b before and a after."""
    sampled = default_rng(0).integers(0, (2, 3, 3, 3), (sentences, 4)).tolist()
    forth = [(way, [f"a{i}", f"{'xy'[way]}{n}", f"b{j}"]) for way, n, i, j in sampled]
    return corpus("both ways", [words[::-1] if way else words for way, words in forth])


def cosines(embedding, left, right):
    """The cosines of all pairs of one kind of words with another."""
    lengths = np.linalg.norm(embedding.vectors, axis=1, keepdims=True)
    rows = dict(zip(embedding.words, embedding.vectors / lengths, strict=True))
    pairs = product("012", "012")
    return [rows[left + i] @ rows[right + j] for i, j in pairs if left + i != right + j]


@each_model
@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.usefixtures("short_rounds")
def test_training_agrees_with_the_slow_kernel(model, shards, monkeypatch):
    monkeypatch.setitem(test_predictive.REFERENCES, model, (REFERENCES[model], (3,)))
    small = {**test_predictive.SMALL, "learning_rate": 0.1}
    words, trainer = text(), model(shards=shards, space="both", shared_centres=3, **small)

    found = trainer.train(words, default_rng(4)).vectors

    slow = test_predictive.slowly(trainer, words, 4)
    assert_allclose(found[:, :5], slow["inputs"][:, :5], atol=2e-5)
    positions = slow["outputs"].reshape(len(words.vocabulary), 4, 8)[:, :, :5]
    assert_allclose(found[:, 5:], positions.reshape(-1, 20), atol=2e-5)


@each_model
def test_words_with_equal_contexts_become_similar(model):
    found = model(**SMALL).train(both_ways(), default_rng(1))

    for kind in "xy":
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "a")) + 0.3
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "b")) + 0.3


@each_model
def test_word_order_distinguishes_words_that_a_bag_of_words_does_not(model):
    words = both_ways()
    ordered, *bags = (
        each(**SMALL).train(words, default_rng(1)) for each in (model, Skipgram, Cbow)
    )

    assert min(cosines(ordered, "x", "x")) > max(cosines(ordered, "x", "y")) + 0.3
    for bag in bags:
        assert min(cosines(bag, "x", "y")) > max(cosines(ordered, "x", "y")) + 0.3


@each_model
def test_an_output_row_has_a_vector_for_each_position(model):
    words, small = text(), {"dimension": 5, "window": 3, "epochs": 1}
    found = {
        space: model(space=space, **small).train(words, default_rng(0)).vectors
        for space in ("input", "output", "both")
    }

    assert found["input"].shape == (len(words.vocabulary), 5)
    assert found["output"].shape == (len(words.vocabulary), 2 * 3 * 5)
    assert_array_equal(found["both"], np.hstack([found["input"], found["output"]]))


@each_model
def test_the_window_is_fixed_by_default(model):
    words = text()

    fixed, dynamic = (
        model(dimension=4, epochs=1, dynamic_window=dynamic_window)
        .train(words, default_rng(0))
        .fingerprint
        for dynamic_window in (False, True)
    )

    assert model(dimension=4, epochs=1).train(words, default_rng(0)).fingerprint == fixed
    assert fixed != dynamic


def test_the_default_learning_rates_differ():
    assert (Cwindow().learning_rate, Structured().learning_rate) == (0.05, 0.025)


@each_model
@pytest.mark.parametrize("wrong", [{"window": 0}, {"negative": 0}, {"shared_centres": 0}])
def test_settings_out_of_range_are_refused(model, wrong):
    with pytest.raises(BadUsage, match=next(iter(wrong))):
        model(**wrong)
