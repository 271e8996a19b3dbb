import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import PackedWords, Vocabulary, pack

any_character = st.characters(exclude_categories=())  # surrogate halves too


@given(st.lists(st.text(any_character)))
def test_packed_words_of_any_unicode_equal_the_plain_ones(words):
    assert list(pack(words)) == words


@given(st.lists(st.text(any_character), min_size=1), st.data())
def test_packed_words_are_indexed_and_sliced_like_a_tuple(words, data):
    packed, place = pack(words), data.draw(st.integers(-len(words), len(words) - 1))

    assert packed[place] == words[place]
    assert packed[place:] == tuple(words[place:])
    assert len(packed) == len(words)


def test_the_ends_of_packed_words_count_bytes():
    packed = pack(["a", "é", "日本", "🐈"])

    assert packed.ends.tolist() == [1, 3, 9, 13]
    assert bytes(packed.block).decode() == "aé日本🐈"


def test_packing_packed_words_gives_the_same_block():
    packed = pack(["cat", "dog"])

    assert pack(packed) is packed


def test_packed_words_may_be_in_read_only_memory():
    packed = pack(["cat", "naïve"])
    block = np.frombuffer(bytes(packed.block), np.uint8)

    assert list(PackedWords(block, packed.ends)) == ["cat", "naïve"]


def test_find_gives_indices_and_minus_one_for_oov_words():
    vocabulary = Vocabulary(("cat", "dog", "Cat"))

    assert vocabulary.find(["Cat", "zyx", "cat"]).tolist() == [2, -1, 0]
    assert vocabulary.find([]).tolist() == []


def test_letters_and_their_composed_twins_are_different_words():
    vocabulary = Vocabulary(("caf\u00e9", "cafe\u0301"))

    assert vocabulary.find(["cafe\u0301", "caf\u00e9"]).tolist() == [1, 0]


def test_a_repeated_word_is_reported():
    with pytest.raises(BadData, match=r"The word 'dog' occurs twice\."):
        Vocabulary(("cat", "dog", "dog", "cat")).find(["cat"])


def test_contains_iterates_and_counts():
    vocabulary = Vocabulary(pack(["cat", "dog"]))

    assert "dog" in vocabulary
    assert "cow" not in vocabulary
    assert list(vocabulary) == ["cat", "dog"]
    assert len(vocabulary) == 2
