"""Embeddings: words with their vectors."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.packed_words import take
from lexiscope.core.subwords import Subwords
from lexiscope.core.vectors import (
    Vectors,
    content,
    is_sparse,
    mean_row,
    one_row,
    row_lengths,
    table,
    take_rows,
    with_copies,
)
from lexiscope.core.vocabulary import Vocabulary, pack

__all__ = ["Embedding", "Vectors", "embedding"]


@dataclass(frozen=True, eq=False)
class Embedding:
    """Words with their vectors, read-only.

    `lexiscope.load` and `lexiscope.train` return embeddings.

    Parameters
    ----------
    name : str
        Name of the embedding in results.
    vocabulary : Vocabulary
        The words, the most frequent first if the source is sorted.
    vectors : array of shape (words, dimensions)
        float32, dense or sparse. Any SciPy sparse format becomes a csr_array with sorted
        columns and without stored zeros; it is never made dense.
    counts : array of int64, optional
        How often each word occurs in the training corpus, if the source has counts.
    origin : str, optional
        Description of the source of the vectors.
    repairs : tuple of str, optional
        What loading had to leave out or change.
    trainer : str, optional
        Name of the lexiscope trainer that trained the vectors.
    subwords : Subwords, optional
        Computes vectors of out-of-vocabulary words, for example from character n-grams.
    composed : frozenset of str, optional
        The words whose vectors `subwords` computed. A vocabulary limit does not count them.

    Examples
    --------
    >>> import lexiscope
    >>> pets = lexiscope.load({"cat": [1.0, 0.0], "dog": [0.6, 0.8]}, name="pets")
    >>> len(pets), pets.dimension, "cat" in pets
    (2, 2, True)
    >>> pets[["dog", "cat"]].shape
    (2, 2)
    """

    name: str
    vocabulary: Vocabulary
    vectors: Vectors
    counts: NDArray[np.int64] | None = None
    origin: str = ""
    repairs: tuple[str, ...] = ()
    trainer: str = ""
    subwords: Subwords | None = None
    composed: frozenset[str] = frozenset()

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
        """Return the vector of a word, or a table with a row for each of several words.

        A single vector is always dense; the rows of a sparse table are sparse.
        """
        wanted = [words] if isinstance(words, str) else list(words)
        indices = self.vocabulary.find(wanted)
        if len(indices) and indices.min() < 0:
            absent = shown(wanted[int(np.argmin(indices))])
            raise KeyError(f"'{absent}' is not among the {len(self):,} words of {self.name}")
        if isinstance(words, str):
            return one_row(self.vectors, int(indices[0]))
        return self.vectors[indices]

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
        """The number of dimensions of the vectors."""
        return int(self.vectors.shape[1])

    @property
    def is_sparse(self) -> bool:
        """Whether only non-zero numbers are stored."""
        return is_sparse(self.vectors)

    @property
    def key_to_index(self) -> dict[str, int]:
        """The index of each word, as in gensim's KeyedVectors."""
        return self.vocabulary.index

    @cached_property
    def lengths(self) -> NDArray[np.float32]:
        """The Euclidean norm of each vector."""
        return row_lengths(self.vectors)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of words, vectors and counts: equal content has an equal fingerprint.

        A dense copy of sparse vectors has a different one.
        """
        packed = pack(self.words)
        kind = "sparse " if self.is_sparse else ""
        digest = hashlib.sha256(f"embedding 1 {kind}{self.vectors.shape}".encode())
        for part in (packed.ends, packed.block, *content(self.vectors), self.counts):
            if part is not None:
                digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def most_similar(self, word: str, n: int = 10) -> list[tuple[str, float]]:
        """Return the n nearest words of a word with their cosines, nearest first.

        The search is exact; `lexiscope.neighbours` is faster for many words. A word that is absent
        is replaced by the one that differs only in letter case.

        Examples
        --------
        >>> import lexiscope
        >>> pets = lexiscope.load({"cat": [2, 1], "dog": [2, 1.5], "car": [-1, 2]})
        >>> [word for word, cosine in pets.most_similar("cat", n=2)]
        ['dog', 'car']
        """
        known = self._matched(word)
        return self._nearest(self._unit(known), {known}, n)

    def analogy(self, a: str, b: str, c: str, n: int = 1) -> list[tuple[str, float]]:
        """Return the n words nearest to b - a + c: a is to b as c is to which word? (3CosAdd).

        The vectors have unit length, and the three words are no candidates. A word that is absent
        is replaced by the one that differs only in letter case.

        Examples
        --------
        >>> import lexiscope
        >>> royals = lexiscope.load({"man": [1, 0, 0.1], "king": [1, 1, 0.1], "woman": [0, 0, 1],
        ...                          "queen": [0, 1, 1], "tea": [-1, 0.2, 0]})
        >>> royals.analogy("man", "king", "woman")[0][0]
        'queen'
        """
        a, b, c = map(self._matched, (a, b, c))
        target = self._unit(b) - self._unit(a) + self._unit(c)
        return self._nearest(target, {a, b, c}, n)

    def matching(self, word: str) -> str | None:
        """Return the word of the vocabulary: the same, or the first that differs only in case.

        Words are sorted by frequency in most files, so the first is the most frequent variant;
        with counts, it is the one with the highest count.
        """
        if word in self:
            return word
        wanted = word.casefold()
        variants = [k for k, each in enumerate(self.words) if each.casefold() == wanted]
        if not variants:
            return None
        if self.counts is None:
            return self.words[variants[0]]
        return self.words[variants[int(np.argmax(self.counts[variants]))]]

    def _matched(self, word: str) -> str:
        """The word as the vocabulary has it; an absent word stays, and its look-up fails."""
        return self.matching(word) or word

    def _unit(self, word: str) -> NDArray[np.float64]:
        vector = np.asarray(self[word], np.float64)
        length = np.linalg.norm(vector)
        if not length:
            raise BadData(f"'{shown(word)}' has a zero vector in {self.name}: no direction.")
        return np.asarray(vector / length)

    def _nearest(
        self, target: NDArray[np.float64], excluded: set[str], n: int
    ) -> list[tuple[str, float]]:
        """The words with the highest cosines; equal ones in the order of the vocabulary."""
        if n < 1:
            raise BadUsage(f"The number of words must be 1 or more, found {n}.")
        length = np.linalg.norm(target)
        products = np.asarray(self.vectors @ (target / (length or 1)).astype(np.float32))
        cosines = np.full(len(self), -np.inf)
        np.divide(products, self.lengths, out=cosines, where=self.lengths > 0)
        cosines[self.vocabulary.find(list(excluded))] = -np.inf
        best = np.argsort(-cosines, kind="stable")[:n]
        words = self.words
        return [(words[k], float(np.float32(cosines[k]))) for k in best if np.isfinite(cosines[k])]

    def rows(self, indices: NDArray[np.int64], name: str | None = None) -> "Embedding":
        """Return the embedding of the words with these indices, in this order."""
        words = take(self.words, indices)
        return Embedding(
            name or self.name,
            Vocabulary(words),
            take_rows(self.vectors, indices),
            None if self.counts is None else self.counts[indices],
            self.origin,
            self.repairs,
            composed=self.composed.intersection(words) if self.composed else self.composed,
        )

    def first(self, number: int) -> "Embedding":
        """Return the embedding of the first words: the most frequent, if words are sorted."""
        if number < 1:
            raise BadUsage(f"A vocabulary limit must be 1 or more, found {number}.")
        if number >= len(self) - len(self.composed):
            return self
        self._check_sorted()
        if self.composed:  # their vectors need no row of the file
            computed = np.fromiter((word in self.composed for word in self.words), bool, len(self))
            return self.rows(np.flatnonzero(computed | (np.cumsum(~computed) <= number)))
        counts = None if self.counts is None else self.counts[:number]
        words = self.vocabulary.first(number)
        return replace(self, vocabulary=words, vectors=self.vectors[:number], counts=counts)

    @property
    def is_sorted(self) -> bool:
        """Whether the counts, if there are any, do not increase."""
        return self.counts is None or not bool((np.diff(self.counts) > 0).any())

    def _check_sorted(self) -> None:
        if not self.is_sorted:
            assert self.counts is not None
            row = int(np.argmax(np.diff(self.counts) > 0)) + 1
            raise BadData(
                f"{self.name}: a vocabulary limit needs words sorted by frequency, but "
                f"'{shown(self.words[row])}' (word {row + 1}) is more frequent than the one before."
            )

    def centred(self) -> "Embedding":
        """Return the embedding minus the mean vector (Mu and Viswanath 2018, first step)."""
        vectors = self.dense_vectors("Subtracting the mean")
        centred = (vectors - mean_row(vectors)).astype(np.float32)
        return replace(self, vectors=centred, trainer="", subwords=None)

    def dense_vectors(self, purpose: str) -> NDArray[np.float32]:
        """Return the vectors if they are dense; `purpose` is named in the error if they are not."""
        if self.is_sparse:
            raise BadUsage(
                f"{purpose} needs dense vectors, and those of {self.name} are sparse: storing the "
                "zeros would take too much memory. Train svd for dense vectors."
            )
        return np.asarray(self.vectors)

    @property
    def has_mean_direction(self) -> bool:
        """Whether the mean vector has a direction; that of centred vectors is rounding error."""
        return bool(np.linalg.norm(mean_row(self.vectors)) > 1e-6 * self.lengths.max())

    def with_mean_for(self, words: Sequence[str]) -> "Embedding":
        """Return the embedding with the mean vector added for each of these OOV words."""
        if not words:
            return self
        vectors = with_copies(self.vectors, mean_row(self.vectors), len(words))
        counts = None if self.counts is None else np.append(self.counts, np.zeros(len(words), int))
        vocabulary = self.vocabulary.plus(words)
        return replace(self, vocabulary=vocabulary, vectors=vectors, counts=counts)

    def vector_of(self, word: str) -> NDArray[np.float32]:
        """Return the vector of a word; `subwords`, if any, computes that of an OOV word.

        Parameters
        ----------
        word : str
            Any word.

        Examples
        --------
        >>> import lexiscope
        >>> lexiscope.load({"cat": [1.0, 0.0]}).vector_of("cat").tolist()
        [1.0, 0.0]
        """
        if word in self or self.subwords is None:
            return np.asarray(self[word])
        vector = self.subwords.vectors_of([word])[0]
        if not vector.any():
            raise KeyError(f"'{shown(word)}' is OOV and has no known {self.subwords.parts}")
        return np.asarray(vector)

    def named(self, name: str) -> "Embedding":
        """Return the same embedding with another name."""
        return replace(self, name=name)


def embedding(name: str, words: Iterable[str], vectors: ArrayLike | Vectors) -> Embedding:
    """Return an embedding from words and an array of vectors."""
    return Embedding(name, Vocabulary(tuple(words)), table(vectors))


def _read_only(counts: Any) -> NDArray[np.int64]:
    # A view, so that the caller's array stays writeable.
    array: NDArray[np.int64] = np.ascontiguousarray(counts, np.int64).view()
    array.flags.writeable = False
    return array
