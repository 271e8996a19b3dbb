import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.attention import Attention
from tests.builders import text
from tests.cooccurrence.reference_counts import zipf
from tests.trainers.training import cosine, trained_state

SMALL = {"dimension": 10, "window": 2, "epochs": 20, "subsample": 0}


def test_initial_attention_is_uniform():
    tables = Attention(dimension=8, window=5).initial_tables(text(), default_rng(0))

    assert tables["inputs"].shape == tables["outputs"].shape == (40, 8)
    assert tables["keys"].shape == (40, 16)
    assert tables["positions"].shape == (1, 16)
    assert not tables["keys"].any()
    assert not tables["positions"].any()


def test_words_with_equal_contexts_become_similar():
    rng = default_rng(0)
    sampled = (rng.integers(0, (2, 3, 3, 3)).tolist() for _ in range(600))
    words = corpus("two kinds", [[f"l{k}{i}", f"{k}{m}", f"r{k}{j}"] for k, m, i, j in sampled])

    found = Attention(**SMALL).train(words, rng)

    for one, same, other in (("00", "01", "10"), ("02", "00", "11"), ("11", "12", "02")):
        assert cosine(found, one, same) > cosine(found, one, other) + 0.3


def test_an_informative_position_gets_more_attention():
    """The word before determines the centre word, the word after is random."""
    pairs = default_rng(0).integers(0, 10, (1000, 2)).tolist()
    words = corpus("left", [[f"l{i}", f"m{i}", f"r{j}"] for i, j in pairs])

    state = trained_state(Attention(**{**SMALL, "window": 1}), words)

    before, after = state["positions"][0, :2]
    assert before > 1
    assert after < -1


def test_an_informative_word_gets_more_attention():
    """Either side may determine the centre word; only the word shows which."""
    rng = default_rng(0)
    sentences = []
    for i, j, turn in rng.integers(0, (10, 10, 2), (2000, 3)).tolist():
        sentence = [f"t{i}", f"m{i}", f"any{j}"]
        sentences.append(sentence if turn else sentence[::-1])
    words = corpus("either", sentences)

    state = trained_state(Attention(**{**SMALL, "window": 1}), words)

    find = words.vocabulary.find
    informative = state["keys"][find([f"t{i}" for i in range(10)]), :2]
    random = state["keys"][find([f"any{i}" for i in range(10)]), :2]
    assert informative.min() > 0.5
    assert random.max() < -0.5
    assert np.abs(state["positions"]).max() < 0.5


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_keys_stay_bounded_with_any_number_of_shards(shards):
    words = zipf(300, 120_000)

    state = trained_state(Attention(dimension=12, epochs=3, shards=shards), words)

    for name in ("inputs", "keys", "positions"):
        assert np.abs(state[name]).max() < 5


def test_keys_are_updated_as_often_as_context_words():
    rates = Attention(window=3).update_rates(text())

    assert_array_equal(rates["keys"], rates["inputs"])
    assert "positions" not in rates  # updated with every token


def test_padding_of_keys_stays_zero():
    state = trained_state(Attention(dimension=4, window=3, epochs=2), text())

    assert not state["keys"][:, 6:].any()
    assert not state["positions"][:, 6:].any()
    assert_allclose(state["positions"].sum(), 0, atol=1e-4)  # attention weights always sum to one


def test_the_window_can_be_dynamic():
    words = text()

    fixed, dynamic = (
        Attention(dimension=4, dynamic_window=dynamic_window).train(words, default_rng(0))
        for dynamic_window in (False, True)
    )

    assert fixed.fingerprint != dynamic.fingerprint


def test_a_learning_rate_that_diverges_is_reported():
    with pytest.raises(BadUsage, match="learning_rate lower than 50"):
        Attention(learning_rate=50).train(text(), default_rng(0))
