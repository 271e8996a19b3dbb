"""Words as one block of bytes, and an index of them that needs no Python string.

A million Python strings with a dictionary take 150 MB, in a block with an index 30 MB. A few words
are faster as strings, so only large vocabularies use the index.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

LARGE = 1 << 20  # words from which none are kept as strings
_CHUNK = 1 << 16  # words


@dataclass(frozen=True, eq=False)
class PackedWords(Sequence[str]):
    """Words as a block of UTF-8 and the end of each; decoded on first access.

    So a memory-mapped file of a million words opens instantly. Words of a large vocabulary are
    decoded at every access.
    """

    block: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if len(self) <= LARGE:
            return self._words[index]
        chosen = range(len(self))[index]
        if isinstance(chosen, int):
            return self.between(chosen, chosen + 1)._words[0]
        if chosen.step == 1:
            return self.between(chosen.start, chosen.stop)
        return self.take(np.array(chosen, np.int64))

    def __iter__(self) -> Iterator[str]:
        if len(self) <= LARGE:
            return iter(self._words)
        return chain.from_iterable(chunk._words for chunk in self.chunks())

    def chunks(self) -> Iterator["PackedWords"]:
        """Some words at a time, in order."""
        for first in range(0, len(self), _CHUNK):
            yield self.between(first, min(first + _CHUNK, len(self)))

    def between(self, first: int, last: int) -> "PackedWords":
        """The words from `first` to `last`, without a copy of their characters."""
        start = int(self.ends[first - 1]) if first else 0
        end = int(self.ends[last - 1]) if last > first else start
        return PackedWords(self.block[start:end], self.ends[first:last] - start)

    def first(self, number: int) -> "PackedWords":
        """The first words, as parts of the same arrays."""
        ends = self.ends[:number]
        return PackedWords(self.block[: int(ends[-1]) if len(ends) else 0], ends)

    def take(self, indices: NDArray[np.int64]) -> "PackedWords":
        """The words with these indices, in this order."""
        from lexiscope.kernels.packed_words import take_words

        starts = np.where(indices > 0, self.ends[indices - 1], 0)
        block = np.empty(int((self.ends[indices] - starts).sum()), np.uint8)
        ends = np.empty(len(indices), np.int64)
        take_words(self.block, self.ends, indices, block, ends)
        return PackedWords(block, ends)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        text = bytes(self.block).decode("utf-8", "surrogatepass")
        if len(text) == len(self.block):
            ends = self.ends
        else:  # some characters have several bytes: count first bytes
            characters = np.zeros(len(self.block) + 1, np.int64)
            np.cumsum((self.block & 0xC0) != 0x80, out=characters[1:])
            ends = characters[self.ends]
        return tuple(text[start:end] for start, end in pairwise([0, *ends.tolist()]))


def pack(words: Iterable[str]) -> PackedWords:
    """Return the words as one block."""
    if isinstance(words, PackedWords):
        return words
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.fromiter((len(word) for word in encoded), np.int64, len(encoded))
    return PackedWords(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum(lengths))


def concatenate(parts: Sequence[PackedWords]) -> PackedWords:
    """Return the words of all parts."""
    sizes = np.cumsum([0, *(len(part.block) for part in parts)])
    ends = [part.ends + size for part, size in zip(parts, sizes, strict=False)]
    return PackedWords(np.concatenate([part.block for part in parts]), np.concatenate(ends))


def take(words: Sequence[str], indices: NDArray[np.int64]) -> Sequence[str]:
    """Return the words with these indices; packed if the words are packed and many."""
    if isinstance(words, PackedWords) and len(words) > LARGE:
        return words.take(indices)
    return tuple(words[index] for index in indices.tolist())


@dataclass(frozen=True, eq=False)
class WordIndex:
    """Finds words by their sorted hashes: 12 bytes for each word, besides the words."""

    words: PackedWords
    hashes: NDArray[np.uint64]
    order: NDArray[np.int32]

    def find(self, wanted: PackedWords) -> NDArray[np.int64]:
        """The index of each wanted word, -1 for one that does not occur."""
        from lexiscope.kernels.packed_words import find_words

        found = np.empty(len(wanted), np.int64)
        own = self.words.block, self.words.ends, self.hashes, self.order
        find_words(*own, wanted.block, wanted.ends, hashes_of(wanted), found)
        return found

    def first_of_each(self) -> NDArray[np.int64]:
        """The indices of words that no equal word precedes in the order of the index, sorted."""
        from lexiscope.kernels.packed_words import mark_first

        is_first = np.zeros(len(self.words), np.bool_)
        mark_first(self.words.block, self.words.ends, self.hashes, self.order, is_first)
        return np.flatnonzero(is_first)


def word_index(words: PackedWords, counts: NDArray[np.int64] | None = None) -> WordIndex:
    """Return the index of words; of equal ones the most frequent comes first, then the first."""
    hashes = hashes_of(words)
    order = np.argsort(hashes, kind="stable").astype(np.int32)
    if counts is not None:
        by_count = np.argsort(-counts, kind="stable")
        order = by_count[np.argsort(hashes[by_count], kind="stable")].astype(np.int32)
    return WordIndex(words, hashes[order], order)


def hashes_of(words: PackedWords) -> NDArray[np.uint64]:
    """Return the hash of each word."""
    from lexiscope.kernels.packed_words import hash_words

    hashes = np.empty(len(words), np.uint64)
    hash_words(words.block, words.ends, hashes)
    return hashes
