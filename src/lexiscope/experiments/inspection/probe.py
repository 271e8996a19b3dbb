"""The frequency probe: can a linear classifier separate frequent from rare words?

Schnabel et al. 2015, section 6 and figure 3. Vectors have length 1, and every threshold has the
same number of frequent and of rare words. Words are divided into two halves once, so that two
weight vectors can be compared that were trained on different words.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.task import Predictions
from lexiscope.core.embedding import Embedding
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.frequencies import Frequencies
from lexiscope.experiments.inspection.results import FrequencyProbe, ProbePoint
from lexiscope.learners.splits import cross_validation_inflation
from lexiscope.learners.text_classifiers import (
    FeatureMatrix,
    cross_validated_predictions,
    logistic_regression,
)
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.accuracy import accuracy
from lexiscope.stats.intervals import confidence_interval

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]

THRESHOLDS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
FOLDS = 5
LARGEST = 2_000  # words of a class
SMALLEST = 50  # of a class


class _Sample(NamedTuple):
    """Indices of words, their labels, folds, and which half each belongs to."""

    words: Indices
    frequent: NDArray[np.bool_]
    fold: Indices
    half: NDArray[np.bool_]


def frequency_probe(
    embedding: Embedding,
    frequencies: Frequencies,
    rng: Generator,
    thresholds: Sequence[int] = THRESHOLDS,
    largest: int = LARGEST,
) -> FrequencyProbe:
    """Train and test the probe at each threshold that has enough words on both sides.

    Parameters
    ----------
    embedding : Embedding
        The vectors; they are normalised to length 1, zero vectors are left out.
    frequencies : Frequencies
        The frequency of each word; words without one are left out.
    rng : Generator
        Source of samples, folds and permuted labels.
    thresholds : sequence of int
        Counts, or ranks if frequencies are ranks.
    largest : int
        The largest number of words of a class.
    """
    usable = frequencies.known[embedding.lengths[frequencies.known] > 0]
    sizes = [_class_size(frequencies, usable, threshold) for threshold in thresholds]
    chosen = [t for t, size in zip(thresholds, sizes, strict=True) if size >= SMALLEST]
    left_out = tuple(t for t in thresholds if t not in chosen)
    if not chosen:
        return FrequencyProbe((), left_out, f"no threshold has {SMALLEST} words on both sides")
    halves = _halves(embedding, usable, rng)
    pools = [_pools(frequencies, usable, halves, threshold) for threshold in chosen]
    smallest = min(len(pool) for each in pools for pool in each.values())
    number = min(largest // 2, smallest) // FOLDS * FOLDS
    samples = [_sample(each, number, rng) for each in pools]
    return FrequencyProbe(_points(embedding, chosen, samples, rng), left_out)


def _halves(embedding: Embedding, usable: Indices, rng: Generator) -> NDArray[np.bool_]:
    """Which half each word belongs to."""
    halves = np.zeros(len(embedding), bool)
    halves[usable] = rng.permutation(len(usable)) % 2 == 0
    return halves


def _class_size(frequencies: Frequencies, usable: Indices, threshold: int) -> int:
    """The number of words of the smaller class."""
    frequent = int(frequencies.is_frequent(threshold)[usable].sum())
    return min(frequent, len(usable) - frequent)


def _pools(
    frequencies: Frequencies, usable: Indices, halves: NDArray[np.bool_], threshold: int
) -> dict[tuple[bool, bool], Indices]:
    """The words of each class and half."""
    frequent = frequencies.is_frequent(threshold)[usable]
    return {
        (label, side): usable[(frequent == label) & (halves[usable] == side)]
        for label in (False, True)
        for side in (False, True)
    }


def _sample(pools: Mapping[tuple[bool, bool], Indices], number: int, rng: Generator) -> _Sample:
    """Draw `number` words of each class and half, with folds of equal composition."""
    words, labels, half = [], [], []
    for (label, side), pool in pools.items():
        words.append(pool[rng.permutation(len(pool))[:number]])
        labels.append(np.full(number, label))
        half.append(np.full(number, side))
    fold = np.arange(number * len(pools)) % FOLDS
    return _Sample(np.concatenate(words), np.concatenate(labels), fold, np.concatenate(half))


def _points(
    embedding: Embedding, thresholds: Sequence[int], samples: Sequence[_Sample], rng: Generator
) -> tuple[ProbePoint, ...]:
    weights = [_weights_of_halves(embedding, sample) for sample in samples]
    found = []
    for k, (threshold, sample) in enumerate(zip(thresholds, samples, strict=True)):
        features = _features(embedding, sample.words)
        value, spread = _cross_validated(features, sample.frequent, sample.fold, rng)
        control, _ = _cross_validated(
            features, rng.permutation(sample.frequent), sample.fold, rng, stratified=False
        )
        following = weights[k + 1] if k + 1 < len(weights) else None
        found.append(
            ProbePoint(
                threshold, len(sample.words), value, spread, control,
                None if following is None else _crossed_cosine(weights[k], following),
                float(weights[k][0] @ weights[k][1]),
            )
        )  # fmt: skip
    return tuple(found)


def _features(embedding: Embedding, words: Indices) -> FeatureMatrix:
    return normalize_rows(embedding.vectors[words]).astype(np.float64)


def _cross_validated(
    features: FeatureMatrix,
    frequent: NDArray[np.bool_],
    fold: Indices,
    rng: Generator,
    *,
    stratified: bool = True,
) -> tuple[Estimate, float]:
    """The accuracy with its interval over words, and its standard deviation over folds."""
    if not stratified:
        fold = _stratified(frequent, rng)
    labels = np.where(frequent, "frequent", "rare").astype(object)
    predicted = cross_validated_predictions(logistic_regression(), features, labels, fold)
    given = Predictions(predicted, labels, variance_inflation=cross_validation_inflation(FOLDS))
    low, high = confidence_interval(accuracy, given, rng)
    hits = predicted == labels
    by_fold = [hits[fold == k].mean() for k in range(FOLDS)]
    return Estimate(float(hits.mean()), low, high), float(np.std(by_fold, ddof=1))


def _stratified(frequent: NDArray[np.bool_], rng: Generator) -> Indices:
    """Folds with the same number of words of each class."""
    fold = np.empty(len(frequent), np.int64)
    for label in (False, True):
        rows = np.flatnonzero(frequent == label)
        fold[rng.permutation(rows)] = np.arange(len(rows)) % FOLDS
    return fold


def _weights_of_halves(embedding: Embedding, sample: _Sample) -> tuple[Floats, Floats]:
    """The unit weight vectors of two classifiers that were trained on different words."""
    first, second = (
        _weights(embedding, sample.words[sample.half == side], sample.frequent[sample.half == side])
        for side in (False, True)
    )
    return first, second


def _weights(embedding: Embedding, words: Indices, frequent: NDArray[np.bool_]) -> Floats:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        fitted = logistic_regression().fit(_features(embedding, words), frequent)
    weight = fitted.coef_[0]
    return np.asarray(weight / (np.linalg.norm(weight) or 1.0))


def _crossed_cosine(ours: tuple[Floats, Floats], theirs: tuple[Floats, Floats]) -> float:
    """The mean cosine between weight vectors of two thresholds, trained on different words."""
    return float((ours[0] @ theirs[1] + ours[1] @ theirs[0]) / 2)
