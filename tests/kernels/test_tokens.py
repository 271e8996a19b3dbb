"""Tokens by hand, numbers against a dict; all rules together meet a twin in tests/data/corpora."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from lexiscope.kernels import tokens as kernel

NONE = np.empty(0, np.int64)


def points_of(text):
    return np.array([ord(c) for c in text], np.uint32)


def table():
    """Small letters, digits, the apostrophe, the full stop, space and newline; S is written s."""
    entries = np.zeros(128, np.uint32)
    for point in range(128):
        kind = kernel.OTHER
        if chr(point).isalpha():
            kind = kernel.LETTER
        entries[point] = point | kind << kernel.KIND
    for character, kind, flags in (
        (" ", kernel.SPACE, 0),
        ("\n", kernel.LINE, 0),
        ("'", kernel.JOINS_LETTERS, kernel.CLOSES),
        (".", kernel.JOINS_DIGITS, kernel.ENDS),
        ("1", kernel.DIGIT, 0),
        ("#", kernel.DOCUMENT, 0),
    ):
        entries[ord(character)] = ord(character) | kind << kernel.KIND | flags
    entries[ord("S")] = ord("s") | kernel.LETTER << kernel.KIND | kernel.UPPER
    entries[ord("a")] |= kernel.LOWER
    return entries


def cut(text, spaces=False, split=True, lines=False):
    """The tokens of a text, "|" where a sentence ends and "#" where a document does."""
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    letters, ends = np.zeros(len(text) + 1, np.uint32), np.zeros(len(text) + 4, np.int32)
    points = points_of(text)
    args = points, 0, table(), spaces, split, lines, NONE, NONE, state, letters, ends
    assert kernel.cut(*args) == len(text)
    found, begin = [], 0
    for end in ends[: state[kernel.WRITTEN_ENDS]].tolist():
        mark = {kernel.BREAK: "|", kernel.END: "#"}.get(end)
        found.append(mark or "".join(map(chr, letters[begin:end])))
        begin = begin if mark else end
    return found


def test_words_are_runs_of_letters_and_digits_with_what_joins_them():
    assert cut("don't 'x' 1.1 x.1 #") == ["don't", "x", "1.1", "x", "1", "#"]


def test_tokens_between_spaces_keep_their_marks():
    assert cut("don't 'x' 1.1. #", spaces=True) == ["don't", "'x'", "1.1.", "#"]


def test_a_sentence_ends_at_a_mark_a_space_and_no_small_letter():
    assert cut("x. a b. So. x\n\nb#") == ["x", "a", "b", "|", "so", "|", "x", "|", "b", "#"]


def test_a_sentence_ends_with_every_line_or_with_the_document_only():
    text = "x. So\nx\n\nb#"

    assert cut(text, split=False, lines=True) == ["x", "so", "|", "x", "|", "b", "#"]
    assert cut(text, split=False) == ["x", "so", "x", "b", "#"]


def test_documents_end_where_they_are_marked_even_empty_ones():
    assert cut("x#x\n\n##x") == ["x", "#", "x", "|", "#", "#"]  # the last x is still open


def test_it_stops_where_the_table_has_no_entry():
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    some_table = table()
    some_table[ord("q")] = 0
    letters, ends = np.zeros(9, np.uint32), np.zeros(9, np.int32)
    args = some_table, False, True, False, NONE, NONE, state, letters, ends

    assert kernel.cut(points_of("ab q"), 0, *args) == 3


@given(some.lists(some.text("abc", min_size=1, max_size=4), max_size=40), some.integers(0, 3))
def test_words_are_numbered_and_counted_as_by_a_dict(words, breaks):
    letters = points_of("".join(words))
    ends = np.cumsum([len(word) for word in words]).astype(np.int32)
    places = np.arange(breaks) % (len(ends) + 1)
    marks = np.where(places % 2, kernel.BREAK, kernel.END)
    ends = np.insert(ends, places, marks).astype(np.int32)
    slots, book, arena = np.zeros(64, np.int64), np.zeros((2, 2), np.int64), np.zeros(1, np.uint32)

    keys = np.empty(len(ends), np.int64)
    kernel.keys_of(letters, ends, keys)
    at = begin = number = 0
    while at < len(ends):
        memory = slots, book, arena
        at, begin, number = kernel.number(letters, ends, keys, at, begin, number, *memory)
        if number + 2 > len(book):
            book = np.vstack([book, np.zeros_like(book)])
            slots = np.zeros(4 * len(book), np.int64)
            kernel.rehash(number, slots, book, arena)
        arena = np.append(arena, np.zeros(len(arena), np.uint32))

    numbers = {word: n for n, word in enumerate(dict.fromkeys(words))}
    assert ends[ends >= 0].tolist() == [numbers[word] for word in words]
    assert sorted(ends[ends < 0]) == sorted(marks)
    assert book[:number, 1].tolist() == [words.count(word) for word in numbers]
    for word, n in numbers.items():
        assert "".join(map(chr, arena[book[n, 0] : book[n + 1, 0]])) == word


@given(some.lists(some.integers(-2, 4), max_size=40), some.integers(1, 9))
def test_final_places_drop_words_and_empty_sentences_and_documents(numbers, size):
    places = np.array([2, -1, 0, 1, -1], np.int32)
    before, made = np.zeros(4, np.int64), ([], [], [])
    for at in range(0, len(numbers), size):
        block = np.array(numbers[at : at + size], np.int32)
        parts = [np.empty(len(block), kind) for kind in (np.int32, np.int64, np.int64)]
        written = kernel.renumber(block, places, before, *parts)
        for all_of_it, part, count in zip(made, parts, written, strict=True):
            all_of_it += part[:count].tolist()

    tokens, starts, documents = [], [0], [0]
    for number in numbers:
        if number >= 0 and places[number] >= 0:
            tokens.append(int(places[number]))
        if number < 0 and len(tokens) > starts[-1]:
            starts.append(len(tokens))
        if number == kernel.END and len(starts) - 1 > documents[-1]:
            documents.append(len(starts) - 1)
    assert made == (tokens, starts[1:], documents[1:])
    opened = len(tokens) - starts[-1], len(starts) - 1 - documents[-1]
    assert before.tolist() == [len(tokens), len(starts) - 1, *opened]
