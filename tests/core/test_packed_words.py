"""Packed words behave like a tuple of strings, also those of a large vocabulary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core import packed_words, vocabulary
from lexiscope.core.errors import BadData
from lexiscope.core.packed_words import concatenate, pack, take, word_index
from lexiscope.core.vocabulary import Vocabulary

any_words = st.lists(st.text(st.characters(exclude_categories=())))


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Every vocabulary of more than two words is large, and is decoded three words at a time."""
    monkeypatch.setattr(packed_words, "LARGE", 2)
    monkeypatch.setattr(vocabulary, "LARGE", 2)
    monkeypatch.setattr(packed_words, "_CHUNK", 3)


def sliced(words, part):
    return list(pack(words)[part])


@given(any_words)
def test_words_are_decoded_in_order(words):
    assert list(pack(words)) == words
    assert sliced(words, slice(None, None, -1)) == words[::-1]
    assert sliced(words, slice(1, -1)) == words[1:-1]
    assert list(concatenate([pack(words), pack(["x"]), pack(words)])) == [*words, "x", *words]


@given(any_words.filter(bool), st.data())
def test_words_are_selected_one_by_one_and_many_at_once(words, data):
    indices = data.draw(st.lists(st.integers(0, len(words) - 1)))
    packed = pack(words)

    assert [packed[index] for index in indices] == [words[index] for index in indices]
    assert packed[-1] == words[-1]
    assert list(take(packed, np.array(indices, np.int64))) == [words[k] for k in indices]
    with pytest.raises(IndexError):
        packed[len(words)]


@given(any_words, any_words)
def test_an_index_finds_the_words_that_a_dictionary_finds(words, others):
    distinct = list(dict.fromkeys(words))
    index = {word: number for number, word in enumerate(distinct)}
    found = Vocabulary(pack(distinct))

    assert found.find([*others, *words]).tolist() == [index.get(w, -1) for w in [*others, *words]]
    assert [word in found for word in others] == [word in index for word in others]
    assert 3 not in found


@given(any_words, st.data())
def test_the_first_or_the_most_frequent_of_equal_words_is_chosen(words, data):
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(words), max_size=len(words)))
    order = sorted(range(len(words)), key=lambda k: -counts[k])

    firsts = word_index(pack(words)).first_of_each()
    frequent = word_index(pack(words), np.array(counts, np.int64)).first_of_each()

    assert firsts.tolist() == sorted({w: k for k, w in reversed(list(enumerate(words)))}.values())
    assert frequent.tolist() == sorted({words[k]: k for k in reversed(order)}.values())


def test_words_with_equal_hashes_differ_in_their_letters(monkeypatch):
    monkeypatch.setattr(packed_words, "hashes_of", lambda words: np.zeros(len(words), np.uint64))
    words = ["cat", "dog", "cat", "cow", "dog", "ape"]
    index = word_index(pack(words))

    assert index.first_of_each().tolist() == [0, 1, 3, 5]
    assert index.find(pack(["ape", "dog", "elk"])).tolist() == [5, 1, -1]


def test_a_repeated_word_of_a_large_vocabulary_is_reported():
    with pytest.raises(BadData, match=r"The word 'dog' occurs twice\."):
        Vocabulary(pack(["cat", "dog", "cow", "dog", "cat"])).find(["cow"])


def test_words_are_added_to_a_large_vocabulary():
    longer = Vocabulary(pack(["cat", "dog", "cow"])).plus(["ape"])

    assert longer.find(["ape", "cow"]).tolist() == [3, 2]
    assert list(longer) == ["cat", "dog", "cow", "ape"]
