"""The shape of the space of the most frequent words, as curves over their number.

Every property depends on how many words are taken, so none is a single number. Bands are the
spread of random subsamples of the words, rescaled to the number of words.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.frequencies import Frequencies
from lexiscope.experiments.inspection.results import NormBand, Norms, ShapePoint
from lexiscope.linalg.neighbours import nearest
from lexiscope.metrics.geometry import (
    anti_hubs,
    effective_dimension,
    hubness,
    isoscore,
    k_occurrence,
    mean_cosine,
    partition_ratio,
)
from lexiscope.stats.correlations import correlation
from lexiscope.stats.subsampling import subsampling_interval

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
NEIGHBOURS = 10
_SUBSAMPLES = 20
_SUBSAMPLE = 5_000  # words at most
_HUB_SUBSAMPLES = 5
_HUB_WORDS = 3_000  # the number of words changes hubness, so it is the same for all bands
_BANDS = 10
_SPARSE = "a covariance of sparse vectors would be dense"


class Metric(NamedTuple):
    """A property of a table of vectors, with its name in results and its smallest value.

    `highest` is its largest value, None if that is the dimension of the vectors.
    """

    name: str
    of: Callable[[NDArray[np.float32]], float]
    lowest: float
    highest: float | None = 1.0


SPREAD = (
    Metric("mean cosine", mean_cosine, -1.0),
    Metric("IsoScore", isoscore, 0.0),
    Metric("partition ratio", partition_ratio, 0.0),
    Metric("effective dimension", effective_dimension, 1.0, None),
)
HUBS = ("hubness", "anti-hubs")


def shape(embedding: Embedding, frequencies: Frequencies, rng: Generator) -> Iterator[ShapePoint]:
    """Yield all properties for growing numbers of the most frequent words."""
    order = frequencies.by_frequency
    order = order[embedding.lengths[order] > 0]
    for size in sizes(len(order)):
        yield from _spread(embedding, order[:size], rng)
        if size >= _HUB_WORDS or size == len(order):
            yield from _hubs(embedding, order[:size], rng)


def sizes(words: int) -> list[int]:
    """Return the numbers of words up to all of them.

    >>> sizes(12_000)
    [1000, 3000, 10000, 12000]
    """
    return [*(size for size in SIZES if size < words), words]


def _spread(embedding: Embedding, rows: Indices, rng: Generator) -> Iterator[ShapePoint]:
    number = subsample_size(len(rows))
    if embedding.is_sparse:
        for metric in SPREAD:
            yield ShapePoint(metric.name, len(rows), Estimate(None, state=_SPARSE), number)
        return
    vectors = embedding.vectors[rows]
    drawn = [vectors[each] for each in subsamples(len(rows), rng)]
    for metric in SPREAD:
        yield ShapePoint(metric.name, len(rows), _with_band(metric, vectors, drawn), number)


def subsample_size(words: int) -> int:
    """The number of words of a subsample: half of them, 5,000 at most."""
    return min(words // 2, _SUBSAMPLE)


def subsamples(words: int, rng: Generator) -> list[Indices]:
    """Return the indices of random subsamples of words."""
    return [_drawn(words, subsample_size(words), rng) for _ in range(_SUBSAMPLES)]


def _drawn(size: int, number: int, rng: Generator) -> Indices:
    return np.sort(rng.choice(size, number, replace=False))


def _with_band(
    metric: Metric, vectors: NDArray[np.float32], drawn: list[NDArray[np.float32]]
) -> Estimate:
    """The value of all vectors; without a band where subsamples have no value."""
    try:
        value = metric.of(vectors)
    except Undefined as reason:
        return Estimate(None, state=str(reason))
    try:
        found = [metric.of(each) for each in drawn]
    except Undefined:
        return Estimate(value)
    low, high = subsampling_interval(value, found, len(drawn[0]), len(vectors))
    highest = vectors.shape[1] if metric.highest is None else metric.highest
    return Estimate(value, max(low, metric.lowest), min(high, highest))


def _hubs(embedding: Embedding, rows: Indices, rng: Generator) -> Iterator[ShapePoint]:
    """Hubness and anti-hubs: the mean of subsamples of equal size, with their range."""
    number = min(len(rows), _HUB_WORDS)
    if number <= NEIGHBOURS:
        for name in HUBS:
            state = f"{number} words are too few for {NEIGHBOURS} neighbours"
            yield ShapePoint(name, len(rows), Estimate(None, state=state), number)
        return
    times = _HUB_SUBSAMPLES if number < len(rows) else 1
    # In random order, so that equal cosines are not ordered by frequency.
    drawn = [rows[rng.choice(len(rows), number, replace=False)] for _ in range(times)]
    try:
        found = [_occurrences(embedding, each) for each in drawn]
    except Undefined as reason:
        for name in HUBS:
            yield ShapePoint(name, len(rows), Estimate(None, state=str(reason)), number)
        return
    for name, metric in zip(HUBS, (hubness, anti_hubs), strict=True):
        try:
            values = [metric(each) for each in found]
        except Undefined as reason:
            yield ShapePoint(name, len(rows), Estimate(None, state=str(reason)), number)
            continue
        low, high = (min(values), max(values)) if times > 1 else (None, None)
        yield ShapePoint(name, len(rows), Estimate(float(np.mean(values)), low, high), number)


def _occurrences(embedding: Embedding, rows: Indices) -> Indices:
    vectors = embedding.vectors[rows]
    found = nearest(vectors, np.arange(len(rows)), NEIGHBOURS)
    if not found.has_order:
        raise Undefined("all neighbours have the same cosine, so none is nearer than another")
    return k_occurrence(found.indices, len(rows))


def norms(embedding: Embedding, frequencies: Frequencies) -> Norms:
    """Correlate the norms of vectors with frequency, and average them in bands of words."""
    order = frequencies.by_frequency
    lengths = embedding.lengths[order].astype(np.float64)
    if len(order) < 4 or not np.ptp(lengths):
        state = "all vectors have the same norm" if len(order) >= 4 else "too few words"
        return Norms(Estimate(None, state=state), ())
    ranks = -np.arange(len(order), dtype=np.float64)
    found = correlation(ranks, lengths, "spearman")
    ends = np.unique(np.geomspace(1, len(order), min(_BANDS, len(order)) + 1).round().astype(int))
    parts = np.split(np.arange(len(order)), ends[1:-1])
    return Norms(
        Estimate(found.value, found.low, found.high),
        tuple(_band(lengths[part], int(part[0]) + 1, int(part[-1]) + 1) for part in parts),
    )


def _band(lengths: Floats, first: int, last: int) -> NormBand:
    mean = float(lengths.mean())
    band = f"{first:,} to {last:,}"
    if len(lengths) < 2:
        return NormBand(band, len(lengths), Estimate(mean), first)
    from scipy.stats import t

    error = float(lengths.std(ddof=1) / np.sqrt(len(lengths)))
    half = float(t.ppf(0.975, len(lengths) - 1)) * error
    return NormBand(band, len(lengths), Estimate(mean, mean - half, mean + half), first)
