"""The measures: what a list of answers is worth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Values

FEWEST_PAIRS = 5  # that a word must stand in to have a ranking of its own
_FEWEST = 3  # two points always lie on a line
_NOISE = 1e-13  # cosines of parallel vectors differ in their last bits: that is no order


def _average_ranks(values: Values) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(values), np.float64)


def _as_floats(values: Values) -> Floats:
    return np.asarray(values, np.float64)


def _hits(given: Values, gold: Values) -> Floats:
    return np.asarray(given == gold, np.float64)


def _spearman(given: NDArray[Any], gold: NDArray[Any]) -> float:
    from scipy.stats import spearmanr

    _must_vary(given, gold)
    return float(spearmanr(given, gold).statistic)


def _pearson(given: NDArray[Any], gold: NDArray[Any]) -> float:
    from scipy.stats import pearsonr

    _must_vary(given, gold)
    return float(pearsonr(given, gold).statistic)


def _accuracy(given: Values, gold: Values) -> float:
    if len(given) == 0:
        raise Undefined("no item could be asked")
    return float(np.mean(given == gold))


def _must_vary(given: Values, gold: Values) -> None:
    if len(given) < _FEWEST:
        raise Undefined(f"only {len(given)} items could be asked, at least {_FEWEST} are needed")
    for values, whose in ((given, "the answers"), (gold, "the gold ratings")):
        if np.ptp(values) <= _NOISE * np.max(np.abs(values)):
            raise Undefined(f"{whose} are all equal, so there is no order to compare")


def _spearman_by_query(given: Values, gold: Values, units: Units | None) -> float:
    found = _spearman_of_each_query(given, gold, units)
    if not len(found):
        raise Undefined(f"no word stands in {FEWEST_PAIRS} or more pairs with different ratings")
    return float(found.mean())


def _spearman_of_each_query(given: Values, gold: Values, units: Units | None) -> Floats:
    """Spearman's correlation within the pairs of each word, in the order of the words' numbers.

    Words in fewer than 5 pairs, or whose answers or ratings are all equal, are left out.
    `units` are the numbers of a pair's two words (pairs, 2); None: every word stands once.
    """
    if units is None:
        return np.empty(0)
    word, pair = _sides(units)
    columns = np.stack([given[pair], gold[pair]]).astype(np.float64)
    word, columns = _with_an_order(word, columns)
    if not len(word):
        return np.empty(0)
    return _correlations(word, np.stack([_ranks_within(word, values) for values in columns]))


def _sides(units: Units) -> tuple[Units, Units]:
    """Words and the pairs they stand in, sorted by word; a word paired with itself stands once."""
    left, right = units.T
    words = np.concatenate([left, right[left != right]])
    pairs = np.concatenate([np.arange(len(units)), np.flatnonzero(left != right)])
    order = np.argsort(words, kind="stable")
    return words[order], pairs[order]


def _with_an_order(word: Units, columns: Floats) -> tuple[Units, Floats]:
    """The words in enough pairs whose values differ in both columns; `word` is sorted."""
    _, starts, sizes = np.unique(word, return_index=True, return_counts=True)
    span = np.maximum.reduceat(columns, starts, axis=1) - np.minimum.reduceat(
        columns, starts, axis=1
    )
    largest = np.maximum.reduceat(np.abs(columns), starts, axis=1)
    chosen = (sizes >= FEWEST_PAIRS) & (span > _NOISE * largest).all(axis=0)
    kept = np.repeat(chosen, sizes)
    return word[kept], columns[:, kept]


def _ranks_within(word: Units, values: Floats) -> Floats:
    """Average ranks among the values of the same word, plus a number that is the word's own."""
    return _average_ranks(word * (len(word) + 1.0) + _average_ranks(values))


def _correlations(word: Units, columns: Floats) -> Floats:
    """Pearson's correlation of the two columns within each word."""
    starts = np.unique(word, return_index=True)[1]
    sizes = np.diff([*starts, len(word)])
    means = np.add.reduceat(columns, starts, axis=1) / sizes
    left, right = columns - np.repeat(means, sizes, axis=1)
    both, ours, theirs = np.add.reduceat([left * right, left**2, right**2], starts, axis=1)
    return np.asarray(both / np.sqrt(ours * theirs))


spearman = Measure(_spearman, "spearman", scale=_average_ranks)
pearson = Measure(_pearson, "pearson", scale=_as_floats)
accuracy = Measure(_accuracy, "accuracy", per_item=_hits)
accuracy_of_all = accuracy.over_all_items("accuracy_of_all")
spearman_by_query = Measure(
    _spearman_by_query, "spearman_by_query", per_unit=_spearman_of_each_query
)
