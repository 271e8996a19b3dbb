"""What the other pairs of a section teach about a relation (Drozd et al. 2016).

No question learns from a pair that holds its third word or its answer.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.core.vectors import Sparse, Vectors
from lexiscope.stats.cosine import unit
from lexiscope.stats.products import Matrix, Places, stacked, weights

Row = NDArray[np.float64]

FEWEST_PAIRS = 2  # to learn from: one would be no more than the question itself gives


class Lessons(NamedTuple):
    """What there is to learn from, and for whom.

    `pairs` are distinct rows of section, source, target; `asked` distinct rows of section, c,
    answer; `lesson` is the row of `asked` that each question belongs to. Words are places.
    """

    pairs: Places
    asked: Places
    lesson: Places

    def others(self, number: int) -> Places:
        """The pairs (source, target) of the section without the words asked about."""
        section, *words = self.asked[number].tolist()
        pairs = self.pairs[self.pairs[:, 0] == section, 1:]
        return pairs[~np.isin(pairs, words).any(axis=1)]


class Learnt(NamedTuple):
    """A row for each lesson that taught something, and the row of each question, or -1.

    With sparse vectors the rows are weights of words, see `products`.
    """

    rows: Matrix | Sparse
    row: Places


def lessons(section: Places, first: Places, second: Places) -> Lessons:
    """What each question may learn from: the pairs (a, b) and (c, answer) of its section.

    `section` (questions,) are numbers, `first` and `second` (questions, 2) are places of words.
    """
    asked = np.column_stack([section, second])
    pairs = np.unique(np.vstack([np.column_stack([section, first]), asked]), axis=0)
    distinct, lesson = np.unique(asked, axis=0, return_inverse=True)
    return Lessons(pairs, distinct, lesson.ravel())


def mean_offsets(vectors: Vectors, lessons: Lessons) -> Learnt:
    """The mean of target minus source over the other pairs, vectors of length 1."""

    def mean(number: int) -> Row | Sparse | None:
        pairs = lessons.others(number)
        if len(pairs) < FEWEST_PAIRS:
            return None
        if not isinstance(vectors, np.ndarray):
            shares = np.repeat([-1 / len(pairs), 1 / len(pairs)], len(pairs))
            return _weights(shares, pairs.T.ravel(), vectors.shape[0])
        sources, targets = (_directions(vectors, places) for places in pairs.T)
        return np.asarray(np.mean(targets - sources, axis=0))

    return _learnt(mean, lessons, _width(vectors))


def classifiers(vectors: Vectors, lessons: Lessons, rng: Generator) -> Learnt:
    """Logistic regressions of being a target: the weights, then the intercept.

    The targets of the other pairs stand against their sources and as many words from outside the
    section; both sides weigh the same. A word that is source and target counts as a target.
    """
    strangers = _strangers(vectors.shape[0], lessons.pairs, rng)
    fit = _regression if isinstance(vectors, np.ndarray) else _sparse_regression

    def fitted(number: int) -> Row | Sparse | None:
        pairs = lessons.others(number)
        sources, targets = (np.unique(places) for places in pairs.T)
        some = strangers[int(lessons.asked[number, 0])][: len(sources)]
        unlike = np.append(np.setdiff1d(sources, targets), some)
        if len(pairs) < FEWEST_PAIRS or not len(unlike):
            return None
        return fit(vectors, targets, unlike)

    return _learnt(fitted, lessons, _width(vectors) + 1)


def _strangers(words: int, pairs: Places, rng: Generator) -> dict[int, Places]:
    """Words from outside each section, as many as it has pairs where there are so many."""
    drawn = {}
    for section in np.unique(pairs[:, 0]).tolist():
        own = pairs[pairs[:, 0] == section, 1:]
        outside = np.delete(np.arange(words), np.unique(own))
        drawn[section] = rng.choice(outside, min(len(own), len(outside)), replace=False)
    return drawn


def _regression(vectors: Matrix, like: Places, unlike: Places) -> Row:
    return _fitted(_directions(vectors, np.append(like, unlike)), len(like))


def _sparse_regression(vectors: Sparse, like: Places, unlike: Places) -> Sparse:
    """The same regression, found within the span of the words it learns from.

    The optimum lies there, and coordinates of the span are few where dimensions are many.
    """
    places = np.append(like, unlike)
    rows = _directions(vectors, places)
    squares, axes = np.linalg.eigh((rows @ rows.T).toarray())
    spanned = squares > 1e-12 * squares[-1]
    lengths, axes = np.sqrt(squares[spanned]), axes[:, spanned]
    fitted = _fitted(axes * lengths, len(like))
    shares = axes @ (fitted[:-1] / lengths)
    words = vectors.shape[0]
    return _weights(np.append(shares, fitted[-1]), np.append(places, words), words + 1)


def _fitted(rows: Row, like: int) -> Row:
    """Weights, then the intercept, that tell the first `like` rows from the others."""
    from sklearn.linear_model import LogisticRegression

    # Newton's steps end at the optimum to many digits, so machines agree.
    model = LogisticRegression(
        C=1.0, class_weight="balanced", solver="newton-cholesky", tol=1e-8, max_iter=1000
    )
    model.fit(rows, np.arange(len(rows)) < like)
    return np.append(model.coef_[0], model.intercept_)


def _learnt(teach: Callable[[int], Row | Sparse | None], lessons: Lessons, width: int) -> Learnt:
    """What each lesson taught; each is worked out by itself, so threads change nothing."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        found = list(pool.map(teach, range(len(lessons.asked))))
    rows = [row for row in found if row is not None]
    numbers = np.full(len(found), -1, np.int64)
    numbers[[row is not None for row in found]] = np.arange(len(rows))
    return Learnt(_table(rows, width), numbers[lessons.lesson])


def _table(rows: list[Row | Sparse], width: int) -> Matrix | Sparse:
    if rows and not isinstance(rows[0], np.ndarray):
        return stacked(*rows)
    return np.array(rows, np.float32).reshape(-1, width)


def _width(vectors: Vectors) -> int:
    """How many numbers say what was learnt: one for each dimension, or for each word."""
    return int(vectors.shape[1] if isinstance(vectors, np.ndarray) else vectors.shape[0])


def _weights(numbers: Row, places: Places, words: int) -> Sparse:
    return weights(numbers, places, np.array([0, len(places)]), words)


def _directions(vectors: Vectors, places: Places) -> Any:
    return unit(vectors[places].astype(np.float64))
