"""Character n-grams of words and their hashes, as fastText, floret and spaCy compute them."""

import numpy as np
from numba import njit

_FNV_START, _FNV_PRIME = np.uint32(2166136261), np.uint32(16777619)
_M64 = np.uint64(0xC6A4A7935BD1E995)
_C1, _C2 = np.uint64(0x87C37B91114253D5), np.uint64(0x4CF5AD432745937F)


@njit(nogil=True, cache=True)
def ngrams_of(text, ends, shortest, longest, single_ends, starts, stops):
    """Find where the n-grams of each word start and stop in `text`; return their number.

    `text` has the words in UTF-8, `ends` the end of each. The n of an n-gram counts characters.
    N-grams of one character at either end of a word are left out unless `single_ends`. `starts`
    and `stops` have shape (n-grams,); if they are empty, the n-grams are only counted.
    """
    found = 0
    first = 0
    for end in ends:
        for i in range(first, end):
            if text[i] & 0xC0 == 0x80:
                continue
            j = i
            for n in range(1, longest + 1):
                if j == end:
                    break
                j += 1
                while j < end and text[j] & 0xC0 == 0x80:
                    j += 1
                at_end = i == first or j == end
                if n >= shortest and (single_ends or n > 1 or not at_end):
                    if len(starts):
                        starts[found], stops[found] = i, j
                    found += 1
        first = end
    return found


@njit(nogil=True, cache=True)
def fnv1a(text, starts, stops, hashes):
    """The 32-bit FNV-1a hash of each part of `text`, with signed bytes as in fastText."""
    for k in range(len(starts)):
        h = _FNV_START
        for i in range(starts[k], stops[k]):
            h = np.uint32(h ^ np.uint32(np.int32(np.int8(text[i])))) * _FNV_PRIME
            h = np.uint32(h)
        hashes[k] = h


@njit(nogil=True, cache=True)
def _word64(text, i):
    """Eight bytes as a number, the first one lowest."""
    found = np.uint64(0)
    for k in range(8):
        found |= np.uint64(text[i + k]) << np.uint64(8 * k)
    return found


@njit(nogil=True, cache=True)
def murmur64a(text, starts, stops, seed, hashes):
    """MurmurHash64A of each part of `text`, by which spaCy identifies words."""
    r = np.uint64(47)
    for k in range(len(starts)):
        start, length = starts[k], stops[k] - starts[k]
        h = np.uint64(seed) ^ (np.uint64(length) * _M64)
        blocks = length // 8
        for block in range(blocks):
            x = _word64(text, start + 8 * block) * _M64
            x ^= x >> r
            h = (h ^ (x * _M64)) * _M64
        tail = start + 8 * blocks
        rest = length - 8 * blocks
        if rest:
            for i in range(rest):
                h ^= np.uint64(text[tail + i]) << np.uint64(8 * i)
            h *= _M64
        h ^= h >> r
        h *= _M64
        h ^= h >> r
        hashes[k] = h


@njit(nogil=True, cache=True)
def _rotated(x, bits):
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@njit(nogil=True, cache=True)
def _mixed(x):
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


@njit(nogil=True, cache=True)
def murmur3(text, starts, stops, seed, hashes):
    """MurmurHash3_x64_128 of each part of `text` as four 32-bit numbers, shape (parts, 4)."""
    for k in range(len(starts)):
        start, length = starts[k], stops[k] - starts[k]
        h1, h2 = np.uint64(seed), np.uint64(seed)
        blocks = length // 16
        for block in range(blocks):
            k1 = _word64(text, start + 16 * block) * _C1
            k2 = _word64(text, start + 16 * block + 8) * _C2
            h1 ^= _rotated(k1, 31) * _C2
            h1 = (_rotated(h1, 27) + h2) * np.uint64(5) + np.uint64(0x52DCE729)
            h2 ^= _rotated(k2, 33) * _C1
            h2 = (_rotated(h2, 31) + h1) * np.uint64(5) + np.uint64(0x38495AB5)
        tail = start + 16 * blocks
        rest = length - 16 * blocks
        k1, k2 = np.uint64(0), np.uint64(0)
        for i in range(rest):
            byte = np.uint64(text[tail + i])
            if i < 8:
                k1 |= byte << np.uint64(8 * i)
            else:
                k2 |= byte << np.uint64(8 * (i - 8))
        h2 ^= _rotated(k2 * _C2, 33) * _C1
        h1 ^= _rotated(k1 * _C1, 31) * _C2
        h1 ^= np.uint64(length)
        h2 ^= np.uint64(length)
        h1 += h2
        h2 += h1
        h1, h2 = _mixed(h1), _mixed(h2)
        h1 += h2
        h2 += h1
        low = np.uint64(0xFFFFFFFF)
        hashes[k, 0], hashes[k, 1] = h1 & low, h1 >> np.uint64(32)
        hashes[k, 2], hashes[k, 3] = h2 & low, h2 >> np.uint64(32)
