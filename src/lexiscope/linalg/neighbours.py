"""Exact nearest neighbours by cosine, computed with blocked matrix products."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.vectors import Sparse, Vectors, row_lengths
from lexiscope.kernels.search.nearest import keep_best
from lexiscope.kernels.search.sparse_rows import pair_cosines
from lexiscope.linalg.block_products import Multiply, sparse_cosines
from lexiscope.linalg.normalization import normalize_rows

_QUERIES = 1024  # of a batch
_WORDS = 2048  # of a block of the vocabulary
_SPARE = 16  # candidates beyond the number requested
_ROUNDING = 1e-6  # of a cosine in single precision


class Nearest(NamedTuple):
    """Row indices of the nearest neighbours of each query (queries, n) and their cosines."""

    indices: NDArray[np.int64]
    cosines: NDArray[np.float32]

    @property
    def has_order(self) -> bool:
        """Whether a query has neighbours of different cosines, up to rounding."""
        if not self.cosines.size:
            return False
        return bool((np.ptp(self.cosines, axis=1) > _ROUNDING).any())


class Neighbour(NamedTuple):
    """A neighbour and its cosine."""

    word: str
    cosine: float


def neighbours(
    embedding: Embedding, words: str | Iterable[str], number: int = 10
) -> dict[str, list[Neighbour]]:
    """Find the exact nearest neighbours of words by cosine similarity.

    Parameters
    ----------
    embedding : Embedding
        The embedding to search.
    words : str or iterable of str
        The query words.
    number : int, default 10
        Number of neighbours of each word.

    Returns
    -------
    dict of str to list of Neighbour
        The neighbours (word, cosine) of each query word, nearest first, without the word itself.

    Examples
    --------
    >>> import lexiscope
    >>> vectors = lexiscope.load({"cat": [2, 1], "dog": [2, 1.5], "car": [-1, 2]})
    >>> [near.word for near in lexiscope.neighbours(vectors, "cat", number=2)["cat"]]
    ['dog', 'car']
    """
    wanted = [words] if isinstance(words, str) else list(words)
    if number < 1:
        raise BadUsage(f"The number of neighbours must be 1 or more, found {number}.")
    indices = embedding.vocabulary.find(wanted)
    if len(indices) and indices.min() < 0:
        absent = [word for word, index in zip(wanted, indices, strict=True) if index < 0]
        listed = ", ".join(f"'{shown(word)}'" for word in absent)
        folded = [word.casefold() for word in absent if word.casefold() in embedding]
        verb = "is" if len(absent) == 1 else "are"
        hint = f" '{shown(folded[0])}' is." if folded else ""
        raise BadData(f"{listed} {verb} not in the vocabulary of {embedding.name}.{hint}")
    for word, index in zip(wanted, indices.tolist(), strict=True):
        if embedding.lengths[index] == 0:
            raise BadData(f"'{shown(word)}' has a zero vector in {embedding.name}: no direction.")
    finite = np.isfinite(embedding.lengths)
    if not finite.all():
        broken = shown(embedding.words[int(np.argmin(finite))])
        raise BadData(f"{embedding.name}: the vector of '{broken}' is not finite.")
    found = nearest(embedding.vectors, indices, number, embedding.lengths)
    known = embedding.words
    return {
        word: [
            Neighbour(known[index], cosine)
            for index, cosine in zip(row.tolist(), cosines.tolist(), strict=True)
            if index >= 0
        ]
        for word, row, cosines in zip(wanted, *found, strict=True)
    }


def nearest(
    vectors: Vectors,
    queries: NDArray[np.int64],
    number: int,
    lengths: NDArray[np.float32] | None = None,
) -> Nearest:
    """The `number` nearest rows of each row in `queries`, excluding itself and zero rows.

    Equal cosines are ordered by row. Indices are -1 where there are fewer rows.
    """
    from threadpoolctl import threadpool_limits

    if lengths is None:
        lengths = row_lengths(vectors)
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    normalised = normalize_rows(vectors[queries])
    multiplier = _multiplier if isinstance(vectors, np.ndarray) else sparse_cosines
    # One more than requested, because every row finds itself, and spare ones for near ties.
    kept = number + 1 + _SPARE
    cosines = np.empty((len(queries), number + 1), np.float32)
    indices = np.empty((len(queries), number + 1), np.int64)

    def work(first: int) -> None:
        batch = normalised[first : first + _QUERIES]
        query_count, words = batch.shape[0], len(inverse)
        multiply = multiplier(vectors, batch, inverse)
        scores = np.empty((query_count, _WORDS), np.float32)
        best = np.full((query_count, kept), -np.inf, np.float32), np.full((query_count, kept), -1)
        for start in range(0, words, _WORDS):
            part = scores[:, : words - start]
            multiply(start, part)
            part[:, inverse[start : start + _WORDS] == 0] = -np.inf
            keep_best(scores, query_count, part.shape[1], start, *best)
        rows = slice(first, first + query_count)
        indices[rows], cosines[rows] = _sort(_exact(vectors, batch, best[1]), best[1], number + 1)

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        list(pool.map(work, range(0, len(queries), _QUERIES)))
    return _without_self(indices, cosines, queries)


def _multiplier(
    vectors: NDArray[np.float32], normalised: NDArray[np.float32], inverse: NDArray[np.float32]
) -> Multiply:
    """A function multiply(start, part) that fills `part` (queries, words of a block)."""

    def multiply(start: int, part: NDArray[np.float32]) -> None:
        block = vectors[start : start + _WORDS] * inverse[start : start + _WORDS, None]
        np.dot(normalised, block.T, out=part) if len(block) == _WORDS else np.copyto(
            part, normalised @ block.T
        )

    return multiply


def _exact(vectors: Vectors, normalised: Any, indices: NDArray[np.int64]) -> NDArray[np.float64]:
    """Recompute the cosines one by one in double precision; -inf where there is no index.

    The products of equal rows differ in the last bits, depending on their position in a block.
    """
    if not isinstance(vectors, np.ndarray):
        return _sparse_exact(vectors, normalised, indices)
    near = vectors[indices].astype(np.float64)
    lengths = np.sqrt(np.einsum("qnd,qnd->qn", near, near))
    scores = np.einsum("qnd,qd->qn", near, normalised.astype(np.float64))
    exact = np.full_like(scores, -np.inf)
    np.divide(scores, lengths, out=exact, where=indices >= 0)
    return np.asarray(exact)


def _sparse_exact(
    vectors: Sparse, normalised: Sparse, indices: NDArray[np.int64]
) -> NDArray[np.float64]:
    scores = np.full(indices.shape, -np.inf)
    rows, others = ((each.data, each.indices, each.indptr) for each in (vectors, normalised))
    pair_cosines(*rows, *others, indices, scores)
    return scores


def _sort(
    scores: NDArray[np.float64], indices: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Sort by score, then by row."""
    rows = np.where(indices >= 0, indices, np.iinfo(np.int64).max)
    order = np.lexsort((rows, -scores), axis=-1)[:, :number]
    best = np.take_along_axis(scores, order, axis=-1).astype(np.float32)
    return np.take_along_axis(indices, order, axis=-1), best


def _without_self(
    indices: NDArray[np.int64], cosines: NDArray[np.float32], queries: NDArray[np.int64]
) -> Nearest:
    is_self = indices == queries[:, None]
    is_self[~is_self.any(axis=1), -1] = True  # displaced by equal vectors: drop the last instead
    keep = ~is_self
    shape = len(indices), indices.shape[1] - 1
    return Nearest(indices[keep].reshape(shape), np.clip(cosines[keep].reshape(shape), -1, 1))
