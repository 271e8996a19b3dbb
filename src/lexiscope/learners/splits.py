"""Splits into training and test items, and the test of scores over resampled splits.

The training sets of folds and repetitions overlap, so their scores are not independent and an
ordinary t-test has far too many false positives. Nadeau and Bengio 2003 correct its variance.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.intervals import CONFIDENCE_LEVEL

Indices = NDArray[np.int64]


class FoldDifference(NamedTuple):
    """A mean difference over folds, its 95 % confidence interval and its p-value."""

    value: float
    low: float
    high: float
    p: float


class Split(NamedTuple):
    """Indices of training items, of test items, and of items excluded because they would leak."""

    train: Indices
    test: Indices
    excluded: Indices


def corrected_t_test(differences: Floats, train: int, test: int) -> FoldDifference:
    """Compute the corrected resampled t-test of one difference per fold or repetition.

    For comparisons of learning curves. `train` and `test` are the numbers of training and test
    items of one fold.

    >>> found = corrected_t_test(np.array([0.02, 0.03, 0.01, 0.03, 0.02]), train=80, test=20)
    >>> round(found.value, 3), round(found.p, 3)
    (0.022, 0.017)
    """
    from scipy.stats import t

    folds, value = len(differences), float(np.mean(differences))
    if folds < 2:
        raise Undefined("the variance of a difference cannot be estimated from one fold")
    variance = float(np.var(differences, ddof=1))
    if not np.ptp(differences):
        if value:
            raise Undefined(
                "the difference is the same in all folds, so its variance cannot be estimated"
            )
        return FoldDifference(0.0, 0.0, 0.0, 1.0)
    error = np.sqrt((1 / folds + test / train) * variance)
    low, high = t.interval(CONFIDENCE_LEVEL, folds - 1, loc=value, scale=error)
    p = float(2 * t.sf(abs(value) / error, folds - 1))
    return FoldDifference(value, float(low), float(high), p)


def cross_validation_inflation(folds: int) -> float:
    """Return the factor of the variance of a score over items predicted by cross-validation.

    Items of a fold share a classifier, and classifiers share training items, so the variance over
    items is too small. Nadeau and Bengio 2003 add the ratio of test to training items for each
    fold, a factor of 1 + folds / (folds - 1), which is conservative. A quarter of their addition
    keeps the level (benchmarks/calibration.py).

    >>> round(cross_validation_inflation(10), 3)
    1.278
    """
    return 1 + folds / (folds - 1) / 4


def subset_sizes(fractions: Sequence[float], items: int) -> list[int]:
    """Convert fractions of the training items to sizes, rounded to the nearest.

    >>> subset_sizes([0.1, 0.5, 1.0], 25)
    [2, 12, 25]
    """
    if min(fractions) <= 0 or max(fractions) > 1:
        raise BadUsage(f"Fractions must be above 0 and at most 1, found {list(fractions)}.")
    return [int(size) for size in np.rint(np.asarray(fractions) * items)]


def nested_subsets(items: Indices, sizes: Sequence[int], rng: Generator) -> list[Indices]:
    """Sample training subsets of increasing sizes, each a superset of the one before.

    For learning curves: the items are shuffled once, and a subset is a prefix of them.
    """
    if not sizes or min(sizes) < 1 or max(sizes) > len(items) or (np.diff(sizes) <= 0).any():
        raise BadUsage(
            f"Sizes must increase, from 1 to at most {len(items)} items, found {list(sizes)}. "
            "With few items, use fewer sizes."
        )
    order = rng.permutation(items)
    return [order[:size] for size in sizes]


def word_disjoint_split(words: NDArray[Any], fraction: float, rng: Generator) -> Split:
    """Split items so that no word of a test item occurs in a training item.

    For learning curves without lexical memorisation. Random items are selected until `fraction` of
    all items consist of words of selected items only: these are the test items. Items without such
    a word are the training items. The rest mix both and are excluded.

    Parameters
    ----------
    words : ndarray of shape (items, words per item)
        Words or their codes.
    fraction
        The proportion of test items.
    """
    if not 0 < fraction < 1:
        raise BadUsage(f"The fraction of test items must be between 0 and 1, found {fraction}.")
    codes = np.unique(words, return_inverse=True)[1].reshape(words.shape)
    test_words = _test_words(codes, fraction, rng)
    every, some = test_words[codes].all(axis=1), test_words[codes].any(axis=1)
    if some.all():
        raise Undefined("no training item is left: each shares a word with a test item")
    return Split(*(np.flatnonzero(part) for part in (~some, every, some & ~every)))


def hashed_folds(words: Iterable[str], folds: int, salt: int) -> Indices:
    """Assign each word to a fold, from 0, by a hash of the word and the salt.

    For datasets of which embeddings cover different items. The fold of a word does not depend on
    the other words, so that all embeddings have the same folds. Folds are only approximately equal
    in size; those of `stratified_folds` are equal. Equal words are always in the same fold.
    """
    if folds < 2:
        raise BadUsage(f"The number of folds must be 2 or more, found {folds}.")
    found = [_hash(f"{salt}\0{word}") % folds for word in words]
    return np.array(found, np.int64)


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest)


def stratified_folds(
    labels: NDArray[Any], folds: int, rng: Generator, units: Units | None = None
) -> Indices:
    """Assign each item to a fold, from 0, stratified by label and shuffled.

    Sizes of folds, and of labels within folds, differ by at most one. The folds depend on which
    items there are; those of `hashed_folds` do not. Items of one unit, such as two copies of a
    text, are in the same fold. Decision record 0011 compares this with scikit-learn.

    >>> labels = np.array(["good", "bad", "good", "bad", "bad", "good"])
    >>> fold = stratified_folds(labels, 3, np.random.default_rng(0))
    >>> [sorted(labels[fold == number].tolist()) for number in range(3)]
    [['bad', 'good'], ['bad', 'good'], ['bad', 'good']]
    """
    groups = np.arange(len(labels)) if units is None else units[:, 0]
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    if not 2 <= folds <= len(first):
        raise Undefined(
            f"{len(first)} different items cannot be split into {folds} folds; set fewer folds"
        )
    order = rng.permutation(len(first))
    classes = np.unique(labels, return_inverse=True)[1].ravel()[first]
    order = order[np.argsort(classes[order], kind="stable")]
    fold = np.empty(len(first), np.int64)
    fold[order] = np.arange(len(first)) % folds
    return np.asarray(fold[group.ravel()])


def held_out_mask(labels: NDArray[Any], fraction: float, rng: Generator) -> NDArray[np.bool_]:
    """Sample held-out items: the same fraction of every label, and at least one item.

    >>> labels = np.array(["good"] * 10 + ["bad"] * 5)
    >>> labels[held_out_mask(labels, 0.2, np.random.default_rng(0))].tolist()
    ['good', 'good', 'bad']
    """
    mask = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        here = rng.permutation(np.flatnonzero(labels == label))
        mask[here[: max(1, round(fraction * len(here)))]] = True
    return mask


def _test_words(codes: Indices, fraction: float, rng: Generator) -> NDArray[np.bool_]:
    """Which words belong to the test items: those of items sampled one by one."""
    selected = np.zeros(int(codes.max(initial=-1)) + 1, bool)
    items_of: list[list[int]] = [[] for _ in selected]
    for item, row in enumerate(codes.tolist()):
        for word in set(row):
            items_of[word].append(item)
    missing = [len(set(row)) for row in codes.tolist()]
    inside, wanted = 0, max(1, round(fraction * len(codes)))
    for item in rng.permutation(len(codes)).tolist():
        if inside >= wanted:
            break
        for word in set(codes[item].tolist()):
            if selected[word]:
                continue
            selected[word] = True
            for holder in items_of[word]:
                missing[holder] -= 1
                inside += not missing[holder]
    return selected
