"""Consistency of vectors that are learned from samples of a text.

Bloem, Fokkens and Herbelot 2019, section 3: the cosine of two samples' vectors, and the rank of one
among the background vectors by cosine to the other. Identification, which the paper does not have,
ranks the other sample of a term among the samples of all terms.
"""

from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.machine import threads
from lexiscope.kernels.ranks import count_above
from lexiscope.metrics.neighbour_overlap import PERSISTENCE, rank_biased_overlap

Ranks = NDArray[np.int64]
Single = NDArray[np.float32]

_QUERIES = 256  # of a batch
_WORDS = 4096  # of a block of the background
_ROUNDING = 4e-6  # of a cosine in single precision, with a wide margin
_NEAREST = 32  # queries of a batch of neighbours
_SPARE = 16  # candidates beyond the number requested, for near ties
_ITERATIONS = 8
_MIN_VARIANCE = 0.01  # of a vector around the common direction, so that none has all the weight
_TOLERANCE = 1e-12  # cosines in double precision that differ by less are equal


def directions(vectors: Floats) -> Floats:
    """Normalise vectors (..., dimension); NaN where a vector is zero or not finite."""
    found = np.asarray(vectors, np.float64)
    norms = np.linalg.norm(found, axis=-1, keepdims=True)
    usable = np.isfinite(norms) & (norms > 0)
    return np.asarray(np.divide(found, norms, out=np.full_like(found, np.nan), where=usable))


def without_direction(vectors: Floats, direction: Floats) -> Floats:
    """Subtract from vectors (..., dimension) their component along a direction."""
    unit = directions(direction)
    if not np.isfinite(unit).all():
        return vectors
    return np.asarray(vectors - (vectors @ unit)[..., None] * unit)


def without_common_direction(units: Floats) -> Floats:
    """Subtract from the vectors of each sample their mean direction over terms, and normalise.

    Vectors near the common direction are similar to all others, whatever their term; without it,
    similarity is specific to the term. Halves of a text also lose what all terms of a half share.
    The mean is weighted by the inverse variance of a vector around it, so that terms with few
    sentences or a direction of their own count less.

    Parameters
    ----------
    units : ndarray of shape (samples, terms, dimension)
        Normalised vectors; NaN where there is none.

    Examples
    --------
    >>> units = np.array([[[0.8, 0.6], [0.8, -0.6]]])
    >>> (without_common_direction(units) + 0.0).tolist()
    [[[0.0, 1.0], [0.0, -1.0]]]
    """
    found = [without_direction(each, _common_direction(each)) for each in units]
    return directions(np.array(found).reshape(units.shape))


def _common_direction(units: Floats) -> Floats:
    """The weighted mean direction of unit vectors (terms, dimension)."""
    present = units[np.isfinite(units).all(axis=1)]
    weights = np.ones(len(present))
    common = np.zeros(units.shape[1])
    for _ in range(_ITERATIONS):
        common = directions(weights @ present)
        if not np.isfinite(common).all():
            return np.zeros(units.shape[1])
        weights = 1 / (1 - np.minimum((present @ common) ** 2, 1.0) + _MIN_VARIANCE)
    return common


def pair_cosines(units: Floats) -> Floats:
    """Compute the mean cosine over the pairs of samples of each term; NaN without a pair.

    Parameters
    ----------
    units : ndarray of shape (samples, terms, dimension)
        Normalised vectors; NaN where there is none.

    Examples
    --------
    >>> units = np.array([[[1.0, 0.0]], [[0.0, 1.0]], [[1.0, 0.0]]])  # three samples of a term
    >>> pair_cosines(units).round(3).tolist()
    [0.333]
    """
    number = np.isfinite(units).all(axis=-1).sum(axis=0)
    total = np.nansum(units, axis=0)
    squares = np.einsum("td,td->t", total, total)
    out = np.full(len(number), np.nan)
    np.divide(squares - number, number * (number - 1), out=out, where=number > 1)
    return out


def ranks_among(
    queries: Floats, targets: Floats, background: Single, left_out: Ranks | None = None
) -> Floats:
    """Compute the rank of target vectors among the background, by cosine to a query.

    The rank is 1 plus the number of background vectors with a strictly higher cosine to the query
    than the target, so that a tie does not worsen it. It is exact: cosines in single precision that
    are too close to that of the target are recomputed in double precision.

    Parameters
    ----------
    queries : ndarray of shape (queries, dimension)
        The vectors that cosines are computed with.
    targets : ndarray of shape (queries, targets, dimension)
        The vectors that are ranked for each query; NaN where there is none.
    background : ndarray of shape (words, dimension)
        The background vectors. Zero vectors have no direction and are never counted.
    left_out : ndarray of shape (queries,) or (queries, targets), optional
        The row of a background vector that is not counted, or -1.

    Returns
    -------
    ndarray of shape (queries, targets); NaN where the query or the target is NaN or zero.

    Examples
    --------
    >>> background = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    >>> query, target = np.array([[1.0, 0.1]]), np.array([[[1.0, 0.5]]])
    >>> ranks_among(query, target, background).tolist()  # only [1, 0] is nearer
    [[2.0]]
    >>> ranks_among(query, target, background, np.array([0])).tolist()
    [[1.0]]
    """
    from threadpoolctl import threadpool_limits

    units = directions(queries)
    limits = np.einsum("qd,qtd->qt", units, directions(targets))
    usable = np.isfinite(limits)
    scored = np.flatnonzero(usable.any(axis=1))
    norms = _norms(background)
    counts = np.zeros(limits.shape, np.int64)

    def work(first: int) -> None:
        some = scored[first : first + _QUERIES]
        bounds = np.where(usable[some], limits[some], np.inf)
        counts[some] = _counts(units[some], bounds, background, norms)

    with threadpool_limits(1), ThreadPoolExecutor(threads()) as pool:
        list(pool.map(work, range(0, len(scored), _QUERIES)))
    if left_out is not None:
        rows = left_out if left_out.ndim == 2 else left_out[:, None]
        counts -= _own(units, limits, background, norms, np.broadcast_to(rows, limits.shape))
    return np.where(usable, 1.0 + counts, np.nan)


def _counts(units: Floats, limits: Floats, background: Single, norms: Floats) -> Ranks:
    """The number of background vectors whose cosine is above each limit."""
    single = units.astype(np.float32)
    lower, upper = ((limits + sign * _ROUNDING).astype(np.float32) for sign in (-1, 1))
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    certain, close = np.zeros(limits.shape, np.int64), np.zeros(limits.shape, np.int64)
    scores = np.empty((len(units), _WORDS), np.float32)
    for start in range(0, len(background), _WORDS):
        words = slice(start, start + _WORDS)
        block = background[words] * inverse[words, None].astype(np.float32)
        part = scores[:, : len(block)]
        part[:] = single @ block.T
        part[:, inverse[words] == 0] = -np.inf
        count_above(scores, len(units), len(block), lower, upper, certain, close)
        for query, limit in np.argwhere(close):
            row = part[query]
            near = np.flatnonzero((row >= lower[query, limit]) & (row <= upper[query, limit]))
            exact = _cosines(units[query], background, norms, start + near)
            certain[query, limit] += np.count_nonzero(exact > limits[query, limit] + _TOLERANCE)
    return certain


def _norms(background: Single) -> Floats:
    return np.asarray(np.sqrt(np.einsum("wd,wd->w", background, background, dtype=np.float64)))


def _cosines(unit: Floats, background: Single, norms: Floats, words: Ranks) -> Floats:
    return np.asarray(background[words].astype(np.float64) @ unit / norms[words])


def _own(
    units: Floats, limits: Floats, background: Single, norms: Floats, rows: Ranks
) -> NDArray[np.bool_]:
    """Whether the vectors that are left out were counted."""
    queries, targets = np.nonzero((rows >= 0) & np.isfinite(limits) & (norms[rows] > 0))
    chosen = rows[queries, targets]
    own = np.einsum("nd,nd->n", units[queries], background[chosen].astype(np.float64))
    found = np.zeros(limits.shape, np.bool_)
    found[queries, targets] = own / norms[chosen] > limits[queries, targets] + _TOLERANCE
    return found


class Identification(NamedTuple):
    """For each term, means over ordered pairs of samples; NaN without a pair.

    `first` is whether the own other sample is nearer than that of every other term, and
    `reciprocal_rank` the reciprocal of its rank. A tie counts against the term. `chance` is the
    expected value of `first` if samples are assigned to terms at random.
    """

    first: Floats
    reciprocal_rank: Floats
    chance: float


def identification(units: Floats) -> Identification:
    """Rank the other sample of each term among the same samples of all terms.

    For samples i and j of a term, the vector of sample j is ranked among the vectors of sample j of
    all terms, by cosine to sample i.

    Parameters
    ----------
    units : ndarray of shape (samples, terms, dimension)
        Normalised vectors; NaN where there is none.

    Examples
    --------
    >>> units = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.8, 0.6], [0.6, 0.8]]])
    >>> identification(units).first.tolist()
    [1.0, 1.0]
    """
    first, reciprocal, pairs = (np.zeros(units.shape[1]) for _ in range(3))
    chances = []
    for cosines in _ordered_pairs(units):
        own = np.diagonal(cosines)
        usable = np.isfinite(own)
        as_near = np.count_nonzero(cosines >= own[:, None] - _TOLERANCE, axis=1)[usable]
        first[usable] += as_near == 1
        reciprocal[usable] += 1 / as_near
        pairs += usable
        number = int(np.isfinite(cosines).any(axis=0).sum())
        chances += [1 / number] if number else []
    chance = float(np.mean(chances)) if chances else float("nan")
    return Identification(_ratio(first, pairs), _ratio(reciprocal, pairs), chance)


def _ratio(total: Floats, number: Floats) -> Floats:
    found = np.full(len(number), np.nan)
    np.divide(total, number, out=found, where=number > 0)
    return found


def _ordered_pairs(units: Floats) -> Iterator[Floats]:
    """The cosines of sample i with sample j of all terms (terms, terms), for i and j in turn."""
    for i, j in combinations(range(len(units)), 2):
        cosines = units[i] @ units[j].T
        yield cosines
        yield cosines.T


def nearest_words(units: Floats, background: Single, number: int) -> Ranks:
    """Find the rows of the `number` nearest background vectors of each query, nearest first.

    Equal cosines are ordered by row; zero vectors are left out.
    """
    norms = _norms(background)
    words = np.flatnonzero(norms > 0)
    kept, spare = min(number, len(words)), min(number + _SPARE, len(words))
    found = np.empty((len(units), kept), np.int64)
    for start in range(0, len(units), _NEAREST):
        scores = units[start : start + _NEAREST].astype(np.float32) @ background.T
        for query, row in enumerate(scores, start):
            near = words[np.argpartition(-row[words] / norms[words], spare - 1)[:spare]]
            exact = _cosines(units[query], background, norms, near)
            found[query] = near[np.lexsort((near, -exact))[:kept]]
    return found


def common_proportion(lists: Sequence[Sequence[Hashable]]) -> float:
    """Compute the proportion of neighbours that all lists have, after Hellrich and Hahn (2016).

    It is the size of the intersection divided by the length of the longest list. Lists are the n
    nearest neighbours of one word in identically parametrised models. The mean over words is the
    reliability of their released program: sum of |N_1(w) & ... & N_m(w)| / (n * number of words),
    for n from 1 to 5. A word that a model lacks counts as 0 there.

    >>> common_proportion([["cat", "dog"], ["dog", "cow"], ["dog", "hen"]])
    0.5
    """
    longest = max(map(len, lists), default=0)
    if not longest:
        raise Undefined("empty lists have no neighbours in common")
    return len(set.intersection(*map(set, lists))) / longest


def jaccard_of_all(lists: Sequence[Sequence[Hashable]]) -> float:
    """Compute the Jaccard index of several lists: intersection over union, regardless of order.

    >>> jaccard_of_all([["cat", "dog"], ["dog", "cow"], ["dog", "hen"]])
    0.25
    """
    union = set().union(*lists)
    if not union:
        raise Undefined("empty lists have no overlap")
    return len(set.intersection(*map(set, lists))) / len(union)


def mean_overlap(lists: Sequence[Sequence[Hashable]], persistence: float = PERSISTENCE) -> float:
    """Compute the mean rank-biased overlap of every two lists of neighbours of a word.

    >>> mean_overlap([["cat", "dog"], ["cat", "dog"], ["cat", "dog"]])
    1.0
    """
    if len(lists) < 2:
        raise Undefined("one list has no overlap with another")
    pairs = combinations(lists, 2)
    return float(np.mean([rank_biased_overlap(one, two, persistence) for one, two in pairs]))
