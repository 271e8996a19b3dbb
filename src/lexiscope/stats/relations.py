"""What the other pairs of a section teach about a relation (Drozd et al. 2016).

No question learns from a pair that holds its third word or its answer.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.stats.cosine import unit

Places = NDArray[np.int64]
Matrix = NDArray[np.float32]
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
    """A row for each lesson that taught something, and the row of each question, or -1."""

    rows: Matrix
    row: Places


def lessons(section: Places, first: Places, second: Places) -> Lessons:
    """What each question may learn from: the pairs (a, b) and (c, answer) of its section.

    `section` (questions,) are numbers, `first` and `second` (questions, 2) are places of words.
    """
    asked = np.column_stack([section, second])
    pairs = np.unique(np.vstack([np.column_stack([section, first]), asked]), axis=0)
    distinct, lesson = np.unique(asked, axis=0, return_inverse=True)
    return Lessons(pairs, distinct, lesson.ravel())


def mean_offsets(vectors: Matrix, lessons: Lessons) -> Learnt:
    """The mean of target minus source over the other pairs, vectors of length 1."""

    def mean(number: int) -> Row | None:
        pairs = lessons.others(number)
        if len(pairs) < FEWEST_PAIRS:
            return None
        sources, targets = (_directions(vectors, places) for places in pairs.T)
        return np.asarray(np.mean(targets - sources, axis=0))

    return _learnt(mean, lessons, vectors.shape[1])


def classifiers(vectors: Matrix, lessons: Lessons, rng: Generator) -> Learnt:
    """Logistic regressions of being a target: the weights, then the intercept.

    The targets of the other pairs stand against their sources and as many words from outside the
    section; both sides weigh the same. A word that is source and target counts as a target.
    """
    strangers = _strangers(len(vectors), lessons.pairs, rng)

    def fitted(number: int) -> Row | None:
        pairs = lessons.others(number)
        sources, targets = (np.unique(places) for places in pairs.T)
        some = strangers[int(lessons.asked[number, 0])][: len(sources)]
        unlike = np.append(np.setdiff1d(sources, targets), some)
        if len(pairs) < FEWEST_PAIRS or not len(unlike):
            return None
        return _regression(_directions(vectors, targets), _directions(vectors, unlike))

    return _learnt(fitted, lessons, vectors.shape[1] + 1)


def _strangers(words: int, pairs: Places, rng: Generator) -> dict[int, Places]:
    """Words from outside each section, as many as it has pairs where there are so many."""
    drawn = {}
    for section in np.unique(pairs[:, 0]).tolist():
        own = pairs[pairs[:, 0] == section, 1:]
        outside = np.delete(np.arange(words), np.unique(own))
        drawn[section] = rng.choice(outside, min(len(own), len(outside)), replace=False)
    return drawn


def _regression(like: Row, unlike: Row) -> Row:
    from sklearn.linear_model import LogisticRegression

    # Newton's steps end at the optimum to many digits, so machines agree.
    model = LogisticRegression(
        C=1.0, class_weight="balanced", solver="newton-cholesky", tol=1e-8, max_iter=1000
    )
    model.fit(np.vstack([like, unlike]), np.arange(len(like) + len(unlike)) < len(like))
    return np.append(model.coef_[0], model.intercept_)


def _learnt(teach: Callable[[int], Row | None], lessons: Lessons, width: int) -> Learnt:
    """What each lesson taught; each is worked out by itself, so threads change nothing."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        found = list(pool.map(teach, range(len(lessons.asked))))
    rows = [row for row in found if row is not None]
    numbers = np.full(len(found), -1, np.int64)
    numbers[[row is not None for row in found]] = np.arange(len(rows))
    return Learnt(np.array(rows, np.float32).reshape(-1, width), numbers[lessons.lesson])


def _directions(vectors: Matrix, places: Places) -> Row:
    return unit(vectors[places].astype(np.float64))
