"""Similarity of samples of one term against that of samples of different terms.

A cosine between two samples of a term depends on the space and on the number of sentences, so it is
compared with two nulls: cosines with samples of different terms of similar frequency, and cosines
with the noise of these terms, which is the difference between two samples of the same term.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.stats.intervals import NORMAL_QUANTILE, Interval
from lexiscope.stats.standard_error import StandardError

Indices = NDArray[np.int64]

MIN_SIMILAR_TERMS = 19  # values of a null; fewer cannot give a p-value of 5 %
DRAWS = 999
SIMILAR_TERMS = 40
_LIMIT = 0.95  # quantile of the null that is reported


class TermNull(NamedTuple):
    """Similarity within and between terms; NaN where a term has fewer than two samples.

    Parameters
    ----------
    within : ndarray of shape (terms,)
        Mean cosine over the pairs of samples of each term.
    between : ndarray of shape (terms,)
        Mean cosine of a term's samples with those of similar terms; NaN if there are none.
    limit, p : ndarray of shape (terms,)
        The 95 % quantile of the nulls of each term, the higher of both, and the p-value of
        `within`. NaN if there are fewer than 19 similar terms.
    smallest_p : float
        The smallest p-value that a term can have; NaN if no term has a p-value.
    p_of_mean : float
        The p-value of the mean of `within` under permutation of terms of similar frequency.
    influence : ndarray of shape (terms,)
        The influence of each term on the mean of `within` minus `between`. A term contributes to
        its own value and to the null of others.
    values : ndarray
        Cosines with samples of different terms, of all terms.
    """

    within: Floats
    between: Floats
    limit: Floats
    p: Floats
    smallest_p: float
    p_of_mean: float
    influence: Floats
    values: Floats

    @property
    def influence_on_between(self) -> Floats:
        """The influence of each term on the mean of `between`."""
        usable = np.isfinite(self.influence)
        mean = np.mean(self.within[usable]) if usable.any() else 0.0
        return np.asarray(self.within - mean - self.influence)

    @property
    def excess(self) -> Floats:
        """Within minus between."""
        return np.asarray(self.within - self.between)


class _Pair(NamedTuple):
    """The cosines (terms, terms) of sample `first` with sample `second` of all terms."""

    first: int
    second: int
    cosines: Floats


def term_null(
    units: Floats,
    frequency: Indices,
    rng: Generator,
    similar_terms: int = SIMILAR_TERMS,
    draws: int = DRAWS,
) -> TermNull:
    """Compare the similarity of samples of the same term with that of different terms.

    A null of a term keeps one of its samples and replaces all others. The first null replaces them
    by samples of different terms, drawn from the terms that are nearest in frequency; the second by
    the directions of differences between two samples of these terms. A term that is not learnable
    has nothing but noise, and the differences are noise even if these terms are learnable. The
    p-value is the higher of both. With two samples all such replacements are used.

    Parameters
    ----------
    units : ndarray of shape (samples, terms, dimension)
        Normalised vectors; NaN where there is none.
    frequency : ndarray of shape (terms,)
        Frequencies of the terms, which decide which terms are similar.
    rng : Generator
        Source of draws and permutations.
    similar_terms : int, default 40
        The number of terms in the null of each term.
    draws : int, default 999
        The number of draws for each term, and of permutations.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # faster for small products, and the same on every machine
        return _term_null(units, frequency, rng, similar_terms, draws)


def _term_null(
    units: Floats, frequency: Indices, rng: Generator, similar_terms: int, draws: int
) -> TermNull:
    present = np.asarray(np.isfinite(units).all(axis=-1))
    pairs = [_Pair(i, j, units[i] @ units[j].T) for i, j in combinations(range(len(units)), 2)]
    together = _mean_matrix(pairs, len(frequency))
    similar = nearest_in_frequency(present, frequency, rng, similar_terms)
    within = np.diagonal(together).copy()
    between = np.array([_mean(together[t, near]) for t, near in enumerate(similar)])
    drawn = [_null(pairs, present, t, near, rng, draws) for t, near in enumerate(similar)]
    p_of_mean = _permutation_p(pairs, within, frequency, rng, draws)
    noise = [_noise_null(units[present[:, t], t], units[present[:, t]][:, near], rng, draws)
             for t, near in enumerate(similar)]  # fmt: skip
    numbers = np.array([len(near) for near in similar], np.int64)
    tested = np.flatnonzero(numbers >= MIN_SIMILAR_TERMS)
    nulls = [[each[t] for t in tested] for each in (drawn, noise)]
    return TermNull(
        within,
        between,
        _placed(_limits(nulls), tested, len(within)),
        _placed(_p_values(within[tested], nulls, numbers[tested]), tested, len(within)),
        1 / (1 + _pairs_of_terms(numbers[tested])) if len(tested) else float("nan"),
        p_of_mean,
        _influence(together, within - between, similar),
        np.concatenate([*drawn, np.empty(0)]),
    )


def _placed(values: Floats, rows: Indices, number: int) -> Floats:
    """The values at their rows in an array of `number` entries; NaN elsewhere."""
    found = np.full(number, np.nan)
    found[rows] = values
    return found


def _mean(values: Floats) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _mean_matrix(pairs: list[_Pair], terms: int) -> Floats:
    """The mean cosine of every two terms over ordered pairs of different samples."""
    total, number = np.zeros((terms, terms)), np.zeros((terms, terms))
    for pair in pairs:
        for cosines in (pair.cosines, pair.cosines.T):
            usable = np.isfinite(cosines)
            total += np.where(usable, cosines, 0.0)
            number += usable
    return np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0)


def nearest_in_frequency(
    present: NDArray[np.bool_], frequency: Indices, rng: Generator, number: int
) -> list[Indices]:
    """Find for each term the other terms of most similar frequency, on a logarithmic scale.

    Only terms that have all samples of the term are used. Ties are broken at random.

    Parameters
    ----------
    present : ndarray of shape (samples, terms)
        Which samples have a vector.
    frequency : ndarray of shape (terms,)
        Frequencies of the terms.
    rng : Generator
        Breaks ties.
    number : int
        The number of terms to find.
    """
    logs = np.log(np.maximum(np.asarray(frequency, np.float64), 1.0))
    found = []
    for term in range(len(logs)):
        has = present[:, term]
        usable = np.asarray(present[has].all(axis=0)) & (has.sum() > 1)
        usable[term] = False
        others = rng.permutation(np.flatnonzero(usable))
        order = np.argsort(np.abs(logs[others] - logs[term]), kind="stable")
        found.append(np.sort(others[order[:number]]))
    return found


def _null(
    pairs: list[_Pair],
    present: NDArray[np.bool_],
    term: int,
    similar: Indices,
    rng: Generator,
    draws: int,
) -> Floats:
    """Values of the null of a term: one of its samples, the others from different terms."""
    samples = np.flatnonzero(present[:, term])
    if not len(similar) or len(samples) < 2:
        return np.empty(0)
    own = [each for each in pairs if {each.first, each.second} <= set(samples.tolist())]
    if len(samples) == 2:
        cosines = own[0].cosines
        return np.concatenate([cosines[term, similar], cosines[similar, term]])
    drawn = _different(len(similar), draws, len(present), rng)
    terms = similar[drawn]
    terms[np.arange(draws), rng.choice(samples, draws)] = term
    values = [each.cosines[terms[:, each.first], terms[:, each.second]] for each in own]
    return np.asarray(np.mean(values, axis=0))


def _different(terms: int, draws: int, samples: int, rng: Generator) -> Indices:
    """Draws of a term for each sample (draws, samples), all different if there are enough."""
    if terms < samples:
        return rng.integers(terms, size=(draws, samples))
    return np.argsort(rng.random((draws, terms)), axis=1)[:, :samples]


def _noise_null(own: Floats, others: Floats, rng: Generator, draws: int) -> Floats:
    """Values of the null of a term: one of its samples, the others noise of different terms.

    Parameters
    ----------
    own : ndarray of shape (samples, dimension)
        The samples of the term.
    others : ndarray of shape (samples, similar, dimension)
        The same samples of the similar terms.
    rng : Generator
        Source of draws.
    draws : int
        The number of draws with more than two samples.
    """
    samples, similar = others.shape[:2]
    if not similar or samples < 2:
        return np.empty(0)
    noise = _normalised(others - np.roll(others, -1, axis=0))  # a difference for each sample
    if samples == 2:
        cosines = (own @ noise[0].T).ravel()
        return np.concatenate([cosines, -cosines])  # a difference has no sign
    flat = noise.reshape(samples * similar, -1)
    chosen = _different(similar, draws, samples, rng) + similar * np.arange(samples)
    signs = rng.choice([-1.0, 1.0], size=chosen.shape)
    kept = rng.integers(samples, size=draws)
    signs[np.arange(draws), kept] = 1.0
    # The samples of the term come last.
    chosen[np.arange(draws), kept] = len(flat) + kept
    together = np.concatenate([flat, own])
    gram = together @ together.T
    values = [
        signs[:, i] * signs[:, j] * gram[chosen[:, i], chosen[:, j]]
        for i, j in combinations(range(samples), 2)
    ]
    return np.asarray(np.mean(values, axis=0))


def _normalised(vectors: Floats) -> Floats:
    """Vectors of length 1; equal samples have no noise and keep a zero vector."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def _limits(nulls: Sequence[Sequence[Floats]]) -> Floats:
    """The 95 % quantile of each term, the highest of all nulls."""
    limits = [[np.quantile(each, _LIMIT) for each in null] for null in nulls]
    return np.asarray(np.max(limits, axis=0))


def _p_values(within: Floats, nulls: Sequence[Sequence[Floats]], similar: Indices) -> Floats:
    """The p-value of each term, the highest of all nulls.

    Draws are many, but come from the samples of few terms, so a null counts as one value for each
    similar term. If less than one of them reaches the similarity of the term, its own null is too
    small for the p-value, which is then computed from the standardised nulls of all terms.
    """
    if not len(within):
        return np.empty(0)
    reached = np.max([_proportion_reached(within, null) for null in nulls], axis=0)
    own = (1 + similar * reached) / (1 + similar)
    tail = np.max([_pooled_p(within, null, similar) for null in nulls], axis=0)
    refined = np.minimum(own, np.maximum(tail, reached))
    return np.asarray(np.where(similar * reached < 1, refined, own))


def _proportion_reached(within: Floats, null: Sequence[Floats]) -> Floats:
    return np.array([np.mean(each >= value) for value, each in zip(within, null, strict=True)])


def _pooled_p(within: Floats, null: Sequence[Floats], similar: Indices) -> Floats:
    """The p-value of each term by the nulls of all terms, each with mean 0 and variance 1."""
    means, errors = (np.array([f(each) for each in null]) for f in (np.mean, np.std))
    spread = errors > 0
    if not spread.any():
        return np.ones(len(within))
    scores = np.full(len(within), np.inf)
    np.divide(within - means, errors, out=scores, where=spread)
    values = [(null[t] - means[t]) / errors[t] for t in np.flatnonzero(spread).tolist()]
    pooled = np.sort(np.concatenate(values))
    reached = 1 - np.searchsorted(pooled, scores) / len(pooled)
    number = _pairs_of_terms(similar)
    return np.asarray((1 + number * reached) / (1 + number))


def _pairs_of_terms(similar: Indices) -> float:
    """The number of pairs of terms in the nulls of all terms."""
    return float(similar.sum()) / 2


def _permutation_p(
    pairs: list[_Pair], within: Floats, frequency: Indices, rng: Generator, draws: int
) -> float:
    """The p-value of the mean similarity, permuting each sample within blocks of similar terms."""
    usable = np.flatnonzero(np.isfinite(within))
    if len(usable) < 2:
        return float("nan")
    order = usable[np.argsort(np.asarray(frequency)[usable], kind="stable")]
    number = max(1, len(order) // (MIN_SIMILAR_TERMS + 1))
    block = np.arange(len(order)) * number // len(order)
    samples = 1 + max(pair.second for pair in pairs)
    observed = _mean_of_permuted(pairs, np.tile(order, (samples, 1)))
    reached = 0
    for _ in range(draws):
        permuted = order[np.argsort(block + rng.random((samples, len(order))), axis=1)]
        reached += _mean_of_permuted(pairs, permuted) >= observed - 1e-12
    return (1 + reached) / (1 + draws)


def _mean_of_permuted(pairs: list[_Pair], permuted: Indices) -> float:
    """The mean similarity if the terms of each sample are those of `permuted` (samples, terms)."""
    total, number = np.zeros(permuted.shape[1]), np.zeros(permuted.shape[1])
    for pair in pairs:
        values = pair.cosines[permuted[pair.first], permuted[pair.second]]
        usable = np.isfinite(values)
        total += np.where(usable, values, 0.0)
        number += usable
    return float(np.mean(total[number > 0] / number[number > 0]))


def _influence(together: Floats, excess: Floats, similar: list[Indices]) -> Floats:
    """The jackknife influence of each term on the mean excess."""
    usable = np.isfinite(excess)
    found = np.where(usable, excess - np.mean(excess[usable]) if usable.any() else 0.0, np.nan)
    for term in np.flatnonzero(usable):
        near = similar[term]
        if len(near) > 1:
            values = together[term, near]
            found[near] -= (values - values.mean()) / (len(near) - 1)
    return np.asarray(found)


def proportion_interval(proportion: float, terms: int) -> Interval:
    """Compute the Wilson interval of a proportion of terms.

    It is conservative for means of values between 0 and 1, whose variance is at most that of hits.

    >>> [round(end, 3) for end in proportion_interval(0.0, 20)]
    [0.0, 0.161]
    """
    square = NORMAL_QUANTILE**2 / terms
    centre = (proportion + square / 2) / (1 + square)
    half = np.sqrt(square * proportion * (1 - proportion) + square**2 / 4) / (1 + square)
    return Interval(max(0.0, float(centre - half)), min(1.0, float(centre + half)))


def error_of_terms(influence: Floats) -> StandardError:
    """Compute the standard error of a mean over terms from the influence of each term.

    >>> round(error_of_terms(np.array([-1.0, 0.0, 1.0])).error, 3)
    0.577
    """
    values = influence[np.isfinite(influence)]
    if len(values) < 2:
        raise Undefined("the variance over terms cannot be estimated from one term")
    centred = values - values.mean()
    error = float(np.sqrt(np.sum(centred**2) / (len(values) * (len(values) - 1))))
    return StandardError(error, error, len(values) - 1)


def bounded_mean_interval(
    values: Floats, lowest: float, highest: float, rng: Generator, draws: int = DRAWS
) -> Interval:
    """Compute the 95 % interval of a mean of skewed values that lie between two limits.

    It is the union of the t interval and of the bootstrap-t interval on the logit scale of the
    mean, so it stays within the limits. Either alone covers less: the t interval if few values are
    very high, the bootstrap if almost all values are equal.

    Parameters
    ----------
    values : ndarray of shape (terms,)
        Values that are not all equal.
    lowest, highest : float
        The limits of the values.
    rng : Generator
        Source of bootstrap samples.
    draws : int, default 999
        The number of bootstrap samples.

    Examples
    --------
    >>> ranks = np.array([1.0, 1.0, 1.0, 2.0, 1.0, 9.0])
    >>> low, high = bounded_mean_interval(ranks, 1, 1000, np.random.default_rng(0))
    >>> bool(1 < low < ranks.mean() < high < 1000)
    True
    """
    scaled = (np.asarray(values, np.float64) - lowest) / (highest - lowest)
    centre, error = (float(each[0]) for each in _logit_mean(scaled[None]))
    t = error_of_terms(scaled).quantile(0.975)
    quantiles = [-t, t]
    drawn = scaled[rng.integers(len(scaled), size=(draws, len(scaled)))]
    drawn = drawn[np.ptp(drawn, axis=1) > 0]
    if len(drawn):
        centres, errors = _logit_mean(drawn)
        quantiles += np.quantile((centres - centre) / errors, [0.025, 0.975]).tolist()
    ends = centre - error * np.array([max(quantiles), min(quantiles)])
    low, high = lowest + (highest - lowest) / (1 + np.exp(-ends))
    return Interval(float(low), float(high))


def _logit_mean(scaled: Floats) -> tuple[Floats, Floats]:
    """The logit of the mean of each row of values from 0 to 1, and its standard error."""
    mean = scaled.mean(axis=1)
    error = scaled.std(axis=1, ddof=1) / np.sqrt(scaled.shape[1])
    return np.log(mean / (1 - mean)), np.asarray(error / (mean * (1 - mean)))
