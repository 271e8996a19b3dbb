"""An embedding: words, and a vector for each."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vectors import (
    Vectors,
    content,
    is_sparse,
    mean_row,
    one_row,
    row_lengths,
    table,
    with_copies,
)
from lexiscope.core.vocabulary import Vocabulary, pack

__all__ = ["Embedding", "Vectors", "embedding"]


@dataclass(frozen=True, eq=False)
class Embedding:
    """Words with their vectors (words, dimensions), float32, read-only.

    `vectors` are an array, or SciPy's csr_array where most numbers are zero: columns rising, no
    zeros stored. Any sparse format can be given; nothing here makes the table dense.
    `counts` are occurrences in the training text, where the source gave them; they are never
    made up. `origin` says where the vectors came from, `repairs` what loading had to leave out.
    """

    name: str
    vocabulary: Vocabulary
    vectors: Vectors
    counts: NDArray[np.int64] | None = None
    origin: str = ""
    repairs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        vectors = table(self.vectors)
        if vectors.ndim != 2:
            raise BadData(f"Vectors must form a table (words, dimensions), found {vectors.ndim}-d.")
        if vectors.shape[0] != len(self.vocabulary):
            raise BadData(f"Found {len(self.vocabulary)} words for {vectors.shape[0]} vectors.")
        if vectors.shape[1] == 0:
            raise BadData("Vectors must have at least one dimension.")
        object.__setattr__(self, "vectors", vectors)
        if self.counts is None:
            return
        if len(self.counts) != len(self):
            raise BadData(f"Found {len(self.counts)} counts for {len(self)} words.")
        object.__setattr__(self, "counts", _read_only(self.counts))

    def __len__(self) -> int:
        return int(self.vectors.shape[0])

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __getitem__(self, words: str | Iterable[str]) -> Vectors:
        """The vector of a word, or a row for each of several words.

        One vector is an array always; rows of a sparse table are sparse.
        """
        wanted = [words] if isinstance(words, str) else list(words)
        places = self.vocabulary.find(wanted)
        if len(places) and places.min() < 0:
            absent = shown(wanted[int(np.argmin(places))])
            raise KeyError(f"'{absent}' is not among the {len(self):,} words of {self.name}")
        if isinstance(words, str):
            return one_row(self.vectors, int(places[0]))
        return self.vectors[places]

    def __repr__(self) -> str:
        kind = ", sparse" if self.is_sparse else ""
        return f"Embedding({self.name!r}, {len(self):,} words x {self.dimension}{kind})"

    def _repr_html_(self) -> str:
        from html import escape

        kind = ", sparse" if self.is_sparse else ""
        return f"<b>{escape(shown(self.name))}</b>: {len(self):,} words × {self.dimension}{kind}"

    @property
    def words(self) -> Sequence[str]:
        """The words, in order."""
        return self.vocabulary.words

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self.vectors.shape[1])

    @property
    def is_sparse(self) -> bool:
        """Whether only the numbers that are not zero are stored."""
        return is_sparse(self.vectors)

    @property
    def key_to_index(self) -> dict[str, int]:
        """The place of each word, under the name that gensim's users know."""
        return self.vocabulary.index

    @cached_property
    def lengths(self) -> NDArray[np.float32]:
        """The Euclidean length of each vector."""
        return row_lengths(self.vectors)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of words, vectors and counts: equal content, equal fingerprint, any file.

        A dense copy of sparse vectors has another one.
        """
        packed = pack(self.words)
        kind = "sparse " if self.is_sparse else ""
        digest = hashlib.sha256(f"embedding 1 {kind}{self.vectors.shape}".encode())
        for part in (packed.ends, packed.block, *content(self.vectors), self.counts):
            if part is not None:
                digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def rows(self, places: NDArray[np.int64], name: str | None = None) -> "Embedding":
        """The embedding of the words at these places only, in this order."""
        words = self.words
        return Embedding(
            name or self.name,
            Vocabulary(tuple(words[place] for place in places.tolist())),
            self.vectors[places],
            None if self.counts is None else self.counts[places],
            self.origin,
            self.repairs,
        )

    def first(self, number: int) -> "Embedding":
        """The first words only: the most frequent ones, in a file sorted by frequency."""
        if number < 1:
            raise BadUsage(f"A vocabulary limit must be 1 or more, found {number}.")
        if number >= len(self):
            return self
        self._must_be_sorted()
        counts = None if self.counts is None else self.counts[:number]
        words = Vocabulary(self.words[:number])
        return replace(self, vocabulary=words, vectors=self.vectors[:number], counts=counts)

    @property
    def is_sorted(self) -> bool:
        """Whether counts, where there are any, fall from word to word."""
        return self.counts is None or not bool((np.diff(self.counts) > 0).any())

    def _must_be_sorted(self) -> None:
        if not self.is_sorted:
            assert self.counts is not None
            row = int(np.argmax(np.diff(self.counts) > 0)) + 1
            raise BadData(
                f"{self.name}: a vocabulary limit needs words sorted by frequency, but "
                f"'{shown(self.words[row])}' (word {row + 1}) is more frequent than the one above."
            )

    def centred(self) -> "Embedding":
        """The same words with the mean vector taken off (Mu and Viswanath 2018, first step)."""
        vectors = self.dense_vectors("Taking the mean off")
        return replace(self, vectors=(vectors - mean_row(vectors)).astype(np.float32))

    def dense_vectors(self, purpose: str) -> NDArray[np.float32]:
        """The vectors, for a purpose that needs every number of them; sparse ones are refused."""
        if self.is_sparse:
            raise BadUsage(
                f"{purpose} needs every number of a vector, and those of {self.name} are sparse: "
                "all their zeros would be written out. Train svd for dense vectors."
            )
        return np.asarray(self.vectors)

    @property
    def has_a_mean(self) -> bool:
        """Whether the mean vector points anywhere; that of centred vectors is rounding only."""
        return bool(np.linalg.norm(mean_row(self.vectors)) > 1e-6 * self.lengths.max())

    def with_the_mean_for(self, words: Sequence[str]) -> "Embedding":
        """The embedding with the mean vector standing in for words that it lacks."""
        if not words:
            return self
        vectors = with_copies(self.vectors, mean_row(self.vectors), len(words))
        counts = None if self.counts is None else np.append(self.counts, np.zeros(len(words), int))
        vocabulary = self.vocabulary.plus(words)
        return replace(self, vocabulary=vocabulary, vectors=vectors, counts=counts)

    def named(self, name: str) -> "Embedding":
        """The same embedding under another name."""
        return replace(self, name=name)


def embedding(name: str, words: Iterable[str], vectors: ArrayLike | Vectors) -> Embedding:
    """An embedding from any words and numbers."""
    return Embedding(name, Vocabulary(tuple(words)), table(vectors))


def _read_only(counts: Any) -> NDArray[np.int64]:
    # A view: the caller's own array keeps its flags, ours cannot be written through.
    array: NDArray[np.int64] = np.ascontiguousarray(counts, np.int64).view()
    array.flags.writeable = False
    return array
