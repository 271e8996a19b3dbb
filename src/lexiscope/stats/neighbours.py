"""Exact nearest neighbours by cosine, at the speed of the matrix product."""

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
from lexiscope.kernels.nearest import keep_best
from lexiscope.kernels.sparse import pair_cosines
from lexiscope.stats.cosine import unit
from lexiscope.stats.products import Multiply, sparse_cosines

_QUERIES = 1024
_WORDS = 2048
_SPARE = 16


class Nearest(NamedTuple):
    """The nearest rows of each query (queries, n), nearest first, with their cosines."""

    places: NDArray[np.int64]
    cosines: NDArray[np.float32]


class Neighbour(NamedTuple):
    """A near word and its cosine."""

    word: str
    cosine: float


def neighbours(
    embedding: Embedding, words: str | Iterable[str], number: int = 10
) -> dict[str, list[Neighbour]]:
    """The nearest words of each word, nearest first, the word itself left out."""
    wanted = [words] if isinstance(words, str) else list(words)
    if number < 1:
        raise BadUsage(f"The number of neighbours must be 1 or more, found {number}.")
    places = embedding.vocabulary.find(wanted)
    if len(places) and places.min() < 0:
        absent = [word for word, place in zip(wanted, places, strict=True) if place < 0]
        listed = ", ".join(f"'{shown(word)}'" for word in absent)
        folded = [word.casefold() for word in absent if word.casefold() in embedding]
        meant = f" It knows '{shown(folded[0])}'." if folded else ""
        raise BadData(f"{embedding.name} does not know {listed}.{meant}")
    for word, place in zip(wanted, places.tolist(), strict=True):
        if embedding.lengths[place] == 0:
            raise BadData(f"'{shown(word)}' has a zero vector in {embedding.name}: no direction.")
    finite = np.isfinite(embedding.lengths)
    if not finite.all():
        broken = shown(embedding.words[int(np.argmin(finite))])
        raise BadData(f"{embedding.name}: the vector of '{broken}' is not finite.")
    found = nearest(embedding.vectors, places, number, embedding.lengths)
    known = embedding.words
    return {
        word: [
            Neighbour(known[place], cosine)
            for place, cosine in zip(row.tolist(), cosines.tolist(), strict=True)
            if place >= 0
        ]
        for word, row, cosines in zip(wanted, *found, strict=True)
    }


def nearest(
    vectors: Vectors,
    queries: NDArray[np.int64],
    number: int,
    lengths: NDArray[np.float32] | None = None,
) -> Nearest:
    """The `number` nearest rows of each row in `queries`, itself and zero rows left out.

    Equal cosines keep the order of the rows. Places are -1 where there are fewer rows.
    """
    from threadpoolctl import threadpool_limits

    if lengths is None:
        lengths = row_lengths(vectors)
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    asked = unit(vectors[queries])
    multiplier = _multiplier if isinstance(vectors, np.ndarray) else sparse_cosines
    # One more than asked for, because every row finds itself too, and some that may be as near.
    kept = number + 1 + _SPARE
    cosines = np.empty((len(queries), number + 1), np.float32)
    places = np.empty((len(queries), number + 1), np.int64)

    def work(first: int) -> None:
        some = asked[first : first + _QUERIES]
        asking, words = some.shape[0], len(inverse)
        multiply = multiplier(vectors, some, inverse)
        scores = np.empty((asking, _WORDS), np.float32)
        best = np.full((asking, kept), -np.inf, np.float32), np.full((asking, kept), -1)
        for start in range(0, words, _WORDS):
            part = scores[:, : words - start]
            multiply(start, part)
            part[:, inverse[start : start + _WORDS] == 0] = -np.inf
            keep_best(scores, asking, part.shape[1], start, *best)
        rows = slice(first, first + asking)
        places[rows], cosines[rows] = _ordered(_exact(vectors, some, best[1]), best[1], number + 1)

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        list(pool.map(work, range(0, len(queries), _QUERIES)))
    return _without_itself(places, cosines, queries)


def _multiplier(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], inverse: NDArray[np.float32]
) -> Multiply:
    """Fills (asked, words of a block) with cosines, from the first word of the block."""

    def multiply(start: int, part: NDArray[np.float32]) -> None:
        block = vectors[start : start + _WORDS] * inverse[start : start + _WORDS, None]
        np.dot(asked, block.T, out=part) if len(block) == _WORDS else np.copyto(
            part, asked @ block.T
        )

    return multiply


def _exact(vectors: Vectors, asked: Any, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """The cosines again, each by itself and in double precision; -inf where there is no place.

    A product gives equal rows scores that differ in their last bits, by where in a block they lie.
    """
    if not isinstance(vectors, np.ndarray):
        return _sparse_exact(vectors, asked, places)
    near = vectors[places].astype(np.float64)
    lengths = np.sqrt(np.einsum("qnd,qnd->qn", near, near))
    scores = np.einsum("qnd,qd->qn", near, asked.astype(np.float64))
    exact = np.full_like(scores, -np.inf)
    np.divide(scores, lengths, out=exact, where=places >= 0)
    return np.asarray(exact)


def _sparse_exact(vectors: Sparse, asked: Sparse, places: NDArray[np.int64]) -> NDArray[np.float64]:
    scores = np.full(places.shape, -np.inf)
    rows, others = ((each.data, each.indices, each.indptr) for each in (vectors, asked))
    pair_cosines(*rows, *others, places, scores)
    return scores


def _ordered(
    scores: NDArray[np.float64], places: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The best by score, then by row."""
    rows = np.where(places >= 0, places, np.iinfo(np.int64).max)
    order = np.lexsort((rows, -scores), axis=-1)[:, :number]
    best = np.take_along_axis(scores, order, axis=-1).astype(np.float32)
    return np.take_along_axis(places, order, axis=-1), best


def _without_itself(
    places: NDArray[np.int64], cosines: NDArray[np.float32], queries: NDArray[np.int64]
) -> Nearest:
    itself = places == queries[:, None]
    itself[~itself.any(axis=1), -1] = True  # pushed out by equal vectors: drop the last instead
    keep = ~itself
    shape = len(places), places.shape[1] - 1
    return Nearest(places[keep].reshape(shape), np.clip(cosines[keep].reshape(shape), -1, 1))
