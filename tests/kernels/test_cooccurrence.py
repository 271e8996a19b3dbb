"""Each co-occurrence kernel against a slow reference implementation."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from lexiscope.kernels.cooccurrence import (
    count_rows,
    count_words,
    list_occurrences,
    merge_rows,
    random_bits_at,
    remove_dropped,
    sample_windows,
    subsample,
)


def int32(values):
    return np.array(values, np.int32)


def int64(values):
    return np.array(values, np.int64)


def test_random_bits_are_those_of_splitmix64():
    sampled = [random_bits_at(np.uint64(1234567), np.uint64(position)) for position in range(3)]

    assert sampled == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_windows_are_uniform_and_independent_of_sharding():
    whole, tail = np.empty(60_000, np.uint16), np.empty(10_000, np.uint16)

    sample_windows(0, 6, np.uint64(7), whole)
    sample_windows(50_000, 6, np.uint64(7), tail)

    assert_array_equal(whole[50_000:], tail)
    assert np.bincount(whole)[0] == 0
    assert np.bincount(whole)[1:] == pytest.approx([10_000] * 6, rel=0.05)


def test_words_are_dropped_with_their_probability():
    tokens, subsampled = int32([0, 1, 2] * 10_000), np.empty(30_000, np.int32)

    subsample(tokens, 0, np.array([1.0, 0.25, 0.0]), np.uint64(3), subsampled)

    left = Counter(subsampled.tolist())
    assert left[0] == 10_000
    assert left[1] == pytest.approx(2_500, rel=0.05)
    assert left[2] == 0


def test_dropped_tokens_are_removed_within_sentences():
    tokens, windows = int32([4, -1, 5, -1, 6, -1]), np.arange(6).astype(np.uint16)
    new_starts = np.empty(4, np.int64)

    left = remove_dropped(tokens, windows, int64([0, 3, 4, 6]), new_starts)

    assert tokens[:left].tolist() == [4, 5, 6]
    assert windows[:left].tolist() == [0, 2, 4]
    assert new_starts.tolist() == [0, 2, 2, 3]


def test_the_context_of_an_occurrence_ends_with_its_sentence_and_its_window():
    tokens, windows = int32([1, 0, 1, 0]), np.array([2, 2, 1, 1], np.uint16)
    counts = np.zeros(3, np.int64)
    count_words(tokens, counts[1:])
    found, ends = np.empty(4, np.int64), np.cumsum(counts)[:-1].copy()

    list_occurrences(tokens, int64([0, 3, 4]), windows, ends, found)

    assert [(k >> 32, k >> 16 & 0xFFFF, k & 0xFFFF) for k in found.tolist()] == [
        (1, 1, 1),
        (3, 0, 0),
        (0, 0, 2),
        (2, 1, 0),
    ]


def new_buffers(words, entries):
    return (
        np.zeros(words, np.int64),
        np.zeros(words // 64 + 1, np.uint64),
        np.zeros(words // 4096 + 1, np.uint64),
        np.empty(words, np.int32),
        np.empty(entries, np.int32),
        np.empty(entries, np.int64),
    )


def rows_as_dictionary(lengths, columns, sums, number):
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return dict(
        zip(zip(rows.tolist(), columns[:number].tolist(), strict=True), sums.tolist(), strict=False)
    )


word_indices = st.sampled_from([0, 1, 63, 64, 65, 4095, 4096, 9999])  # around bitmap boundaries


@given(st.lists(word_indices, max_size=30), st.integers(-4, 4), st.integers(-4, 4))
def test_rows_agree_with_a_dictionary_for_any_range_of_positions(text, lowest, highest):
    tokens, weights = int32(text), int64([0, 7, 5, 3, 2])
    tokens.flags.writeable = False
    expected = Counter()
    for i, word in enumerate(text):
        for j, other in enumerate(text):
            if i != j and lowest <= j - i <= highest:
                expected[word, other] += int(weights[abs(j - i)])
    counts = np.zeros(10_001, np.int64)
    count_words(tokens, counts[1:])
    heads, found = np.cumsum(counts), np.empty(len(text), np.int64)
    windows = np.full(len(text), 4, np.uint16)
    list_occurrences(tokens, int64([0, len(text)]), windows, heads[:-1].copy(), found)
    *tally, lengths, columns, sums = new_buffers(10_000, 300)

    number = count_rows(
        tokens, found, heads, 0, 10_000, lowest, highest, weights, *tally, lengths, columns, sums
    )

    assert rows_as_dictionary(lengths, columns, sums, number) == expected
    assert list(rows_as_dictionary(lengths, columns, sums, number)) == sorted(expected)
    assert not any(part.any() for part in tally)


entries = st.dictionaries(st.tuples(st.integers(0, 3), word_indices), st.integers(1, 9))


@given(st.lists(entries, min_size=1, max_size=4))
def test_merged_rows_agree_with_the_sum_of_dictionaries(parts):
    sorted_parts = [sorted(part.items()) for part in parts]
    every = [entry for part in sorted_parts for entry in part]
    lengths_of = [
        [sum(row == r for (row, _), _ in part) for r in range(4)] for part in sorted_parts
    ]
    flat = np.concatenate([[0], np.cumsum(lengths_of)])
    bounds = np.array([flat[4 * p : 4 * p + 5] for p in range(len(parts))])
    given_columns, given_sums = int32([c for (_, c), _ in every]), int64([n for _, n in every])
    *tally, lengths, columns, sums = new_buffers(10_000, 200)

    number = merge_rows(bounds, given_columns, given_sums, *tally, lengths[:4], columns, sums)

    assert rows_as_dictionary(lengths[:4], columns, sums, number) == sum(
        map(Counter, parts), Counter()
    )
    assert not any(part.any() for part in tally)
