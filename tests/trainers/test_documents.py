"""PDC and HDC learn from documents. Their kernels are tested in tests/kernels."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.core.corpus import corpus
from lexiscope.trainers import _documents, _sharding
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.hdc import Hdc
from lexiscope.trainers.pdc import Pdc
from lexiscope.trainers.skipgram import Skipgram
from tests.builders import text
from tests.trainers.training import trained_state

SMALL = {
    "dimension": 10,
    "window": 1,
    "negative": 5,
    "subsample": 0,
    "epochs": 20,
    "learning_rate": 0.1,
}
both = pytest.mark.parametrize("kind", [Pdc, Hdc])


def with_documents(words, *sentences):
    """The same corpus with documents of so many sentences."""
    return replace(words, documents=np.cumsum([0, *sentences]))


def by_topic(documents=60, seed=0):
    """Documents with words of one topic each; their context words are the same in all topics."""
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
    """One document in which words of a group have the same context words."""
    rng = default_rng(seed)
    groups = ["ab"[number] for number in rng.integers(0, 2, sentences)]
    return corpus(
        "neighbours",
        [[f"left{g}{rng.integers(2)}", f"{g}{rng.integers(4)}", f"right{g}"] for g in groups],
    )


def separation(found):
    """Mean cosine within groups minus mean cosine between groups."""
    vectors = found[[f"{group}{number}" for group in "ab" for number in range(4)]]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines, same = vectors @ vectors.T, np.kron(np.eye(2), np.ones((4, 4))) > 0
    return cosines[same & ~np.eye(8, dtype=bool)].mean() - cosines[~same].mean()


@both
def test_words_of_the_same_documents_become_similar_even_if_contexts_are_uninformative(kind):
    assert separation(kind(**SMALL).train(by_topic(), default_rng(0))) > 0.2


@pytest.mark.parametrize("kind", [Cbow, Skipgram])
@pytest.mark.parametrize("space", ["input", "output"])
def test_models_without_documents_do_not_learn_topics(kind, space):
    found = kind(space=space, **SMALL).train(by_topic(), default_rng(0))

    assert abs(separation(found)) < 0.05


@both
def test_words_with_the_same_contexts_become_similar_in_a_text_of_one_document(kind):
    assert separation(kind(**SMALL).train(by_neighbour(), default_rng(0))) > 0.2


@both
def test_the_vectors_depend_on_the_documents(kind):
    found = {
        kind(**SMALL).train(with_documents(text(), *sizes), default_rng(0)).fingerprint
        for sizes in ((200,), (100, 100), (20, 180))
    }

    assert len(found) == 3


def test_every_sentence_has_the_row_of_its_document():
    words = with_documents(corpus("c", [["a", "b"], ["a"], ["a", "b", "c"], ["b"]]), 1, 0, 2, 1)

    found = _documents.with_documents(None, _documents.document_boundaries(Pdc(), words))

    assert found.document_of.tolist() == [0, 1, 1, 2]
    assert found.document_of.dtype == np.int32


def test_a_document_across_two_shards_counts_as_two():
    words = with_documents(corpus("c", [["a", "b"]] * 10), 3, 4, 3)  # the second shard begins at 5

    assert _documents.document_boundaries(Pdc(shards=1), words).tolist() == [0, 3, 7, 10]
    assert _documents.document_boundaries(Pdc(shards=2), words).tolist() == [0, 3, 5, 7, 10]
    assert _documents.document_boundaries(Pdc(shards=2, hogwild=True), words).tolist() == [
        0,
        3,
        7,
        10,
    ]


@both
@pytest.mark.parametrize("sentences", [[200], [100, 100], [5] * 40], ids=["one", "two", "forty"])
def test_document_vectors_stay_small_with_any_number_of_shards(kind, sentences, monkeypatch):
    monkeypatch.setattr(_sharding, "_TOKENS", 100)
    words, longest = with_documents(text(), *sentences), []
    for shards in (1, 2, 4):
        state = trained_state(kind(shards=shards, **SMALL), words)
        longest.append(np.linalg.norm(state["documents"], axis=1).max())

    assert max(longest) < 5
