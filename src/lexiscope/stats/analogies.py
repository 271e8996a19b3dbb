"""Solving analogies over a whole vocabulary at once.

Thousands of questions hold few distinct words and pairs. One product of those with a block of
the vocabulary serves all questions; a kernel then combines two rows per question and keeps the
best word. Vectors may be dense or sparse; what differs is in `products`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.core.vectors import Vectors, marks, row_bytes
from lexiscope.kernels import analogy as kernel
from lexiscope.stats.products import Matrix, Places, directions, multiplier, stacked, without_last
from lexiscope.stats.relations import Learnt

_BLOCK = 256  # words of the vocabulary in one product: its scores stay in the second-level cache


class _Best(NamedTuple):
    score: NDArray[np.float32]
    place: Places


def by_sum(vectors: Vectors, a: Places, b: Places, c: Places) -> Places:
    """3CosAdd: the word nearest to b - a + c, never a, b or c themselves.

    `a`, `b`, `c` are rows of `vectors`, one of each per question; returns a row per question.
    """
    inputs = np.stack([a, b, c], axis=1)
    words, left = np.unique(c, return_inverse=True)
    pairs, right = np.unique(inputs[:, :2], axis=0, return_inverse=True)
    sources, targets = (directions(vectors, side) for side in pairs.T)

    def scores(cosines: Matrix, out: Matrix) -> Matrix:
        return cosines

    return _search(
        vectors,
        stacked(directions(vectors, words), targets - sources),
        0,
        scores,
        lambda *block: kernel.best_sum(
            *block[:2], left.ravel(), right.ravel() + len(words), inputs, *block[2:]
        ),
        inputs,
    )


def by_product(vectors: Vectors, a: Places, b: Places, c: Places, epsilon: float) -> Places:
    """3CosMul: the highest cos(b) cos(c) / (cos(a) + epsilon), cosines moved to 0..1."""
    inputs = np.stack([a, b, c], axis=1)
    words, spots = np.unique(inputs, return_inverse=True)
    left = np.ascontiguousarray(spots.reshape(-1, 3)[:, 2])
    pairs, right = np.unique(inputs[:, :2], axis=0, return_inverse=True)
    below, above = (np.searchsorted(words, pairs[:, side]) for side in (0, 1))

    def scores(cosines: Matrix, out: Matrix) -> Matrix:
        kernel.shifted_ratios(cosines, len(words), above, below, np.float32(epsilon), out)
        return out

    return _search(
        vectors,
        directions(vectors, words),
        len(pairs),
        scores,
        lambda *block: kernel.best_product(
            *block[:2], left, right.ravel() + len(words), inputs, *block[2:]
        ),
        inputs,
    )


def by_offset(vectors: Vectors, a: Places, b: Places, c: Places, offsets: Learnt) -> Places:
    """3CosAvg: the word nearest to c + offset, -1 for a question that learnt no offset."""

    def scores(cosines: Matrix, out: Matrix) -> Matrix:
        return cosines

    return _by_learnt(vectors, (a, b, c), offsets, scores, kernel.best_sum)


def by_class(vectors: Vectors, a: Places, b: Places, c: Places, classes: Learnt) -> Places:
    """LRCos: the highest P(target) cos(c), -1 for a question that learnt no classifier.

    Rows of `classes` are weights, then the intercept.
    """
    # Turned round, because P = 1 / (1 + exp(-product)).
    weights, intercepts = without_last(-classes.rows)
    turned = Learnt(weights, classes.row)

    def scores(products: Matrix, out: Matrix) -> Matrix:
        unlike = products[len(products) - len(intercepts) :]
        unlike += intercepts
        with np.errstate(over="ignore"):  # P is 0 then
            np.exp(unlike, out=unlike)
        unlike += 1
        np.reciprocal(unlike, out=unlike)
        return products

    return _by_learnt(vectors, (a, b, c), turned, scores, kernel.best_product)


def _by_learnt(
    vectors: Vectors,
    inputs: tuple[Places, Places, Places],
    learnt: Learnt,
    scores: Callable[[Matrix, Matrix], Matrix],
    best: Callable[..., Any],
) -> Places:
    """The best word by c and the question's learnt row, where it has one."""
    known = learnt.row >= 0
    places = np.full(len(known), -1, np.int64)
    if not known.any():
        return places
    asked = np.stack(inputs, axis=1)[known]
    words, left = np.unique(asked[:, 2], return_inverse=True)
    right = learnt.row[known] + len(words)
    places[known] = _search(
        vectors,
        stacked(directions(vectors, words), learnt.rows),
        0,
        scores,
        lambda *block: best(*block[:2], left.ravel(), right, asked, *block[2:]),
        asked,
    )
    return places


def _search(
    vectors: Vectors,
    asked: Any,
    extra: int,
    scores: Callable[[Matrix, Matrix], Matrix],
    keep: Callable[..., Any],
    inputs: Places,
) -> Places:
    """The best place per question; each worker takes blocks and keeps its own best."""
    from threadpoolctl import threadpool_limits

    multiply = multiplier(vectors, asked, _BLOCK)
    (number_asked, _), (words, _), questions = asked.shape, vectors.shape, len(inputs)
    numbers = count()

    def work(_: int) -> _Best:
        best = _Best(np.full(questions, -np.inf, np.float32), np.full(questions, -1, np.int64))
        cosines = np.empty((number_asked, _BLOCK), np.float32)
        out = np.empty((number_asked + extra if extra else 0, _BLOCK), np.float32)
        for number in iter(lambda: next(numbers), None):
            start = number * _BLOCK
            width = min(_BLOCK, words - start)
            if width < 1:
                return best
            if width < _BLOCK:
                cosines, out = cosines[:, :width].copy(), out[:, :width].copy()
            multiply(start, cosines)
            keep(scores(cosines, out), start, best.score, best.place)
        raise AssertionError("the numbers do not end")

    workers = threads()
    with threadpool_limits(1), ThreadPoolExecutor(workers) as pool:
        found = _merged(list(pool.map(work, range(workers))))
    return _first_of_equals(vectors, found, inputs)


def _first_of_equals(vectors: Vectors, places: Places, inputs: Places) -> Places:
    """The first of the rows that equal each answer and are not asked about.

    A product gives equal rows scores that differ in their last bits, by where in a block they lie.
    """
    answered = np.unique(places[places >= 0])
    alike = np.arange(vectors.shape[0])
    for mark in marks(vectors):
        alike = alike[np.isin(mark[alike], mark[answered])]
    if len(alike) == len(answered):
        return places
    rows: dict[bytes, list[int]] = {}
    for place in alike.tolist():
        rows.setdefault(row_bytes(vectors, place), []).append(place)
    asked = inputs.tolist()
    first = [
        next((p for p in rows[row_bytes(vectors, place)] if p not in asked[q]), place)
        if place >= 0
        else place
        for q, place in enumerate(places.tolist())
    ]
    return np.array(first, np.int64)


def _merged(parts: list[_Best]) -> Places:
    score, place = parts[0]
    for other in parts[1:]:
        ahead = (other.score > score) | ((other.score == score) & (other.place < place))
        score, place = np.where(ahead, other.score, score), np.where(ahead, other.place, place)
    return place
