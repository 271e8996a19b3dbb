from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.skipgram import Skipgram
from lexiscope.trainers.structured import Structured
from tests.kernels.test_structured import slowly as walked_slowly
from tests.making import text
from tests.trainers import test_predictive
from tests.trainers.test_predictive import short_rounds  # noqa: F401  a fixture

SMALL = {"dimension": 10, "window": 1, "dynamic": False, "epochs": 20, "subsample": 0}


def both_ways(sentences=600):
    """Words x stand between a before and b after, words y between the same, the other way round."""
    drawn = default_rng(0).integers(0, (2, 3, 3, 3), (sentences, 4)).tolist()
    forth = [(way, [f"a{i}", f"{'xy'[way]}{n}", f"b{j}"]) for way, n, i, j in drawn]
    return corpus("both ways", [words[::-1] if way else words for way, words in forth])


def cosines(embedding, left, right):
    """The cosines of all pairs of one kind of words with another."""
    lengths = np.linalg.norm(embedding.vectors, axis=1, keepdims=True)
    rows = dict(zip(embedding.words, embedding.vectors / lengths, strict=True))
    pairs = product("012", "012")
    return [rows[left + i] @ rows[right + j] for i, j in pairs if left + i != right + j]


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.usefixtures("short_rounds")
def test_a_training_is_that_of_the_slow_twin(shards, monkeypatch):
    monkeypatch.setitem(test_predictive.TWINS, Structured, (walked_slowly, ()))
    small = {**test_predictive.SMALL, "rate": 0.1}
    words, model = text(), Structured(shards=shards, space="both", **small)

    found = model.train(words, default_rng(4)).vectors

    slow = test_predictive.slowly(model, words, 4)
    assert_allclose(found[:, :5], slow["inputs"][:, :5], atol=2e-5)
    places = slow["outputs"].reshape(len(words.vocabulary), 4, 8)[:, :, :5]
    assert_allclose(found[:, 5:], places.reshape(-1, 20), atol=2e-5)


def test_words_with_equal_contexts_end_nearer_than_others():
    found = Structured(**SMALL).train(both_ways(), default_rng(1))

    for kind in "xy":
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "a")) + 0.3
        assert min(cosines(found, kind, kind)) > max(cosines(found, kind, "b")) + 0.3


def test_order_tells_words_apart_that_a_bag_of_words_does_not():
    words = both_ways()
    ordered, *bags = (
        kind(**SMALL).train(words, default_rng(1)) for kind in (Structured, Skipgram, Cbow)
    )

    assert min(cosines(ordered, "x", "x")) > max(cosines(ordered, "x", "y")) + 0.3
    for bag in bags:
        assert min(cosines(bag, "x", "y")) > max(cosines(ordered, "x", "y")) + 0.3


def test_an_output_row_has_a_vector_for_each_place_around():
    words, small = text(), {"dimension": 5, "window": 3, "epochs": 1}
    found = {
        space: Structured(space=space, **small).train(words, default_rng(0)).vectors
        for space in ("input", "output", "both")
    }

    assert found["input"].shape == (len(words.vocabulary), 5)
    assert found["output"].shape == (len(words.vocabulary), 2 * 3 * 5)
    assert_array_equal(found["both"], np.hstack([found["input"], found["output"]]))


def test_windows_are_whole_unless_asked_otherwise():
    words = text()

    whole, drawn = (
        Structured(dimension=4, epochs=1, dynamic=dynamic).train(words, default_rng(0)).fingerprint
        for dynamic in (False, True)
    )

    assert Structured(dimension=4, epochs=1).train(words, default_rng(0)).fingerprint == whole
    assert whole != drawn
    assert Structured().rate == 0.025


@pytest.mark.parametrize("wrong", [{"window": 0}, {"negatives": 0}, {"dimension": 0}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadUsage, match=next(iter(wrong))):
        Structured(**wrong)
