"""Vectors of words as means over hashed character n-grams: fastText, floret and spaCy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadData

LONGEST_NGRAM = 64
_MOST_HASHES = 4
_NUMBERS_AT_ONCE = 1 << 22
_WORDS_AT_ONCE = 1 << 12

Table = NDArray[np.float32]
Rows = NDArray[np.int64]


class Parts(NamedTuple):
    """The rows of the parts of words, and the word that each part belongs to, in order."""

    rows: Rows
    owners: Rows


@dataclass(frozen=True, eq=False)
class FastTextNGrams:
    """The n-gram vectors of fastText (Bojanowski et al. 2017).

    Parameters
    ----------
    table : array of shape (buckets, dimensions)
        The vectors of n-grams, by their hash.
    shortest, longest : int
        The lengths of n-grams in characters.
    """

    table: Table
    shortest: int
    longest: int

    parts = "character n-grams"

    def parts_of(self, words: Sequence[bytes]) -> Parts:
        """Return the rows of all n-grams of these words."""
        from lexiscope.kernels import ngrams

        text, ends = joined([b"<" + word + b">" for word in words])
        if not len(self.table) or self.longest < 1:
            return Parts(np.empty(0, np.int64), np.empty(0, np.int64))
        starts, stops = _found(text, ends, self.shortest, self.longest, False)
        hashes = np.empty(len(starts), np.uint32)
        ngrams.fnv1a(text, starts, stops, hashes)
        return Parts(hashes.astype(np.int64) % len(self.table), _owners(ends, starts))

    def vectors_of(self, words: Sequence[str]) -> Table:
        """Return the mean n-gram vector of each word; zeros for a word without n-grams."""
        return means(self.table, self.parts_of([encoded(word) for word in words]), len(words))

    def vectors_with(self, own: Table, words: Sequence[bytes], whole: Sequence[bool]) -> Table:
        """Return the mean of each word's own vector and its n-grams.

        A word that is not `whole` has no n-grams, only its own vector.
        """
        vectors = np.empty((len(words), self.table.shape[1]), np.float32)
        for start in range(0, len(words), _WORDS_AT_ONCE):
            part = slice(start, start + _WORDS_AT_ONCE)
            listed = self.parts_of(words[part])
            kept = np.array(whole[part], bool)[listed.owners]
            parts = Parts(listed.rows[kept], listed.owners[kept])
            vectors[part] = means(self.table, parts, len(words[part]), own[part])
        return vectors


@dataclass(frozen=True, eq=False)
class FloretNGrams:
    """The n-gram vectors of floret and spaCy: each n-gram has several rows.

    Parameters
    ----------
    table : array of shape (buckets, dimensions)
        The vectors, by hash.
    shortest, longest : int
        The lengths of n-grams in characters.
    hashes : int
        How many rows each n-gram has.
    seed : int
        The seed of the hash function.
    begin, end : str
        What marks the beginning and the end of a word.
    single_ends : bool
        Whether n-grams of one character at the ends of a word count: for spaCy, not for floret.
    """

    table: Table
    shortest: int
    longest: int
    hashes: int
    seed: int
    begin: str = "<"
    end: str = ">"
    single_ends: bool = False

    parts = "character n-grams"

    def vectors_of(self, words: Sequence[str]) -> Table:
        """Return the mean vector of each word; zeros for an empty word."""
        from lexiscope.kernels import ngrams

        begin, end = encoded(self.begin), encoded(self.end)
        text, ends = joined([begin + encoded(word) + end for word in words])
        starts, stops = _found(text, ends, self.shortest, self.longest, self.single_ends)
        whole = np.append(0, ends[:-1]) if len(words) else ends
        starts, stops = np.concatenate([whole, starts]), np.concatenate([ends, stops])
        hashes = np.empty((len(starts), _MOST_HASHES), np.uint32)
        ngrams.murmur3(text, starts, stops, self.seed, hashes)
        rows = hashes[:, : self.hashes].astype(np.int64) % len(self.table)
        owners = np.repeat(_owners(ends, starts), self.hashes)
        order = np.argsort(owners, kind="stable")
        return means(self.table, Parts(rows.ravel()[order], owners[order]), len(words))


def check_lengths(path: str, shortest: int, longest: int) -> None:
    """Refuse lengths of n-grams that no model has."""
    if not 0 <= shortest <= LONGEST_NGRAM or not 0 <= longest <= LONGEST_NGRAM:
        raise BadData(
            f"{path}: announces n-grams of {shortest:,} to {longest:,} characters; must be 0 to "
            f"{LONGEST_NGRAM}. The file is damaged."
        )


def joined(words: Sequence[bytes]) -> tuple[NDArray[np.uint8], Rows]:
    """Return the words as one block, and the end of each."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return np.frombuffer(b"".join(words), np.uint8), np.cumsum(lengths)


def encoded(word: str) -> bytes:
    """Return the word in UTF-8."""
    return word.encode("utf-8", "surrogatepass")


def means(table: Table, parts: Parts, words: int, own: Table | None = None) -> Table:
    """Return the mean of the rows of each word's parts and its own vector, if there is one.

    The table may be memory-mapped and unaligned; rows are copied a few at a time.
    """
    total = np.zeros((words, table.shape[1]))
    sizes = np.bincount(parts.owners, minlength=words)
    if own is not None:
        total += own
        sizes += 1
    step = max(1, _NUMBERS_AT_ONCE // table.shape[1])
    for start in range(0, len(parts.rows), step):
        owners = parts.owners[start : start + step]
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        rows = table[parts.rows[start : start + step]].astype(np.float64)
        total[owners[first]] += np.add.reduceat(rows, first)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(total / np.maximum(sizes, 1)[:, None], np.float32)


def _found(
    text: NDArray[np.uint8], ends: Rows, shortest: int, longest: int, single_ends: bool
) -> tuple[Rows, Rows]:
    """Where the n-grams start and stop."""
    from lexiscope.kernels.ngrams import ngrams_of

    none = np.empty(0, np.int64)
    shortest = max(1, shortest)
    number = ngrams_of(text, ends, shortest, longest, single_ends, none, none)
    starts, stops = np.empty(number, np.int64), np.empty(number, np.int64)
    ngrams_of(text, ends, shortest, longest, single_ends, starts, stops)
    return starts, stops


def _owners(ends: Rows, starts: Rows) -> Rows:
    return np.searchsorted(ends, starts, "right")
