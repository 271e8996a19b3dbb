"""Neighbour rank against corpus rank: do frequent words crowd the neighbour lists?

Schnabel et al. 2015, section 6 and figure 4: the corpus ranks of the 1,000 nearest neighbours of
each query, averaged over queries. The paper prints nn-rank ~ 1000 * corpus-rank^0.17, which cannot
hold as printed (neighbour ranks end at 1,000), so both directions of the fit are computed.

Corpus ranks are averaged by arithmetic means at each neighbour rank, without binning. Neighbours
with equal cosines have the mean of their ranks; which of them are among the last is random.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.frequencies import UNKNOWN, Frequencies
from lexiscope.experiments.inspection.results import NeighbourRanks, RankPoint
from lexiscope.linalg.neighbours import Nearest, nearest
from lexiscope.stats.intervals import percentile_interval
from lexiscope.stats.power_law import MeanCurve, mean_curve, power_law

Floats = NDArray[np.float64]

NEIGHBOURS = 1_000
MIN_QUERIES = 5
_SHOWN = 40  # points of the curve, at equal distances on a log scale


def neighbour_ranks(
    embedding: Embedding,
    frequencies: Frequencies,
    queries: Sequence[str],
    rng: Generator,
    neighbours: int = NEIGHBOURS,
) -> NeighbourRanks:
    """Average the corpus ranks of neighbours by neighbour rank, and fit power laws."""
    rows = embedding.vocabulary.find(list(dict.fromkeys(queries)))
    rows = rows[rows >= 0]
    rows = rows[embedding.lengths[rows] > 0]
    number = min(neighbours, len(embedding) - 1)
    if len(rows) < MIN_QUERIES or number < 10:
        return _nothing(len(rows), number)
    found = _nearest_in_random_order(embedding, rows, number, rng)
    if not found.has_order:
        return _nothing(len(rows), number, "all neighbours have the same cosine")
    ranks = corpus_ranks(found, frequencies.ranks)
    curve = mean_curve(ranks, rng)
    try:
        return _fitted(curve, len(rows), float(frequencies.ranks[frequencies.known].mean()))
    except Undefined as reason:
        return _nothing(len(rows), number, str(reason))


def _nearest_in_random_order(
    embedding: Embedding, rows: NDArray[np.int64], number: int, rng: Generator
) -> Nearest:
    """The neighbours of the rows, with equal cosines in random order.

    By position, those of equal cosines that are within the last rank would be frequent words.
    """
    order = rng.permutation(len(embedding))
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    shuffled = embedding.vectors[order]
    found = nearest(shuffled, position[rows], number, embedding.lengths[order])
    indices = np.where(found.indices < 0, found.indices, order[found.indices])
    return Nearest(indices, found.cosines)


def corpus_ranks(near: Nearest, ranks: NDArray[np.int64]) -> Floats:
    """Return the corpus rank of each neighbour; NaN where there is none or it is unknown.

    Neighbours with equal cosines have the mean of their ranks.
    """
    found = ranks[near.indices].astype(np.float64)
    found[(near.indices < 0) | (found == UNKNOWN)] = np.nan
    starts = np.ones(found.shape, bool)
    starts[:, 1:] = near.cosines[:, 1:] != near.cosines[:, :-1]
    group, known = np.cumsum(starts.ravel()) - 1, np.isfinite(found).ravel()
    sums = np.bincount(group[known], found.ravel()[known], minlength=group[-1] + 1)
    numbers = np.bincount(group[known], minlength=group[-1] + 1)
    means = np.divide(sums, numbers, out=np.full_like(sums, np.nan), where=numbers > 0)
    return np.where(np.isfinite(found), means[group].reshape(found.shape), np.nan)


def _nothing(queries: int, number: int, reason: str = "") -> NeighbourRanks:
    few = f"{queries} query words with {number} neighbours are too few"
    nothing = Estimate(None, state=reason or few)
    return NeighbourRanks(
        queries, number, (), nothing, None, nothing, None, None, None, reason or few
    )


def _fitted(curve: MeanCurve, queries: int, random_rank: float) -> NeighbourRanks:
    known = np.isfinite(curve.mean) & np.isfinite(curve.samples).all(axis=0)
    at = np.arange(1, len(curve.mean) + 1)[known].astype(np.float64)
    mean, samples = curve.mean[known], curve.samples[:, known]
    if len(at) < 10:
        raise Undefined("too few neighbours have a frequency")
    ours, theirs = power_law(at, mean), power_law(mean, at)
    every = np.broadcast_to(at, samples.shape)
    spread = power_law(every, samples).exponent, power_law(samples, every).exponent
    return NeighbourRanks(
        queries,
        len(curve.mean),
        tuple(_point(curve, k) for k in _log_spaced(np.flatnonzero(known))),
        _estimate(float(ours.exponent), spread[0]),
        _finite(ours.coefficient),
        _estimate(float(theirs.exponent), spread[1]),
        _finite(theirs.coefficient),
        float(ours.r_squared),
        random_rank,
    )


def _finite(coefficient: Floats) -> float | None:
    return float(coefficient) if np.isfinite(coefficient) else None


def _estimate(value: float, samples: Floats) -> Estimate:
    """The exponent with the spread of the bootstrap samples around it.

    Bootstrap samples are noisier than the curve. Noise in the explanatory variable attenuates the
    slope, so those of the inverse fit are not centred on the estimate.
    """
    return Estimate(value, *percentile_interval(samples - samples.mean() + value))


def _point(curve: MeanCurve, index: int) -> RankPoint:
    low, high = curve.interval(index)
    return RankPoint(index + 1, Estimate(float(curve.mean[index]), low, high))


def _log_spaced(indices: NDArray[np.int64]) -> list[int]:
    wanted = np.geomspace(1, indices[-1] + 1, _SHOWN).round().astype(np.int64) - 1
    return sorted(set(wanted.tolist()) & set(indices.tolist()))
