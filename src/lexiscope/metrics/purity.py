"""k-means clusters of vectors, compared with gold categories.

A prediction is the cluster numbers of an item, one for each repetition, as a string: "3 0 7". An
empty string is an item that the embedding does not cover; such items form the cluster -1 of every
repetition.

Examples
--------
>>> import numpy as np
>>> purity(np.array(["0", "0", "1", "1"]), np.array(["pet", "pet", "pet", "fruit"]))
0.75
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric, Values
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors, count_distinct_rows
from lexiscope.linalg.normalization import normalize_rows

Codes = NDArray[np.int64]

_PERMUTATIONS = 50


def kmeans_clusters(rows: Vectors, number: int, seeds: Iterable[int]) -> Codes:
    """Cluster L2-normalised rows with k-means, once for each seed (rows, seeds)."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    directions = normalize_rows(rows.astype(np.float64))
    _check_clusters(directions, number)
    # Sums over threads differ in their last bits, which can end in another clustering.
    with threadpool_limits(1):
        models = [
            KMeans(number, init="k-means++", n_init=1, random_state=int(seed)).fit(directions)
            for seed in seeds
        ]
    return np.stack([model.labels_ for model in models], axis=1).astype(np.int64)


def _check_clusters(directions: Vectors, number: int) -> None:
    if number < 2:
        raise Undefined(f"the covered words are of {number} category, at least 2 are needed")
    distinct = count_distinct_rows(directions)
    if distinct < number:
        raise Undefined(f"only {distinct} different vectors for {number} categories")


def _hits_by_repeat(predicted: Values, gold: Values) -> Floats:
    """1 where an item is of the majority category of its cluster, else 0 (items, repeats)."""
    return _of_the_majority(_clusters(predicted), _codes(gold)).astype(np.float64)


def _hits(predicted: Values, gold: Values) -> Floats:
    return np.asarray(_hits_by_repeat(predicted, gold).mean(axis=1))


def _purity(predicted: Values, gold: Values) -> float:
    return float(_hits(predicted, gold).mean())


def _std(predicted: Values, gold: Values) -> float:
    purities = _hits_by_repeat(predicted, gold).mean(axis=0)
    if len(purities) < 2:
        raise Undefined("one clustering has no standard deviation")
    return float(np.std(purities, ddof=1))


def _chance_level(predicted: Values, gold: Values) -> float:
    """The purity of the same clusters when the categories are randomly permuted over the words."""
    # A metric is a function: the same predictions must give the same number.
    rng = np.random.default_rng(0)
    clusters, categories = _clusters(predicted), _codes(gold)
    permuted = (rng.permutation(categories) for _ in range(_PERMUTATIONS))
    hits = [_of_the_majority(clusters, each).mean(axis=1) for each in permuted]
    return float(np.asarray(np.mean(hits, axis=0)).mean())


def _adjusted_rand(predicted: Values, gold: Values) -> float:
    """The mean over repetitions of the adjusted Rand index (Hubert and Arabie 1985)."""
    tables = _tables(_clusters(predicted), _codes(gold))
    pairs = _pairs(tables).sum(axis=(1, 2))
    clusters, categories = (_pairs(tables.sum(axis=axis)).sum(axis=1) for axis in (2, 1))
    expected = clusters * categories / _pairs(np.array(len(predicted)))
    most = (clusters + categories) / 2
    # Two equal partitions into one group, or into groups of one, agree perfectly.
    found = np.divide(
        pairs - expected, most - expected, out=np.ones(len(pairs)), where=most > expected
    )
    return float(found.mean())


def _pairs(sizes: Codes) -> Floats:
    """The number of pairs in groups of these sizes."""
    return np.asarray(sizes * (sizes - 1) / 2, np.float64)


def _of_the_majority(clusters: Codes, categories: Codes) -> NDArray[np.bool_]:
    """Whether each item is of the majority category of its cluster (items, repeats).

    Of equally frequent categories, the first in alphabetical order counts; the sum is the same.
    """
    majority = np.argmax(_tables(clusters, categories), axis=2)
    return np.asarray(majority[np.arange(len(majority)), clusters] == categories[:, None])


def _tables(clusters: Codes, categories: Codes) -> Codes:
    """The contingency table of each repetition (repeats, clusters, categories)."""
    shape = clusters.shape[1], int(clusters.max()) + 1, int(categories.max()) + 1
    repeats = np.arange(shape[0])
    cells = (repeats * shape[1] + clusters) * shape[2] + categories[:, None]
    return np.bincount(cells.ravel(), minlength=shape[0] * shape[1] * shape[2]).reshape(shape)


def _clusters(predicted: Values) -> Codes:
    """The predictions as numbers from 0 (items, repeats); 0 for items that are not covered."""
    texts = predicted.tolist()
    first = next(filter(None, texts), "")
    if not first:
        raise Undefined("no item is covered")
    repeats = first.count(" ") + 1
    blank = " ".join(["-1"] * repeats)
    joined = " ".join(texts if all(texts) else [text or blank for text in texts])
    numbers = np.fromstring(joined, np.int64, sep=" ")
    return numbers.reshape(len(texts), repeats) + 1


def _codes(gold: Values) -> Codes:
    """The position of each category in alphabetical order."""
    # Sorting the few categories takes a tenth of the time of np.unique, which sorts all items.
    names = gold.tolist()
    codes = {name: code for code, name in enumerate(sorted(set(names)))}
    return np.fromiter(map(codes.__getitem__, names), np.int64, len(names))


purity = Metric(
    _purity, "purity", per_item=_hits, per_repeat=_hits_by_repeat, jackknife=True,
    bounds=(0.0, 1.0),
)  # fmt: skip
purity_chance_level = Metric(_chance_level, "purity_chance_level", reference=True)
purity_std = Metric(_std, "purity_std", reference=True)
adjusted_rand = Metric(_adjusted_rand, "adjusted_rand", jackknife=True, bounds=(-1.0, 1.0))
