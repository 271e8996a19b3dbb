"""Exact nearest neighbours by cosine, at the speed of the matrix product."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.machine import threads
from lexiscope.kernels.nearest import keep_best
from lexiscope.stats.cosine import unit

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
    vectors: NDArray[np.float32],
    queries: NDArray[np.int64],
    number: int,
    lengths: NDArray[np.float32] | None = None,
) -> Nearest:
    """The `number` nearest rows of each row in `queries`, itself and zero rows left out.

    Equal cosines keep the order of the rows. Places are -1 where there are fewer rows.
    """
    from threadpoolctl import threadpool_limits

    if lengths is None:
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    asked = unit(vectors[queries])
    # One more than asked for, because every row finds itself too, and some that may be as near.
    kept = number + 1 + _SPARE
    cosines = np.empty((len(queries), number + 1), np.float32)
    places = np.empty((len(queries), number + 1), np.int64)

    def work(first: int) -> None:
        some = asked[first : first + _QUERIES]
        scores = np.empty((len(some), _WORDS), np.float32)
        best = np.full((len(some), kept), -np.inf, np.float32), np.full((len(some), kept), -1)
        for start in range(0, len(vectors), _WORDS):
            block = vectors[start : start + _WORDS] * inverse[start : start + _WORDS, None]
            part = scores[:, : len(block)]
            np.dot(some, block.T, out=part) if len(block) == _WORDS else np.copyto(
                part, some @ block.T
            )
            part[:, inverse[start : start + _WORDS] == 0] = -np.inf
            keep_best(scores, len(some), len(block), start, *best)
        rows = slice(first, first + len(some))
        places[rows], cosines[rows] = _ordered(vectors, some, best[1], number + 1)

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        list(pool.map(work, range(0, len(queries), _QUERIES)))
    return _without_itself(places, cosines, queries)


def _ordered(
    vectors: NDArray[np.float32],
    asked: NDArray[np.float32],
    places: NDArray[np.int64],
    number: int,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The best by score, then by row; scores are taken again, each by itself.

    A product gives equal rows scores that differ in their last bits, by where in a block they lie.
    """
    near = vectors[places].astype(np.float64)
    lengths = np.sqrt(np.einsum("qnd,qnd->qn", near, near))
    scores = np.einsum("qnd,qd->qn", near, asked.astype(np.float64))
    scores = np.divide(scores, lengths, out=np.full_like(scores, -np.inf), where=places >= 0)
    rows = np.where(places >= 0, places, len(vectors))
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
