import numpy as np
import pytest

from lexiscope.core import corpus as module
from lexiscope.core.corpus import Corpus, empty_corpus
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.vocabulary import Vocabulary

WORDS = Vocabulary(("a", "b"))


def _corpus(tokens, starts, **more):
    return Corpus("made", WORDS, np.array(tokens, np.int32), np.array(starts, np.int64), **more)


def _four_sentences(documents, **more):
    return _corpus([0, 1, 1, 0], [0, 1, 2, 3, 4], documents=np.array(documents), **more)


def test_sentences_may_be_empty():
    assert _corpus([0, 1, 1], [0, 0, 2, 2, 3, 3]).sentences == 5


@pytest.mark.parametrize("tokens", [[0, 2], [-1, 1]])
def test_a_token_outside_the_vocabulary_is_refused(tokens):
    with pytest.raises(ValueError, match=r"tokens are .* for 2 words"):
        _corpus(tokens, [0, 2])


@pytest.mark.parametrize("starts", [[0, 3, 2], [0, -1, 2], [0, 2, 1, 2]])
@pytest.mark.parametrize("block", [1, 2, 1 << 20])
def test_decreasing_starts_are_refused(starts, block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", block)

    with pytest.raises(ValueError, match="starts must not decrease"):
        _corpus([0, 1], starts)


def test_two_dimensional_tokens_are_refused():
    with pytest.raises(ValueError, match="tokens have 2 axes"):
        _corpus([[0], [1]], [0, 2])


def test_a_text_is_one_document_by_default():
    assert _corpus([0, 1, 1], [0, 2, 3]).documents.tolist() == [0, 2]
    assert empty_corpus().documents.tolist() == [0]


def test_every_sentence_is_a_document_if_sentences_are_documents():
    steps = Preprocessing(sentences="documents")

    assert _corpus([0, 1, 1], [0, 2, 3], preprocessing=steps).documents.tolist() == [0, 1, 2]


def test_given_documents_are_kept_and_read_only():
    found = _four_sentences([0, 1, 4])

    assert found.documents.tolist() == [0, 1, 4]
    assert not found.documents.flags.writeable


@pytest.mark.parametrize("documents", [[0, 3], [1, 4], [0, 3, 2, 4], [[0, 4]], [0.0, 4.0]])
def test_invalid_documents_are_refused(documents):
    with pytest.raises(ValueError, match="documents"):
        _four_sentences(documents)


def test_the_fingerprint_depends_on_the_documents():
    prints = {_four_sentences(each).fingerprint for each in ([0, 4], [0, 1, 4], [0, 2, 4])}

    assert len(prints) == 3
