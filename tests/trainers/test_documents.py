"""PDC and HDC: what they learn from documents; their kernels meet slow twins in tests/kernels."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.core.corpus import corpus
from lexiscope.trainers import _documents, _rounds
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.hdc import Hdc
from lexiscope.trainers.pdc import Pdc
from lexiscope.trainers.skipgram import Skipgram
from tests.making import text

SMALL = {"dimension": 10, "window": 1, "negatives": 5, "subsample": 0, "epochs": 20, "rate": 0.1}
both = pytest.mark.parametrize("kind", [Pdc, Hdc])


def with_documents(words, *sentences):
    """The same corpus with documents of so many sentences."""
    return replace(words, documents=np.cumsum([0, *sentences]))


def by_topic(documents=60, seed=0):
    """Documents with words of one topic each; what stands beside them is the same in all."""
    rng = default_rng(seed)
    sentences = [
        [
            f"near{rng.integers(8)}",
            f"{'ab'[document % 2]}{rng.integers(4)}",
            f"near{rng.integers(8)}",
        ]
        for document in range(documents)
        for _ in range(10)
    ]
    return with_documents(corpus("topics", sentences), *[10] * documents)


def by_neighbour(sentences=600, seed=0):
    """One document, in which words of a group have the same neighbours."""
    rng = default_rng(seed)
    groups = ["ab"[number] for number in rng.integers(0, 2, sentences)]
    return corpus(
        "neighbours",
        [[f"left{g}{rng.integers(2)}", f"{g}{rng.integers(4)}", f"right{g}"] for g in groups],
    )


def apart(found):
    """How much nearer words of one group are to each other than to those of the other."""
    vectors = found[[f"{group}{number}" for group in "ab" for number in range(4)]]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines, same = vectors @ vectors.T, np.kron(np.eye(2), np.ones((4, 4))) > 0
    return cosines[same & ~np.eye(8, dtype=bool)].mean() - cosines[~same].mean()


@both
def test_words_of_the_same_documents_come_near_even_if_their_neighbours_tell_nothing(kind):
    assert apart(kind(**SMALL).train(by_topic(), default_rng(0))) > 0.2


@pytest.mark.parametrize("kind", [Cbow, Skipgram])
@pytest.mark.parametrize("space", ["input", "output"])
def test_models_without_documents_do_not_see_topics(kind, space):
    found = kind(space=space, **SMALL).train(by_topic(), default_rng(0))

    assert abs(apart(found)) < 0.05


@both
def test_words_with_the_same_neighbours_come_near_in_a_text_of_one_document(kind):
    assert apart(kind(**SMALL).train(by_neighbour(), default_rng(0))) > 0.2


@both
def test_documents_decide_the_vectors(kind):
    found = {
        kind(**SMALL).train(with_documents(text(), *cut), default_rng(0)).fingerprint
        for cut in ((200,), (100, 100), (20, 180))
    }

    assert len(found) == 3


def test_every_sentence_knows_the_row_of_its_document():
    words = with_documents(corpus("c", [["a", "b"], ["a"], ["a", "b", "c"], ["b"]]), 1, 0, 2, 1)

    found = _documents.documented(None, _documents.parts(Pdc(), words))

    assert found.rows.tolist() == [0, 1, 1, 2]
    assert found.rows.dtype == np.int32


def test_a_document_across_the_border_of_two_shards_counts_as_two():
    words = with_documents(corpus("c", [["a", "b"]] * 10), 3, 4, 3)  # shards part after 5

    assert _documents.parts(Pdc(shards=1), words).tolist() == [0, 3, 7, 10]
    assert _documents.parts(Pdc(shards=2), words).tolist() == [0, 3, 5, 7, 10]
    assert _documents.parts(Pdc(shards=2, racing=True), words).tolist() == [0, 3, 7, 10]


@both
@pytest.mark.parametrize("sentences", [[200], [100, 100], [5] * 40], ids=["one", "two", "forty"])
def test_vectors_of_documents_stay_small_whatever_the_number_of_shards(
    kind, sentences, monkeypatch
):
    monkeypatch.setattr(_rounds, "_TOKENS", 100)
    words, longest = with_documents(text(), *sentences), []
    for shards in (1, 2, 4):
        model = kind(shards=shards, **SMALL)
        state = model.begin(words, default_rng(0))
        for _ in model.steps(words, state):
            pass
        longest.append(np.linalg.norm(state["documents"], axis=1).max())

    assert max(longest) < 5
