"""Training parts and test parts, and what may be concluded from scores over them.

Training sets of folds and repeats overlap, so their scores are not independent and a plain t-test
raises far too many false alarms. Nadeau and Bengio 2003 correct its variance.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.dataset import Units
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Floats

Items = NDArray[np.int64]

LEVEL = 0.95


class OverFolds(NamedTuple):
    """A mean difference over folds, its interval, the chance of one as large by luck."""

    value: float
    low: float
    high: float
    p: float


class Split(NamedTuple):
    """Items to train on, items to test on, and those left out because they would leak."""

    train: Items
    test: Items
    left_out: Items


def corrected_t(differences: Floats, train: int, test: int) -> OverFolds:
    """The corrected resampled t-test of one difference per fold or repeat.

    `train` and `test` are the numbers of items in one fold's parts.
    """
    from scipy.stats import t

    folds, value = len(differences), float(np.mean(differences))
    if folds < 2:
        raise Undefined("one fold does not say how a difference varies")
    variance = float(np.var(differences, ddof=1))
    if not np.ptp(differences):
        if value:
            raise Undefined(
                "the difference is the same in all folds, so nothing says how it varies"
            )
        return OverFolds(0.0, 0.0, 0.0, 1.0)
    error = np.sqrt((1 / folds + test / train) * variance)
    low, high = t.interval(LEVEL, folds - 1, loc=value, scale=error)
    return OverFolds(value, float(low), float(high), float(2 * t.sf(abs(value) / error, folds - 1)))


def sizes_of(shares: Sequence[float], items: int) -> list[int]:
    """How many items each share is, rounded to the nearest."""
    if min(shares) <= 0 or max(shares) > 1:
        raise BadUsage(f"Shares must lie above 0 and not above 1, found {list(shares)}.")
    return [int(size) for size in np.rint(np.asarray(shares) * items)]


def nested(items: Items, sizes: Sequence[int], rng: Generator) -> list[Items]:
    """Training subsets of growing sizes, each with all items of the one before.

    Within a repeat there is one shuffled order, and a subset is its beginning.
    """
    if not sizes or min(sizes) < 1 or max(sizes) > len(items) or (np.diff(sizes) <= 0).any():
        raise BadUsage(
            f"Sizes must grow, from 1 to at most {len(items)} items, found {list(sizes)}. "
            "With few items, ask for fewer sizes."
        )
    order = rng.permutation(items)
    return [order[:size] for size in sizes]


def word_disjoint(words: NDArray[Any], share: float, rng: Generator) -> Split:
    """A split after which no word of a test item stands in a training item.

    `words` (items, words of an item) are words or their numbers. Items are drawn until `share` of
    all items are made of drawn words only: these are the test. Items that hold no drawn word are
    for training; the rest hold both kinds and are left out.
    """
    if not 0 < share < 1:
        raise BadUsage(f"The share of test items must lie between 0 and 1, found {share}.")
    numbers = np.unique(words, return_inverse=True)[1].reshape(words.shape)
    drawn = _drawn(numbers, share, rng)
    every, some = drawn[numbers].all(axis=1), drawn[numbers].any(axis=1)
    if some.all():
        raise Undefined("no item is left to train on: each shares a word with a test item")
    return Split(*(np.flatnonzero(part) for part in (~some, every, some & ~every)))


def fold_of(words: Iterable[str], folds: int, salt: int) -> Items:
    """The fold of each word, from 0, by a hash of the word and the salt.

    For items that are left out where an embedding lacks their word: a word's fold depends on no
    other word, so that two embeddings still have the same folds. Folds are equal by chance only;
    `dealt` makes them so. A word that stands twice is never on both sides.
    """
    if folds < 2:
        raise BadUsage(f"The number of folds must be 2 or more, found {folds}.")
    found = [_hash(f"{salt}\0{word}") % folds for word in words]
    return np.array(found, np.int64)


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest)


def dealt(labels: NDArray[Any], folds: int, rng: Generator, units: Units | None = None) -> Items:
    """The fold of each item, from 0: every label in equal shares, items in a drawn order.

    For items that are all asked, or few: folds and labels in them are as equal as can be, and
    depend on which items there are; `fold_of` does not. Items of one unit, such as two copies of
    a text, come into the same fold.
    """
    groups = np.arange(len(labels)) if units is None else units[:, 0]
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    if not 2 <= folds <= len(first):
        raise Undefined(
            f"{len(first)} different items cannot be dealt out to {folds} folds; ask for fewer"
        )
    order = rng.permutation(len(first))
    kinds = np.unique(labels, return_inverse=True)[1].ravel()[first]
    order = order[np.argsort(kinds[order], kind="stable")]
    fold = np.empty(len(first), np.int64)
    fold[order] = np.arange(len(first)) % folds
    return np.asarray(fold[group.ravel()])


def _drawn(numbers: Items, share: float, rng: Generator) -> NDArray[np.bool_]:
    """Which words belong to the test: those of items drawn one by one."""
    drawn = np.zeros(int(numbers.max(initial=-1)) + 1, bool)
    holders: list[list[int]] = [[] for _ in drawn]
    for item, row in enumerate(numbers.tolist()):
        for word in set(row):
            holders[word].append(item)
    missing = [len(set(row)) for row in numbers.tolist()]
    inside, wanted = 0, max(1, round(share * len(numbers)))
    for item in rng.permutation(len(numbers)).tolist():
        if inside >= wanted:
            break
        for word in set(numbers[item].tolist()):
            if drawn[word]:
                continue
            drawn[word] = True
            for holder in holders[word]:
                missing[holder] -= 1
                inside += not missing[holder]
    return drawn
