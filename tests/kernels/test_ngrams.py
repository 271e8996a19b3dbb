"""N-grams and hashes, compared with slow, obvious versions."""

import numpy as np
import pytest

from lexiscope.kernels.ngrams import fnv1a, murmur3, murmur64a, ngrams_of

MASK = (1 << 64) - 1
WORDS = ["", "a", "cat", "été", "日本語", "x" * 16, "y" * 33, "naïve-words", "🙂ß", "abcdefgh"]


def packed(words):
    encoded = [word.encode() for word in words]
    ends = np.cumsum([len(word) for word in encoded])
    text = np.frombuffer(b"".join(encoded), np.uint8)
    return text, np.append(0, ends[:-1]), ends


def slow_fnv1a(word):
    found = 2166136261
    for byte in word.encode():
        signed = byte - 256 if byte > 127 else byte  # fastText's char is signed
        found = ((found ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return found


def slow_murmur64a(word, seed):
    m, data = 0xC6A4A7935BD1E995, word.encode()
    found = seed ^ (len(data) * m & MASK)
    whole = len(data) // 8 * 8
    for start in range(0, whole, 8):
        k = int.from_bytes(data[start : start + 8], "little") * m & MASK
        found = (found ^ ((k ^ k >> 47) * m & MASK)) * m & MASK
    if data[whole:]:
        found = (found ^ int.from_bytes(data[whole:], "little")) * m & MASK
    found = (found ^ found >> 47) * m & MASK
    return found ^ found >> 47


def slow_ngrams(word, shortest, longest, single_ends):
    for start in range(len(word)):
        for n in range(shortest, longest + 1):
            end = start + n
            at_end = start == 0 or end == len(word)
            if end <= len(word) and (single_ends or n > 1 or not at_end):
                yield word[start:end]


def test_fnv1a_has_signed_bytes_as_in_fasttext():
    text, starts, ends = packed(WORDS)
    found = np.empty(len(WORDS), np.uint32)

    fnv1a(text, starts, ends, found)

    assert found.tolist() == list(map(slow_fnv1a, WORDS))


def test_murmur64a_agrees_with_a_slow_version():
    text, starts, ends = packed(WORDS)
    found = np.empty(len(WORDS), np.uint64)

    murmur64a(text, starts, ends, 1, found)

    assert found.tolist() == [slow_murmur64a(word, 1) for word in WORDS]


def test_murmur3_agrees_with_published_values():
    # MurmurHash3_x64_128 with seed 0, of "" and of a sentence that every implementation tests.
    words = ["", "The quick brown fox jumps over the lazy dog"]
    text, starts, ends = packed(words)
    found = np.empty((2, 4), np.uint32)

    murmur3(text, starts, ends, 0, found)

    assert found[0].tolist() == [0, 0, 0, 0]
    first, second = (int(row[1]) << 32 | int(row[0]) for row in found[1].reshape(2, 2))
    assert (f"{first:x}", f"{second:x}") == ("e34bbc7bbc071b6c", "7a433ca9c49a9347")


@pytest.mark.parametrize("single_ends", [True, False])
@pytest.mark.parametrize(("shortest", "longest"), [(1, 3), (2, 5), (3, 3), (4, 2)])
def test_ngrams_count_characters(shortest, longest, single_ends):
    words = [f"<{word}>" for word in WORDS]
    text, _, ends = packed(words)
    none = np.empty(0, np.int64)
    number = ngrams_of(text, ends, shortest, longest, single_ends, none, none)
    starts, stops = np.empty(number, np.int64), np.empty(number, np.int64)

    ngrams_of(text, ends, shortest, longest, single_ends, starts, stops)

    raw = text.tobytes()
    found = [raw[a:b].decode() for a, b in zip(starts, stops, strict=True)]
    assert found == [
        gram for word in words for gram in slow_ngrams(word, shortest, longest, single_ends)
    ]
