"""Models of analogy relations, learned from the other pairs of a section (Drozd et al. 2016).

No question is answered with a model trained on a pair that contains its third or fourth word.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.core.vectors import Sparse, Vectors
from lexiscope.linalg.block_products import Matrix, stack_queries, weight_queries
from lexiscope.linalg.normalization import normalize_rows

Indices = NDArray[np.int64]
Row = NDArray[np.float64]

MIN_PAIRS = 2  # training pairs; one would add nothing to the pair in the question


class TrainingPairs(NamedTuple):
    """The training pairs of each section, and the queries that need a model.

    `pairs` are distinct rows (section, source, target). `queries` are distinct rows (section, c,
    answer). `query` is the row of `queries` for each question. Words are vocabulary indices.
    """

    pairs: Indices
    queries: Indices
    query: Indices

    def of_query(self, number: int) -> Indices:
        """Return the pairs (source, target) of the section without the words of the query."""
        section, *words = self.queries[number].tolist()
        pairs = self.pairs[self.pairs[:, 0] == section, 1:]
        return pairs[~np.isin(pairs, words).any(axis=1)]


class RelationModels(NamedTuple):
    """A row of parameters for each model, and the row of each question, or -1 for no model.

    With sparse vectors, the rows are weights of words (see `linalg.block_products`).
    """

    rows: Matrix | Sparse
    row: Indices


def training_pairs(section: Indices, first: Indices, second: Indices) -> TrainingPairs:
    """Collect the pairs (a, b) and (c, answer) of each section.

    `section` (questions,) are codes; `first` and `second` (questions, 2) are vocabulary indices.
    """
    queries = np.column_stack([section, second])
    pairs = np.unique(np.vstack([np.column_stack([section, first]), queries]), axis=0)
    distinct, query = np.unique(queries, axis=0, return_inverse=True)
    return TrainingPairs(pairs, distinct, query.ravel())


def mean_offsets(vectors: Vectors, training: TrainingPairs) -> RelationModels:
    """Average target minus source over the training pairs of each query, L2-normalised vectors."""

    def mean(number: int) -> Row | Sparse | None:
        pairs = training.of_query(number)
        if len(pairs) < MIN_PAIRS:
            return None
        if not isinstance(vectors, np.ndarray):
            signs = np.repeat([-1 / len(pairs), 1 / len(pairs)], len(pairs))
            return _weights(signs, pairs.T.ravel(), vectors.shape[0])
        sources, targets = (_directions(vectors, indices) for indices in pairs.T)
        return np.asarray(np.mean(targets - sources, axis=0))

    return _models(mean, training, _width(vectors))


def classifiers(vectors: Vectors, training: TrainingPairs, rng: Generator) -> RelationModels:
    """Train logistic regressions of being a target: the weights, then the intercept.

    Positive examples are the targets of the training pairs. Negative examples are their sources
    and as many random words from outside the section. Both classes have the same weight. A word
    that is source and target is a positive example.
    """
    outside = _words_outside(vectors.shape[0], training.pairs, rng)
    fit = _regression if isinstance(vectors, np.ndarray) else _sparse_regression

    def fitted(number: int) -> Row | Sparse | None:
        pairs = training.of_query(number)
        sources, targets = (np.unique(indices) for indices in pairs.T)
        others = outside[int(training.queries[number, 0])][: len(sources)]
        negatives = np.append(np.setdiff1d(sources, targets), others)
        if len(pairs) < MIN_PAIRS or not len(negatives):
            return None
        return fit(vectors, targets, negatives)

    return _models(fitted, training, _width(vectors) + 1)


def _words_outside(words: int, pairs: Indices, rng: Generator) -> dict[int, Indices]:
    """Random words from outside each section, as many as it has pairs if there are so many."""
    sampled = {}
    for section in np.unique(pairs[:, 0]).tolist():
        own = pairs[pairs[:, 0] == section, 1:]
        outside = np.delete(np.arange(words), np.unique(own))
        sampled[section] = rng.choice(outside, min(len(own), len(outside)), replace=False)
    return sampled


def _regression(vectors: Matrix, positives: Indices, negatives: Indices) -> Row:
    return _fitted(_directions(vectors, np.append(positives, negatives)), len(positives))


def _sparse_regression(vectors: Sparse, positives: Indices, negatives: Indices) -> Sparse:
    """The same regression in the span of its training words.

    The optimum is in this span, which has far fewer dimensions than the vectors.
    """
    indices = np.append(positives, negatives)
    rows = _directions(vectors, indices)
    squares, axes = np.linalg.eigh((rows @ rows.T).toarray())
    spanned = squares > 1e-12 * squares[-1]
    lengths, axes = np.sqrt(squares[spanned]), axes[:, spanned]
    fitted = _fitted(axes * lengths, len(positives))
    word_weights = axes @ (fitted[:-1] / lengths)
    words = vectors.shape[0]
    return _weights(np.append(word_weights, fitted[-1]), np.append(indices, words), words + 1)


def _fitted(rows: Row, positives: int) -> Row:
    """Weights and intercept of the regression; the first rows are positive examples."""
    from sklearn.linear_model import LogisticRegression

    # Newton's method reaches the optimum to many digits, so all machines agree.
    model = LogisticRegression(
        C=1.0, class_weight="balanced", solver="newton-cholesky", tol=1e-8, max_iter=1000
    )
    model.fit(rows, np.arange(len(rows)) < positives)
    return np.append(model.coef_[0], model.intercept_)


def _models(
    fit: Callable[[int], Row | Sparse | None], training: TrainingPairs, width: int
) -> RelationModels:
    """Fit the model of each query; models are independent, so threads change nothing."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        found = list(pool.map(fit, range(len(training.queries))))
    rows = [row for row in found if row is not None]
    numbers = np.full(len(found), -1, np.int64)
    numbers[[row is not None for row in found]] = np.arange(len(rows))
    return RelationModels(_table(rows, width), numbers[training.query])


def _table(rows: list[Row | Sparse], width: int) -> Matrix | Sparse:
    if rows and not isinstance(rows[0], np.ndarray):
        return stack_queries(*rows)
    return np.array(rows, np.float32).reshape(-1, width)


def _width(vectors: Vectors) -> int:
    """The number of parameters of an offset: one per dimension, or per word if sparse."""
    return int(vectors.shape[1] if isinstance(vectors, np.ndarray) else vectors.shape[0])


def _weights(numbers: Row, indices: Indices, words: int) -> Sparse:
    return weight_queries(numbers, indices, np.array([0, len(indices)]), words)


def _directions(vectors: Vectors, indices: Indices) -> Any:
    return normalize_rows(vectors[indices].astype(np.float64))
