import numpy as np
import pytest

from lexiscope.core import corpus as module
from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import Vocabulary

WORDS = Vocabulary(("a", "b"))


def _corpus(tokens, starts):
    return Corpus("made", WORDS, np.array(tokens, np.int32), np.array(starts, np.int64))


def test_sentences_may_be_empty():
    assert _corpus([0, 1, 1], [0, 0, 2, 2, 3, 3]).sentences == 5


@pytest.mark.parametrize("tokens", [[0, 2], [-1, 1]])
def test_a_token_outside_the_vocabulary_is_refused(tokens):
    with pytest.raises(ValueError, match=r"tokens are .* for 2 words"):
        _corpus(tokens, [0, 2])


@pytest.mark.parametrize("starts", [[0, 3, 2], [0, -1, 2], [0, 2, 1, 2]])
@pytest.mark.parametrize("at_once", [1, 2, 1 << 20])
def test_starts_that_do_not_rise_are_refused(starts, at_once, monkeypatch):
    monkeypatch.setattr(module, "_TOKENS_AT_ONCE", at_once)

    with pytest.raises(ValueError, match="starts must rise"):
        _corpus([0, 1], starts)


def test_tables_are_refused():
    with pytest.raises(ValueError, match="tokens have 2 axes"):
        _corpus([[0], [1]], [0, 2])
