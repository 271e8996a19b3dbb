import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError
from lexiscope.trainers import _counts
from lexiscope.trainers import ppmi as trainer
from lexiscope.trainers.ppmi import Ppmi
from tests.builders import text
from tests.trainers import slowly


def train(words, **settings):
    return Ppmi(**settings).train(words, np.random.default_rng(0))


@pytest.mark.parametrize(("window", "cds", "neg"), [(1, 1.0, 1.0), (5, 0.75, 1.0), (2, 0.75, 3.0)])
def test_vectors_are_the_positive_pmi_of_the_counts(window, cds, neg):
    words = text()
    wanted = np.maximum(slowly.pmi(slowly.counts(words, window), cds) - np.log(neg), 0)

    found = train(words, window=window, cds=cds, neg=neg)

    assert found.is_sparse
    assert_allclose(found.vectors.toarray(), wanted, rtol=1e-5, atol=1e-6)


def test_with_positional_each_position_has_a_block_of_norm_one():
    words = text()

    found = train(words, window=2, positional=True)

    wanted = slowly.positional_ppmi(words, 2, 0.75)
    assert_allclose(found.vectors.toarray(), wanted, rtol=1e-5, atol=1e-6)


def test_a_word_seen_once_has_two_entries_with_window_one_and_positional():
    words = corpus(
        "text", [["the", "cat", "sat"]] * 9 + [["a", "cat", "ran"], ["the", "emu", "sat"]]
    )

    found = train(words, window=1, positional=True)

    emu = found["emu"]
    assert np.count_nonzero(emu) == 2
    assert_allclose(emu[np.flatnonzero(emu)], [1, 1])
    before, after = np.flatnonzero(emu)
    assert found.words[before] == "the"
    assert found.words[after - len(found)] == "sat"


def test_a_word_that_never_has_a_neighbour_on_a_side_has_a_zero_block_there():
    words = corpus("text", [["a", "b"], ["a", "c"], ["a", "b"]])

    blocks = train(words, window=1, positional=True).vectors.toarray().reshape(3, 2, 3)

    assert not blocks[0, 0].any()
    assert_allclose(np.linalg.norm(blocks[0, 1]), 1)


@pytest.mark.parametrize("positional", [False, True])
def test_a_text_without_contexts_is_refused(positional):
    with pytest.raises(BadData, match="no two words co-occur"):
        train(corpus("lonely", [["a"], ["b"]]), positional=positional)


@pytest.mark.parametrize("positional", [False, True])
@pytest.mark.parametrize("cds", [1.0, 0.75])
def test_repeating_a_text_does_not_change_the_vectors(positional, cds):
    by_chance = [[left, right] for left in "ab" for right in "cde"]
    sentences = [*by_chance, ["f", "g", "a"], ["g", "f", "f", "a"]]
    once = train(corpus("once", sentences), window=1, positional=positional, cds=cds).vectors

    for times in range(2, 13):
        words = corpus("again", sentences * times)
        found = train(words, window=1, positional=positional, cds=cds).vectors
        assert_allclose(found.toarray(), once.toarray(), rtol=1e-5)


@pytest.mark.parametrize("times", range(1, 13))
@pytest.mark.parametrize("cds", [1.0, 0.75])
def test_independent_words_are_refused(times, cds):
    words = corpus("chance", [[left, right] for left in "ab" for right in "cd"] * times)

    with pytest.raises(BadData, match="co-occur more than 1 times as often as expected by chance"):
        train(words, window=1, positional=True, cds=cds)


def test_positional_refuses_weights_by_distance():
    with pytest.raises(BadUsage, match="weights must be flat, found harmonic"):
        Ppmi(positional=True, weights="harmonic")


def test_too_many_dimensions_are_refused_before_counting(monkeypatch):
    monkeypatch.setattr(trainer, "MOST_DIMENSIONS", 159)
    monkeypatch.setattr(_counts, "by_position", None)

    with pytest.raises(BadUsage, match="4 positions with 40 contexts each make 160 dimensions"):
        train(text(), window=2, positional=True)


def test_a_word_that_co_occurs_only_with_itself_has_no_association():
    with pytest.raises(LexiscopeError, match="times as often as expected"):
        train(corpus("again", [["a", "a", "a"]]))
