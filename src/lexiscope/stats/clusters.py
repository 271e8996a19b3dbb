"""Clusters of vectors, and what they are worth against categories that people made.

An answer is the numbers of an item's clusters, one for each repeat, as text: "3 0 7". An empty
answer is an item that could not be asked; such items are the cluster -1 of every repeat.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Values
from lexiscope.core.vectors import Vectors, different_rows
from lexiscope.stats.cosine import unit

Numbers = NDArray[np.int64]

_SHUFFLES = 50


def clustered(rows: Vectors, number: int, seeds: Iterable[int]) -> Numbers:
    """The cluster of each row by k-means on directions, one column for each seed."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    directions = unit(rows.astype(np.float64))
    _must_fill(directions, number)
    # Sums over threads differ in their last bits, which can end in another clustering.
    with threadpool_limits(1):
        runs = [
            KMeans(number, init="k-means++", n_init=1, random_state=int(seed)).fit(directions)
            for seed in seeds
        ]
    return np.stack([run.labels_ for run in runs], axis=1).astype(np.int64)


def _must_fill(directions: Vectors, number: int) -> None:
    if number < 2:
        raise Undefined(f"the words asked are of {number} category, at least 2 are needed")
    different = different_rows(directions)
    if different < number:
        raise Undefined(f"only {different} different vectors for {number} categories")


def _right_by_run(given: Values, gold: Values) -> Floats:
    """1 where an item is of the commonest category of its cluster, else 0 (items, runs)."""
    return _of_the_majority(_clusters(given), _numbers(gold)).astype(np.float64)


def _right(given: Values, gold: Values) -> Floats:
    return np.asarray(_right_by_run(given, gold).mean(axis=1))


def _purity(given: Values, gold: Values) -> float:
    return float(_right(given, gold).mean())


def _spread(given: Values, gold: Values) -> float:
    purities = _right_by_run(given, gold).mean(axis=0)
    if len(purities) < 2:
        raise Undefined("one clustering has no spread")
    return float(np.std(purities, ddof=1))


def _right_by_chance(given: Values, gold: Values) -> Floats:
    """How often an item would be right if the categories were dealt out anew to the words."""
    # A measure is a function: the same answers must give the same number.
    rng = np.random.default_rng(0)
    clusters, categories = _clusters(given), _numbers(gold)
    dealt = (rng.permutation(categories) for _ in range(_SHUFFLES))
    shares = [_of_the_majority(clusters, each).mean(axis=1) for each in dealt]
    return np.asarray(np.mean(shares, axis=0))


def _purity_by_chance(given: Values, gold: Values) -> float:
    return float(_right_by_chance(given, gold).mean())


def _adjusted_rand_of_each_run(given: Values, gold: Values, units: Units | None) -> Floats:
    from sklearn.metrics import adjusted_rand_score

    categories = _numbers(gold)
    return np.array([adjusted_rand_score(categories, run) for run in _clusters(given).T])


def _adjusted_rand(given: Values, gold: Values, units: Units | None) -> float:
    return float(_adjusted_rand_of_each_run(given, gold, units).mean())


def _of_the_majority(clusters: Numbers, categories: Numbers) -> NDArray[np.bool_]:
    """Whether each item is of its cluster's commonest category (items, runs).

    Of equally common categories the first in alphabetical order counts, for the same sum.
    """
    commonest = np.argmax(_tables(clusters, categories), axis=2)
    return np.asarray(commonest[np.arange(len(commonest)), clusters] == categories[:, None])


def _tables(clusters: Numbers, categories: Numbers) -> Numbers:
    """How many items of each category each cluster holds (runs, clusters, categories)."""
    shape = clusters.shape[1], int(clusters.max()) + 1, int(categories.max()) + 1
    runs = np.arange(shape[0])
    cells = (runs * shape[1] + clusters) * shape[2] + categories[:, None]
    return np.bincount(cells.ravel(), minlength=shape[0] * shape[1] * shape[2]).reshape(shape)


def _clusters(given: Values) -> Numbers:
    """The answers as numbers from 0 (items, runs), 0 for the items that were not asked."""
    runs = max((text.count(" ") + 1 for text in given if text), default=0)
    if not runs:
        raise Undefined("no item could be asked")
    blank = " ".join(["-1"] * runs)
    numbers = np.fromstring(" ".join(text or blank for text in given), np.int64, sep=" ")
    return numbers.reshape(len(given), runs) + 1


def _numbers(gold: Values) -> Numbers:
    return np.unique(gold, return_inverse=True)[1].ravel()


purity = Measure(_purity, "purity", per_item=_right, per_run=_right_by_run)
purity_by_chance = Measure(_purity_by_chance, "purity_by_chance", reference=True)
purity_spread = Measure(_spread, "purity_spread", reference=True)
# One number for each clustering: its interval is over clusterings, not over words.
adjusted_rand = Measure(_adjusted_rand, "adjusted_rand", per_unit=_adjusted_rand_of_each_run)
