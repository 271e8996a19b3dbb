"""Classes of texts and phrases, learned from numbers about them; and what the answers are worth."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.dataset import Words
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Values
from lexiscope.core.texts import Counted
from lexiscope.stats.folds import Items
from lexiscope.stats.measures import summed
from lexiscope.stats.randomization import shares

Classifier = Any  # of scikit-learn
Table = Any  # (items, numbers), dense or sparse


def bag(counted: Counted, words: Sequence[str] | None = None) -> Table:
    """How often each word stands in each text (texts, words), sparse; of these words only."""
    from scipy.sparse import csr_array

    numbers, shape = counted.numbers.astype(np.int32), (len(counted.ends), len(counted.words))
    starts = np.append(0, counted.ends).astype(np.int32)  # LIBLINEAR takes no larger numbers
    counts = csr_array((np.ones(len(numbers)), numbers, starts), shape)
    counts.sum_duplicates()
    if words is None:
        return counts
    places = {word: place for place, word in enumerate(counted.words)}
    wanted = np.array([places.get(word, -1) for word in words], np.int32)
    known = np.flatnonzero(wanted >= 0).astype(np.int32)
    chosen = csr_array((np.ones(len(known)), (wanted[known], known)), (shape[1], len(words)))
    return counts @ chosen


def sums_of_vectors(counted: Counted, embedding: Embedding) -> Floats:
    """The sum of the vectors of each text's known words, each as often as it stands there."""
    places = embedding.vocabulary.find(counted.words)
    vectors = np.zeros((len(places), embedding.dimension))
    vectors[places >= 0] = embedding.dense_vectors("Adding vectors up")[places[places >= 0]]
    return np.asarray(bag(counted) @ vectors)


def means_of_vectors(counted: Counted, embedding: Embedding) -> Floats:
    """The mean of the vectors of each text's known words; zero where none is known."""
    sums = sums_of_vectors(counted, embedding)
    known = (embedding.vocabulary.find(counted.words) >= 0).astype(np.float64)
    number = bag(counted) @ known
    return np.asarray(sums / np.maximum(number, 1)[:, None])


def logistic(c: float = 1.0, tolerance: float = 1e-4) -> Classifier:
    """Logistic regression with squared weights held down, as LIBLINEAR does it.

    It stops when the slope is `tolerance` of what it was at the beginning.
    """
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", C=c, tol=tolerance, max_iter=1000, random_state=0)


def cross_predicted(
    make: Callable[[], Classifier], table: Table, labels: Words, fold: Items
) -> Words:
    """The class of each item by a classifier that learned from the other folds."""
    given = np.empty(len(labels), object)
    for number in range(int(fold.max()) + 1):
        asked = fold == number
        given[asked] = predicted(make(), table[~asked], labels[~asked], table[asked])
    return given


def predicted(classifier: Classifier, lessons: Table, labels: Words, asked: Table) -> Words:
    """The classes of what is asked; of more than two, the one with the surest classifier."""
    from sklearn.multiclass import OneVsRestClassifier
    from threadpoolctl import threadpool_limits

    kinds, numbers = np.unique(labels, return_inverse=True)
    if len(kinds) < 2:
        raise Undefined("there is only one class to learn from")
    if len(kinds) > 2 and hasattr(classifier, "solver"):  # LIBLINEAR tells two classes apart
        classifier = OneVsRestClassifier(classifier)
    with threadpool_limits(1):
        return np.asarray(kinds[classifier.fit(lessons, numbers.ravel()).predict(asked)], object)


class Chosen(NamedTuple):
    """How much a classifier may follow its lessons, and how often it was right then."""

    c: float
    accuracy: float


def chosen(
    grid: Sequence[float], lessons: tuple[Table, Words], tried: tuple[Table, Words]
) -> Chosen:
    """The value of the grid that is right most often; of equals the smallest."""
    right = [
        float(np.mean(predicted(logistic(c), *lessons, tried[0]) == tried[1])) for c in sorted(grid)
    ]
    best = int(np.argmax(right))
    return Chosen(sorted(grid)[best], right[best])


def held_out(labels: NDArray[Any], share: float, rng: Generator) -> NDArray[np.bool_]:
    """A drawn part of the items, the same share of every label, at least one."""
    mask = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        here = rng.permutation(np.flatnonzero(labels == label))
        mask[here[: max(1, round(share * len(here)))]] = True
    return mask


def _confusion(given: Values, gold: Values) -> Floats:
    """One 1 per item in its cell of gold label by answer (items, labels squared)."""
    labels, numbers = np.unique(np.append(gold, given), return_inverse=True)
    theirs, ours = numbers.reshape(2, -1)
    return np.asarray(np.eye(len(labels) ** 2)[theirs * len(labels) + ours])


def _mean_f1(totals: Floats) -> Floats:
    """The mean over labels of F1, of labels that are neither given nor gold none."""
    size = round(totals.shape[-1] ** 0.5)
    cells = totals.reshape(*totals.shape[:-1], size, size)
    right = np.diagonal(cells, axis1=-2, axis2=-1)
    both = cells.sum(axis=-1) + cells.sum(axis=-2)
    scores = shares(2 * right, both)
    there = np.isfinite(scores)
    return shares(np.where(there, scores, 0).sum(axis=-1), there.sum(axis=-1).astype(np.float64))


mean_f1 = summed("mean_f1", _confusion, _mean_f1)


def forest(trees: int, seed: int) -> Callable[[], Classifier]:
    """A maker of random forests, each from the same seed."""
    from sklearn.ensemble import RandomForestClassifier

    return partial(RandomForestClassifier, n_estimators=trees, random_state=seed, n_jobs=1)
