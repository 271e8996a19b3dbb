"""Tokenisation of examples, and word numbers compared with a dict.

tests/data/corpora compares all rules together with a reference.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from lexiscope.kernels.parsing import tokens as kernel

NONE = np.empty(0, np.int64)


def points_of(text):
    return np.array([ord(c) for c in text], np.uint32)


def table():
    """Letters, digits, apostrophe, full stop, space and newline; S is normalised to s."""
    entries = np.zeros(128, np.uint32)
    for point in range(128):
        kind = kernel.OTHER
        if chr(point).isalpha():
            kind = kernel.LETTER
        entries[point] = point | kind << kernel.KIND_SHIFT
    for character, kind, flags in (
        (" ", kernel.SPACE, 0),
        ("\n", kernel.LINE, 0),
        ("'", kernel.JOINS_LETTERS, kernel.CLOSING),
        (".", kernel.JOINS_DIGITS, kernel.ENDS_SENTENCE),
        ("1", kernel.DIGIT, 0),
        ("#", kernel.DOCUMENT, 0),
    ):
        entries[ord(character)] = ord(character) | kind << kernel.KIND_SHIFT | flags
    entries[ord("S")] = ord("s") | kernel.LETTER << kernel.KIND_SHIFT | kernel.UPPER
    entries[ord("a")] |= kernel.LOWER
    return entries


def tokenize(text, spaces=False, split=True, lines=False):
    """The tokens of a text, "|" where a sentence ends and "#" where a document does."""
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    letters, ends = np.zeros(len(text) + 1, np.uint32), np.zeros(len(text) + 4, np.int32)
    points = points_of(text)
    args = points, 0, table(), spaces, split, lines, NONE, NONE, state, letters, ends
    assert kernel.tokenize(*args) == len(text)
    found, begin = [], 0
    for end in ends[: state[kernel.END_COUNT]].tolist():
        boundary = {kernel.SENTENCE_END: "|", kernel.DOCUMENT_END: "#"}.get(end)
        found.append(boundary or "".join(map(chr, letters[begin:end])))
        begin = begin if boundary else end
    return found


def test_words_are_runs_of_letters_and_digits_and_joining_characters():
    assert tokenize("don't 'x' 1.1 x.1 #") == ["don't", "x", "1.1", "x", "1", "#"]


def test_whitespace_tokens_keep_punctuation():
    assert tokenize("don't 'x' 1.1. #", spaces=True) == ["don't", "'x'", "1.1.", "#"]


def test_a_sentence_ends_at_punctuation_and_a_space_unless_a_lowercase_letter_follows():
    assert tokenize("x. a b. So. x\n\nb#") == ["x", "a", "b", "|", "so", "|", "x", "|", "b", "#"]


def test_a_sentence_ends_with_every_line_or_with_the_document_only():
    text = "x. So\nx\n\nb#"

    assert tokenize(text, split=False, lines=True) == ["x", "so", "|", "x", "|", "b", "#"]
    assert tokenize(text, split=False) == ["x", "so", "x", "b", "#"]


def test_documents_end_at_their_markers_even_empty_ones():
    assert tokenize("x#x\n\n##x") == ["x", "#", "x", "|", "#", "#"]  # the last x is still open


def test_tokenizing_stops_at_a_character_without_table_entry():
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    some_table = table()
    some_table[ord("q")] = 0
    letters, ends = np.zeros(9, np.uint32), np.zeros(9, np.int32)
    args = some_table, False, True, False, NONE, NONE, state, letters, ends

    assert kernel.tokenize(points_of("ab q"), 0, *args) == 3


@given(some.lists(some.text("abc", min_size=1, max_size=4), max_size=40), some.integers(0, 3))
def test_word_numbers_and_counts_agree_with_a_dict(words, breaks):
    letters = points_of("".join(words))
    ends = np.cumsum([len(word) for word in words]).astype(np.int32)
    positions = np.arange(breaks) % (len(ends) + 1)
    boundaries = np.where(positions % 2, kernel.SENTENCE_END, kernel.DOCUMENT_END)
    ends = np.insert(ends, positions, boundaries).astype(np.int32)
    slots, index, arena = np.zeros(64, np.int64), np.zeros((2, 2), np.int64), np.zeros(1, np.uint32)

    hashes = np.empty(len(ends), np.int64)
    kernel.hash_tokens(letters, ends, hashes)
    at = begin = number = 0
    while at < len(ends):
        memory = slots, index, arena
        at, begin, number = kernel.number_tokens(letters, ends, hashes, at, begin, number, *memory)
        if number + 2 > len(index):
            index = np.vstack([index, np.zeros_like(index)])
            slots = np.zeros(4 * len(index), np.int64)
            kernel.rehash(number, slots, index, arena)
        arena = np.append(arena, np.zeros(len(arena), np.uint32))

    numbers = {word: n for n, word in enumerate(dict.fromkeys(words))}
    assert ends[ends >= 0].tolist() == [numbers[word] for word in words]
    assert sorted(ends[ends < 0]) == sorted(boundaries)
    assert index[:number, 1].tolist() == [words.count(word) for word in numbers]
    for word, n in numbers.items():
        assert "".join(map(chr, arena[index[n, 0] : index[n + 1, 0]])) == word


@given(some.lists(some.integers(-2, 4), max_size=40), some.integers(1, 9))
def test_final_indices_drop_words_and_empty_sentences_and_documents(numbers, size):
    indices = np.array([2, -1, 0, 1, -1], np.int32)
    counts, found = np.zeros(4, np.int64), ([], [], [])
    for at in range(0, len(numbers), size):
        block = np.array(numbers[at : at + size], np.int32)
        parts = [np.empty(len(block), kind) for kind in (np.int32, np.int64, np.int64)]
        written = kernel.encode_block(block, indices, counts, *parts)
        for whole, part, count in zip(found, parts, written, strict=True):
            whole += part[:count].tolist()

    tokens, starts, documents = [], [0], [0]
    for number in numbers:
        if number >= 0 and indices[number] >= 0:
            tokens.append(int(indices[number]))
        if number < 0 and len(tokens) > starts[-1]:
            starts.append(len(tokens))
        if number == kernel.DOCUMENT_END and len(starts) - 1 > documents[-1]:
            documents.append(len(starts) - 1)
    assert found == (tokens, starts[1:], documents[1:])
    opened = len(tokens) - starts[-1], len(starts) - 1 - documents[-1]
    assert counts.tolist() == [len(tokens), len(starts) - 1, *opened]
