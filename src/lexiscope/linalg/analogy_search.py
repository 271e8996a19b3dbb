"""Exhaustive search for the best word of each analogy question.

Thousands of questions contain few distinct words and pairs. One product of those with a block of
the vocabulary serves all questions; a kernel then combines two rows per question and keeps the
best word. Vectors may be dense or sparse; `block_products` handles the difference.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.core.vectors import Vectors, row_bytes, row_signatures
from lexiscope.kernels.search import analogy as kernel
from lexiscope.learners.analogy_relations import RelationModels
from lexiscope.linalg.block_products import (
    Indices,
    Matrix,
    directions,
    multiplier,
    split_last_column,
    stack_queries,
)

_BLOCK = 256  # words of the vocabulary in one product: its scores stay in the second-level cache


class _Best(NamedTuple):
    score: NDArray[np.float32]
    word: Indices


def three_cos_add(vectors: Vectors, a: Indices, b: Indices, c: Indices) -> Indices:
    """3CosAdd: the word nearest to b - a + c, excluding a, b and c.

    `a`, `b`, `c` (questions,) are row indices of `vectors`; returns the indices of the best rows.
    """
    inputs = np.stack([a, b, c], axis=1)
    words, left = np.unique(c, return_inverse=True)
    pairs, right = np.unique(inputs[:, :2], axis=0, return_inverse=True)
    sources, targets = (directions(vectors, side) for side in pairs.T)

    def scores(cosines: Matrix, out: Matrix) -> Matrix:
        return cosines

    return _search(
        vectors,
        stack_queries(directions(vectors, words), targets - sources),
        0,
        scores,
        lambda *block: kernel.best_sum(
            *block[:2], left.ravel(), right.ravel() + len(words), inputs, *block[2:]
        ),
        inputs,
    )


def three_cos_mul(vectors: Vectors, a: Indices, b: Indices, c: Indices, epsilon: float) -> Indices:
    """3CosMul: the highest cos(b) cos(c) / (cos(a) + epsilon), cosines shifted to 0..1."""
    inputs = np.stack([a, b, c], axis=1)
    words, positions = np.unique(inputs, return_inverse=True)
    left = np.ascontiguousarray(positions.reshape(-1, 3)[:, 2])
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


def three_cos_avg(
    vectors: Vectors, a: Indices, b: Indices, c: Indices, offsets: RelationModels
) -> Indices:
    """3CosAvg: the word nearest to c + offset, -1 for questions without a mean offset."""

    def scores(cosines: Matrix, out: Matrix) -> Matrix:
        return cosines

    return _search_with_models(vectors, (a, b, c), offsets, scores, kernel.best_sum)


def lr_cos(
    vectors: Vectors, a: Indices, b: Indices, c: Indices, classes: RelationModels
) -> Indices:
    """LRCos: the highest P(target) cos(c), -1 for questions without a classifier.

    Rows of `classes` are weights, then the intercept.
    """
    # Negated, because P = 1 / (1 + exp(-product)).
    weights, intercepts = split_last_column(-classes.rows)
    negated = RelationModels(weights, classes.row)

    def scores(products: Matrix, out: Matrix) -> Matrix:
        probabilities = products[len(products) - len(intercepts) :]
        probabilities += intercepts
        with np.errstate(over="ignore"):  # P is 0 then
            np.exp(probabilities, out=probabilities)
        probabilities += 1
        np.reciprocal(probabilities, out=probabilities)
        return products

    return _search_with_models(vectors, (a, b, c), negated, scores, kernel.best_product)


def _search_with_models(
    vectors: Vectors,
    inputs: tuple[Indices, Indices, Indices],
    models: RelationModels,
    scores: Callable[[Matrix, Matrix], Matrix],
    best: Callable[..., Any],
) -> Indices:
    """The best word by c and the relation model of the question; -1 without a model."""
    has_model = models.row >= 0
    indices = np.full(len(has_model), -1, np.int64)
    if not has_model.any():
        return indices
    queries = np.stack(inputs, axis=1)[has_model]
    words, left = np.unique(queries[:, 2], return_inverse=True)
    right = models.row[has_model] + len(words)
    indices[has_model] = _search(
        vectors,
        stack_queries(directions(vectors, words), models.rows),
        0,
        scores,
        lambda *block: best(*block[:2], left.ravel(), right, queries, *block[2:]),
        queries,
    )
    return indices


def _search(
    vectors: Vectors,
    queries: Any,
    extra: int,
    scores: Callable[[Matrix, Matrix], Matrix],
    keep: Callable[..., Any],
    inputs: Indices,
) -> Indices:
    """Index of the best word per question; each worker takes blocks and keeps its own best."""
    from threadpoolctl import threadpool_limits

    multiply = multiplier(vectors, queries, _BLOCK)
    (query_count, _), (words, _), questions = queries.shape, vectors.shape, len(inputs)
    block_numbers = count()

    def work(_: int) -> _Best:
        best = _Best(np.full(questions, -np.inf, np.float32), np.full(questions, -1, np.int64))
        cosines = np.empty((query_count, _BLOCK), np.float32)
        out = np.empty((query_count + extra if extra else 0, _BLOCK), np.float32)
        for number in iter(lambda: next(block_numbers), None):
            start = number * _BLOCK
            width = min(_BLOCK, words - start)
            if width < 1:
                return best
            if width < _BLOCK:
                cosines, out = cosines[:, :width].copy(), out[:, :width].copy()
            multiply(start, cosines)
            keep(scores(cosines, out), start, best.score, best.word)
        raise AssertionError("the counter is infinite")

    workers = threads()
    with threadpool_limits(1), ThreadPoolExecutor(workers) as pool:
        best = _merge_best(list(pool.map(work, range(workers))))
    return _first_of_equals(vectors, best, inputs)


def _first_of_equals(vectors: Vectors, indices: Indices, inputs: Indices) -> Indices:
    """The first row equal to each best row, excluding the words of the question.

    The products of equal rows differ in the last bits, depending on their position in a block.
    """
    best_rows = np.unique(indices[indices >= 0])
    candidates = np.arange(vectors.shape[0])
    for signature in row_signatures(vectors):
        candidates = candidates[np.isin(signature[candidates], signature[best_rows])]
    if len(candidates) == len(best_rows):
        return indices
    rows: dict[bytes, list[int]] = {}
    for index in candidates.tolist():
        rows.setdefault(row_bytes(vectors, index), []).append(index)
    queries = inputs.tolist()
    first = [
        next((row for row in rows[row_bytes(vectors, index)] if row not in queries[q]), index)
        if index >= 0
        else index
        for q, index in enumerate(indices.tolist())
    ]
    return np.array(first, np.int64)


def _merge_best(parts: list[_Best]) -> Indices:
    score, index = parts[0]
    for other in parts[1:]:
        ahead = (other.score > score) | ((other.score == score) & (other.word < index))
        score, index = np.where(ahead, other.score, score), np.where(ahead, other.word, index)
    return index
