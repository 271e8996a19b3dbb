import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.attention import Attention
from tests.making import text
from tests.stats.counted import zipf

SMALL = {"dimension": 10, "window": 2, "epochs": 20, "subsample": 0}


def learned(model, words, seed=0):
    state = model.begin(words, default_rng(seed))
    for _ in model.steps(words, state):
        pass
    return state


def cosine(embedding, one, other):
    first, second = embedding.vectors[embedding.vocabulary.find([one, other])]
    return first @ second / np.linalg.norm(first) / np.linalg.norm(second)


def test_it_begins_with_equal_attention():
    tables = Attention(dimension=8, window=5).tables(text(), default_rng(0))

    assert tables["inputs"].shape == tables["outputs"].shape == (40, 8)
    assert tables["keys"].shape == (40, 16)
    assert tables["positions"].shape == (1, 16)
    assert not tables["keys"].any()
    assert not tables["positions"].any()


def test_words_with_equal_contexts_end_nearer_than_others():
    rng = default_rng(0)
    drawn = (rng.integers(0, (2, 3, 3, 3)).tolist() for _ in range(600))
    words = corpus("two kinds", [[f"l{k}{i}", f"{k}{m}", f"r{k}{j}"] for k, m, i, j in drawn])

    found = Attention(**SMALL).train(words, rng)

    for one, same, other in (("00", "01", "10"), ("02", "00", "11"), ("11", "12", "02")):
        assert cosine(found, one, same) > cosine(found, one, other) + 0.3


def test_a_position_that_decides_gets_more_attention_than_one_that_never_helps():
    """The word before tells the one in the middle, the word after is any."""
    rounds = default_rng(0).integers(0, 10, (1000, 2)).tolist()
    words = corpus("left", [[f"l{i}", f"m{i}", f"r{j}"] for i, j in rounds])

    state = learned(Attention(**{**SMALL, "window": 1}), words)

    before, after = state["positions"][0, :2]
    assert before > 1
    assert after < -1


def test_a_word_that_decides_gets_more_attention_than_one_that_never_helps():
    """Now either side may tell the middle, and only the word says which."""
    rng = default_rng(0)
    sentences = []
    for i, j, turn in rng.integers(0, (10, 10, 2), (2000, 3)).tolist():
        told = [f"t{i}", f"m{i}", f"any{j}"]
        sentences.append(told if turn else told[::-1])
    words = corpus("either", sentences)

    state = learned(Attention(**{**SMALL, "window": 1}), words)

    find = words.vocabulary.find
    telling = state["keys"][find([f"t{i}" for i in range(10)]), :2]
    idle = state["keys"][find([f"any{i}" for i in range(10)]), :2]
    assert telling.min() > 0.5
    assert idle.max() < -0.5
    assert np.abs(state["positions"]).max() < 0.5


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_keys_stay_in_bounds_in_any_number_of_shards(shards):
    words = zipf(300, 120_000)

    state = learned(Attention(dimension=12, epochs=3, shards=shards), words)

    for name in ("inputs", "keys", "positions"):
        assert np.abs(state[name]).max() < 5


def test_keys_are_merged_as_often_as_the_words_around_move():
    moved = Attention(window=3).often(text())

    assert_array_equal(moved["keys"], moved["inputs"])
    assert "positions" not in moved  # they move with every word


def test_what_fills_keys_up_stays_zero():
    state = learned(Attention(dimension=4, window=3, epochs=2), text())

    assert not state["keys"][:, 6:].any()
    assert not state["positions"][:, 6:].any()
    assert_allclose(state["positions"].sum(), 0, atol=1e-4)  # shares always sum to one


def test_the_window_can_be_drawn():
    words = text()

    fixed, drawn = (
        Attention(dimension=4, dynamic=dynamic).train(words, default_rng(0))
        for dynamic in (False, True)
    )

    assert fixed.fingerprint != drawn.fingerprint


def test_a_rate_that_is_far_too_large_is_named():
    with pytest.raises(BadUsage, match="rate lower than 50"):
        Attention(rate=50).train(text(), default_rng(0))
