"""QVEC: alignment of the dimensions of vectors to known properties of words.

Each dimension is aligned to the property that it correlates with best over the common words; QVEC
is the sum of these correlations (Tsvetkov et al. 2015, equation 1). The contribution of a word is
the score plus the influence of the word on it. The mean of the contributions is the score, and
their spread gives its standard error (docs/decisions/0007-qvec-contributions.md).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, diagnostic
from lexiscope.core.contracts.task import Label
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors
from lexiscope.stats.intervals import mean_metric

Rule = Literal["formula", "script"]
Indices = NDArray[np.int64]

MIN_WORDS = 3  # two points always lie on a line
_RELATIVE_TOLERANCE = 1e-7  # of the largest number in a float32 column: less is no variation
_PERMUTATIONS = 10
_FOLDS = 10
_SIMULATIONS = 200

qvec = mean_metric("qvec")
qvec_chance_level = diagnostic("qvec_chance_level")
qvec_held_out = diagnostic("qvec_held_out")
qvec_rotated = diagnostic("qvec_rotated")
rotation_p_value = diagnostic("rotation_p_value")


class Alignment(NamedTuple):
    """The index of each dimension's property, -1 for none, and their correlation, 0 for none."""

    indices: Indices
    correlations: Floats

    @property
    def score(self) -> float:
        """The sum of the correlations."""
        return float(self.correlations.sum())


def standardise(columns: Vectors) -> Floats:
    """Scale columns to mean 0 and variance 1; a constant column becomes 0."""
    values = np.asarray(columns, np.float64)
    if len(values) < MIN_WORDS:
        raise Undefined(f"only {len(values)} words in common, at least {MIN_WORDS} are needed")
    largest = np.abs(values).max(axis=0)
    values = values - values.mean(axis=0)
    spread = np.sqrt(np.mean(values**2, axis=0))
    varies = spread > _RELATIVE_TOLERANCE * largest
    return np.asarray(np.divide(values, spread, out=np.zeros_like(values), where=varies))


def varying(columns: Floats) -> NDArray[np.bool_]:
    """Return which of the standardised columns are not constant."""
    return np.asarray(columns.any(axis=0))


def align(correlations: Floats, rule: Rule) -> Alignment:
    """Align each dimension to its best property, given correlations (dimensions, properties).

    By the formula, a dimension without a positive correlation is not aligned and adds 0. The
    script published with the paper adds its best correlation even if it is negative.
    """
    indices = correlations.argmax(axis=1)
    best = correlations[np.arange(len(indices)), indices]
    if rule == "script":
        return Alignment(indices, best)
    return Alignment(np.where(best > 0, indices, -1), np.maximum(best, 0.0))


def correlations_of(vectors: Floats, properties: Floats) -> Floats:
    """Compute Pearson's correlation of all pairs of standardised columns."""
    return np.asarray(vectors.T @ properties / len(vectors))


class QvecInput(NamedTuple):
    """Standardised columns of vectors and of the properties that vary, with their names."""

    vectors: Floats
    properties: Floats
    names: tuple[str, ...]

    def align(self, rule: Rule) -> Alignment:
        """Align each dimension to its best property; a constant dimension has none."""
        found = align(correlations_of(self.vectors, self.properties), rule)
        indices = np.where(varying(self.vectors), found.indices, -1)
        return Alignment(indices, found.correlations)


def qvec_input(vectors: Vectors, names: tuple[str, ...], amounts: Floats) -> QvecInput:
    """Standardise vectors and properties (words, properties) of the same words."""
    left, right = standardise(vectors), standardise(amounts)
    kept = varying(right)
    if not kept.any():
        raise Undefined("no property differs between the words in common")
    if not varying(left).any():
        raise Undefined("no dimension differs between the words in common")
    kept_names = tuple(name for name, good in zip(names, kept, strict=True) if good)
    return QvecInput(left, right[:, kept], kept_names)


def contributions(data: QvecInput, rule: Rule, rng: Generator) -> Floats:
    """Compute the contribution of each word: the score plus the word's influence on it."""
    left, right, _ = data
    correlations = correlations_of(left, right)
    weights = _selection_probabilities(
        correlations, correlations_of(right, right), len(left), rule, rng
    )
    weighted = weights * correlations
    influence = np.einsum("np,np->n", left @ weights, right)
    influence -= (left**2 @ weighted.sum(axis=1) + right**2 @ weighted.sum(axis=0)) / 2
    return np.asarray(data.align(rule).score + influence - influence.mean())


def _selection_probabilities(
    correlations: Floats, among: Floats, words: int, rule: Rule, rng: Generator
) -> Floats:
    """The probability that each property is a dimension's best one in another sample of words.

    If two properties are almost equally good, the score depends a little on both. The influence
    of the best one alone would be too large. Half the variance of a correlation gives calibrated
    standard errors (docs/decisions/0007-qvec-contributions.md).
    """
    sizes, axes = np.linalg.eigh(among)
    scaled = axes * np.sqrt(np.maximum(sizes, 0))
    errors = rng.normal(size=(_SIMULATIONS, len(sizes))) @ scaled.T
    counts = np.zeros(correlations.shape)
    rows = np.arange(len(correlations))
    for error in errors / np.sqrt(2 * words):
        indices = align(correlations + error, rule).indices
        counts[rows[indices >= 0], indices[indices >= 0]] += 1
    return counts / _SIMULATIONS


def chance_level(data: QvecInput, rule: Rule, rng: Generator) -> float:
    """Compute the mean score when the properties are randomly permuted over the words.

    The best of many properties correlates with anything, and more so with fewer words.
    """
    permuted = (rng.permutation(data.properties) for _ in range(_PERMUTATIONS))
    return float(np.mean([data._replace(properties=each).align(rule).score for each in permuted]))


def held_out_score(data: QvecInput, rule: Rule, rng: Generator) -> float:
    """Compute the cross-validated score: each fold is scored by the alignment of the others.

    The best of many correlations is biased upwards on the words that it was selected on.
    """
    fold = rng.permutation(np.arange(len(data.vectors)) % _FOLDS)
    parts = np.stack(
        [data.vectors[fold == k].T @ data.properties[fold == k] for k in range(_FOLDS)]
    )
    sizes = np.bincount(fold, minlength=_FOLDS)[:, None, None]
    elsewhere = (parts.sum(axis=0) - parts) / (len(fold) - sizes)
    total = 0.0
    for part, others in zip(parts, elsewhere, strict=True):
        indices = align(others, rule).indices
        kept = np.flatnonzero(indices >= 0)
        total += part[kept, indices[kept]].sum()
    return float(total / len(fold))


def labels(
    data: QvecInput, rule: Rule, words: Sequence[str], rows: Vectors, number: int
) -> list[Label]:
    """Label every dimension with its property and the words of `rows` with the highest values."""
    found = data.align(rule)
    return [
        Label(
            dimension,
            data.names[index] if index >= 0 else "",
            float(correlation),
            tuple(words[row] for row in top_indices(rows[:, dimension], number)),
        )
        for dimension, (index, correlation) in enumerate(zip(*found, strict=True))
    ]


def top_indices(values: NDArray[np.float32], number: int) -> list[int]:
    """Return the indices of the highest values in descending order, ties in index order.

    >>> top_indices(np.array([1, 5, 3, 5], np.float32), 3)
    [1, 3, 2]
    """
    number = min(number, len(values))
    threshold = np.partition(values, len(values) - number)[len(values) - number]
    indices = np.flatnonzero(values >= threshold)
    order = np.argsort(-values[indices], kind="stable")[:number]
    return [int(index) for index in indices[order]]
