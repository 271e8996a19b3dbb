from dataclasses import fields

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.senna import Senna
from tests.builders import text
from tests.cooccurrence.reference_counts import zipf
from tests.kernels.predictive.reference_ranking import ReferenceNetwork, loss
from tests.trainers.training import cosine, trained_state

SMALL = {
    "dimension": 10,
    "window": 1,
    "hidden": 20,
    "subsample": 0,
    "epochs": 200,
}  # so small a text needs many epochs


def two_kinds(seed, number=600):
    """Sentences of three words of one of two kinds: l00 01 r02."""
    sampled = default_rng(seed).integers(0, (2, 3, 3, 3), (number, 4)).tolist()
    return [[f"l{k}{i}", f"{k}{m}", f"r{k}{j}"] for k, m, i, j in sampled]


def held_out_loss(model, state, words, sentences):
    """The mean loss of windows of held-out sentences, against all words."""
    d, height = model.dimension, (2 * model.window + 1) * model.dimension
    network = ReferenceNetwork(
        state["inputs"][:, :d],
        state["border"][:, :d],
        state["weights"][: model.hidden, :height].T,
        state["bias"][:, : model.hidden],
        state["scores"][:, : model.hidden],
    )
    everything, losses = range(len(words.vocabulary)), []
    for sentence in sentences:
        rows = [None, *words.vocabulary.find(sentence).tolist(), None]
        losses += [loss(network, rows[i : i + 3], everything) for i in range(3)]
    return np.mean(losses) / len(everything)


def test_training_lowers_the_loss_of_held_out_sentences():
    model, words = Senna(**SMALL), corpus("two kinds", two_kinds(0))
    initial = model.begin(words, default_rng(0))

    before = held_out_loss(model, initial, words, two_kinds(1, 20))
    after = held_out_loss(model, trained_state(model, words), words, two_kinds(1, 20))

    assert before > 0.9  # about as high as with equal scores for all windows
    assert after < 0.5 * before


def test_words_with_equal_contexts_become_similar():
    found = Senna(**SMALL).train(corpus("two kinds", two_kinds(0)), default_rng(0))

    for one, same, other in (("00", "01", "10"), ("02", "00", "11"), ("11", "12", "02")):
        assert cosine(found, one, same) > cosine(found, one, other) + 0.2


def test_the_padding_vector_is_trained_and_not_returned():
    words, model = text(), Senna(dimension=5, hidden=3, subsample=0, learning_rate=1.0, epochs=20)
    initial = model.begin(words, default_rng(0))["border"].copy()

    state = trained_state(model, words)

    assert (state["border"][:, :5] != initial[:, :5]).any()
    assert_array_equal(model.finish(words, state).vectors, state["inputs"][:, :5])
    assert len(state["inputs"]) == len(words.vocabulary)


def test_padding_of_tables_stays_zero():
    state = trained_state(Senna(dimension=5, window=2, hidden=3, subsample=0, epochs=2), text())

    for name, (rows, columns) in {
        "inputs": (40, 5),
        "border": (1, 5),
        "weights": (3, 25),
        "bias": (1, 3),
        "scores": (1, 3),
    }.items():
        assert state[name][:rows, :columns].all(), name
        assert not state[name][rows:].any(), name
        assert not state[name][:, columns:].any(), name


def test_settings_without_a_meaning_here_do_not_exist():
    assert not {"dynamic_window", "space"} & {field.name for field in fields(Senna)}
    with pytest.raises(TypeError, match="space"):
        Senna(space="output")


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_layers_stay_bounded_with_any_number_of_shards(shards):
    words = zipf(300, 60_000)

    state = trained_state(Senna(dimension=12, hidden=16, epochs=1, shards=shards), words)

    for name in ("inputs", "border", "weights", "bias", "scores"):
        assert np.abs(state[name]).max() < 5, name


def test_a_learning_rate_that_diverges_is_reported():
    with pytest.raises(BadUsage, match=r"learning_rate lower than 1e\+38"):
        Senna(dimension=5, hidden=3, learning_rate=1e38).train(text(), default_rng(0))
