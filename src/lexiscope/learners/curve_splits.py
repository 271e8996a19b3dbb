"""Splits of learning curves: test sets, nested training sets and inner folds.

Items with several words are split so that no word of a test item occurs in a training item, and
the same holds for the inner folds.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Fold, Indices, TrainingSet
from lexiscope.core.errors import Undefined
from lexiscope.learners.splits import held_out_mask, stratified_folds, word_disjoint_split

FOLDS = 3
_MIN_FOLD_ITEMS = 10  # to train on and to validate on, for items with several words
_INNER_FRACTION = 0.25  # of the items of an inner split with several words
_MIN_CLASS_ITEMS = 2
_LARGEST_COMPONENT = 0.5  # of the test items; with a larger one, test sets would be too unequal


class SplitItems(NamedTuple):
    """What a split depends on: the class of each item, or its words (items, words per item).

    Items with `classes` are stratified. Items with `words` are split by word, unless
    `shared_words` is true.
    """

    items: int
    classes: Indices | None = None
    words: NDArray[Any] | None = None
    shared_words: bool = False


class OuterSplit(NamedTuple):
    """Test items, and training items in the order in which training sets grow."""

    test: Indices
    pool: Indices


def outer_split(items: SplitItems, fraction: float, rng: Generator) -> OuterSplit:
    """Sample a test set, and order the training items.

    Parameters
    ----------
    items : SplitItems
        Classes or words of the items.
    fraction : float
        The proportion of test items.
    rng : Generator
        Source of random numbers.
    """
    if items.classes is not None:
        mask = held_out_mask(items.classes, fraction, rng)
        pool = np.flatnonzero(~mask)
        return OuterSplit(np.flatnonzero(mask), pool[stratified_order(items.classes[pool], rng)])
    if items.words is None or items.shared_words:
        order = rng.permutation(items.items)
        size = max(1, round(fraction * items.items))
        return OuterSplit(np.sort(order[:size]), order[size:])
    train, test = disjoint_split(items.words, fraction, rng)
    return OuterSplit(test, rng.permutation(train))


def disjoint_split(words: NDArray[Any], fraction: float, rng: Generator) -> tuple[Indices, Indices]:
    """Split items into training and test items without common words.

    Items that are connected by common words form components. Whole components are sampled, and no
    item is lost, unless one component is too large: then words are sampled, and items that mix
    training and test words are left out (`splits.word_disjoint_split`).

    Parameters
    ----------
    words : ndarray of shape (items, words per item)
        Words or their codes.
    fraction : float
        The proportion of test items.
    rng : Generator
        Source of random numbers.
    """
    component = _components(words)
    counts = np.bincount(component)
    if counts.max() > _LARGEST_COMPONENT * fraction * len(words):
        train, test, _ = word_disjoint_split(words, fraction, rng)
        return train, test
    order = rng.permutation(len(counts))
    before = np.cumsum(counts[order]) - counts[order]
    chosen = np.zeros(len(counts), bool)
    chosen[order[before < fraction * len(words)]] = True
    is_test = chosen[component]
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _components(words: NDArray[Any]) -> Indices:
    """The connected component of each item, from 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names, codes = np.unique(words, return_inverse=True)
    codes = codes.reshape(words.shape)
    first, others = (
        np.repeat(codes[:, :1], words.shape[1] - 1, axis=1).ravel(),
        codes[:, 1:].ravel(),
    )
    graph = coo_array((np.ones(len(first)), (first, others)), (len(names), len(names)))
    labels = connected_components(graph, directed=False)[1]
    return np.asarray(np.unique(labels[codes[:, 0]], return_inverse=True)[1], np.int64).ravel()


def stratified_order(classes: Indices, rng: Generator) -> Indices:
    """Order items so that every prefix has nearly the proportions of the classes.

    >>> classes = np.array([0] * 6 + [1] * 3)
    >>> order = stratified_order(classes, np.random.default_rng(0))
    >>> np.bincount(classes[order[:3]]).tolist()
    [2, 1]
    """
    position = np.empty(len(classes))
    for code in np.unique(classes):
        here = rng.permutation(np.flatnonzero(classes == code))
        position[here] = (np.arange(len(here)) + 0.5) / len(here)
    return np.lexsort((rng.random(len(classes)), position))


def training_sets(
    items: SplitItems,
    split: OuterSplit,
    sizes: Sequence[int],
    generator: Callable[[int], Generator],
) -> list[TrainingSet]:
    """Return the nested training sets of these sizes with their inner folds.

    Parameters
    ----------
    items : SplitItems
        Classes or words of the items.
    split : OuterSplit
        Test items and ordered training items.
    sizes : sequence of int
        Increasing training sizes.
    generator : callable
        Returns the random generator of a training size.
    """
    ends = [*sizes[1:], sizes[-1]]
    return [
        TrainingSet(
            split.pool[:size],
            split.test,
            split.pool[size:end],
            inner_folds(items, split.pool[:size], generator(size)),
        )
        for size, end in zip(sizes, ends, strict=True)
    ]


def inner_folds(items: SplitItems, train: Indices, rng: Generator) -> tuple[Fold, ...]:
    """Split a training set into folds for the selection of hyperparameters; none if too small."""
    if items.words is not None and not items.shared_words:
        return _disjoint_folds(items.words, train, rng)
    classes = np.zeros(len(train), np.int64) if items.classes is None else items.classes[train]
    if not _can_stratify(classes, items.classes is not None):
        return ()
    fold = stratified_folds(classes, FOLDS, rng)
    return tuple(Fold(train[fold != number], train[fold == number]) for number in range(FOLDS))


def _can_stratify(classes: Indices, classified: bool) -> bool:
    """Whether every fold can have enough items, and training items of two classes."""
    if len(classes) < FOLDS * _MIN_CLASS_ITEMS:
        return False
    counts = np.bincount(classes)
    return not classified or int((counts >= _MIN_CLASS_ITEMS).sum()) >= 2


def _disjoint_folds(words: NDArray[Any], train: Indices, rng: Generator) -> tuple[Fold, ...]:
    """Repeated random splits of a training set into items without common words."""
    found = []
    for _ in range(FOLDS):
        try:
            fit, validate = disjoint_split(words[train], _INNER_FRACTION, rng)
        except Undefined:
            continue
        if min(len(fit), len(validate)) >= _MIN_FOLD_ITEMS:
            found.append(Fold(train[fit], train[validate]))
    return tuple(found)
