"""How far the dimensions of vectors go with properties that words are known to have.

Every dimension is aligned to the property that it correlates with best over the words in common;
QVEC is the sum of these correlations (Tsvetkov et al. 2015, equation 1). A word's share is the
score plus the word's influence on it, so that the shares' mean is the score and their spread its
standard error (docs/decisions/0007-shares-of-words.md).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, told
from lexiscope.core.task import Label
from lexiscope.core.vectors import Vectors
from lexiscope.stats.bootstrap import mean_of

Rule = Literal["formula", "script"]
Places = NDArray[np.int64]

FEWEST = 3  # words; two always lie on a line
_NOISE = 1e-7  # of the largest number in a column of float32: less is no variation
_SHUFFLES = 10
_FOLDS = 10
_DRAWS = 200

qvec = mean_of("qvec")
qvec_by_chance = told("qvec_by_chance")
qvec_held_out = told("qvec_held_out")
qvec_rotated = told("qvec_rotated")
rotation_p = told("rotation_p")


class Alignment(NamedTuple):
    """The property of each dimension, -1 for none, and their correlation, 0 for none."""

    places: Places
    correlations: Floats

    @property
    def score(self) -> float:
        """The sum of the correlations."""
        return float(self.correlations.sum())


def standard(columns: Vectors) -> Floats:
    """Columns of mean 0 and variance 1; one that does not vary becomes 0."""
    values = np.asarray(columns, np.float64)
    if len(values) < FEWEST:
        raise Undefined(f"only {len(values)} words in common, at least {FEWEST} are needed")
    largest = np.abs(values).max(axis=0)
    values = values - values.mean(axis=0)
    spread = np.sqrt(np.mean(values**2, axis=0))
    varies = spread > _NOISE * largest
    return np.asarray(np.divide(values, spread, out=np.zeros_like(values), where=varies))


def varying(columns: Floats) -> NDArray[np.bool_]:
    """Which of these standard columns vary at all."""
    return np.asarray(columns.any(axis=0))


def aligned(correlations: Floats, rule: Rule) -> Alignment:
    """Each dimension with its best property (dimensions, properties).

    By the formula a dimension may stay alone, so one that correlates with nothing adds 0; the
    script that was published with it adds the best correlation even if it is negative.
    """
    places = correlations.argmax(axis=1)
    best = correlations[np.arange(len(places)), places]
    if rule == "script":
        return Alignment(places, best)
    return Alignment(np.where(best > 0, places, -1), np.maximum(best, 0.0))


def correlated(vectors: Floats, properties: Floats) -> Floats:
    """Pearson's correlation of every dimension with every property that varies; both standard."""
    return np.asarray(vectors.T @ properties / len(vectors))


class Compared(NamedTuple):
    """Standard columns of vectors and of those properties that vary, with their names."""

    vectors: Floats
    properties: Floats
    names: tuple[str, ...]

    def aligned(self, rule: Rule) -> Alignment:
        """Each dimension with its best property; one that does not vary has none."""
        found = aligned(correlated(self.vectors, self.properties), rule)
        places = np.where(varying(self.vectors), found.places, -1)
        return Alignment(places, found.correlations)


def compared(vectors: Vectors, names: tuple[str, ...], amounts: Floats) -> Compared:
    """Vectors and properties of the same words, made ready to be correlated."""
    left, right = standard(vectors), standard(amounts)
    kept = varying(right)
    if not kept.any():
        raise Undefined("no property differs between the words in common")
    if not varying(left).any():
        raise Undefined("no dimension differs between the words in common")
    chosen = tuple(name for name, good in zip(names, kept, strict=True) if good)
    return Compared(left, right[:, kept], chosen)


def shares_of(both: Compared, rule: Rule, rng: Generator) -> Floats:
    """What each word adds to QVEC: the score plus the word's influence on it."""
    left, right, _ = both
    correlations = correlated(left, right)
    weights = _chosen(correlations, correlated(right, right), len(left), rule, rng)
    weighted = weights * correlations
    moves = np.einsum("np,np->n", left @ weights, right)
    moves -= (left**2 @ weighted.sum(axis=1) + right**2 @ weighted.sum(axis=0)) / 2
    return np.asarray(both.aligned(rule).score + moves - moves.mean())


def _chosen(correlations: Floats, among: Floats, words: int, rule: Rule, rng: Generator) -> Floats:
    """How often each property would be a dimension's best with other words.

    Where two are nearly as good, both move the score a little; the one that happens to be best
    here would move it too much. Half the variance of a correlation makes standard errors right
    (docs/decisions/0007-shares-of-words.md).
    """
    sizes, axes = np.linalg.eigh(among)
    noise = rng.normal(size=(_DRAWS, len(sizes))) @ (axes * np.sqrt(np.maximum(sizes, 0))).T
    counts = np.zeros(correlations.shape)
    rows = np.arange(len(correlations))
    for each in noise / np.sqrt(2 * words):
        places = aligned(correlations + each, rule).places
        counts[rows[places >= 0], places[places >= 0]] += 1
    return counts / _DRAWS


def score_by_chance(both: Compared, rule: Rule, rng: Generator) -> float:
    """The mean score when the properties are dealt out anew to the words.

    The best of many properties correlates with anything, the more so the fewer words there are.
    """
    dealt = (rng.permutation(both.properties) for _ in range(_SHUFFLES))
    return float(np.mean([both._replace(properties=each).aligned(rule).score for each in dealt]))


def score_held_out(both: Compared, rule: Rule, rng: Generator) -> float:
    """The score when no word has a say in the alignment that it is counted under.

    The best of many correlations is too high by luck; what was chosen without a word is not.
    """
    fold = rng.permutation(np.arange(len(both.vectors)) % _FOLDS)
    parts = np.stack(
        [both.vectors[fold == k].T @ both.properties[fold == k] for k in range(_FOLDS)]
    )
    sizes = np.bincount(fold, minlength=_FOLDS)[:, None, None]
    elsewhere = (parts.sum(axis=0) - parts) / (len(fold) - sizes)
    total = 0.0
    for part, others in zip(parts, elsewhere, strict=True):
        places = aligned(others, rule).places
        kept = np.flatnonzero(places >= 0)
        total += part[kept, places[kept]].sum()
    return float(total / len(fold))


def labels(
    both: Compared, rule: Rule, words: Sequence[str], rows: Vectors, number: int
) -> list[Label]:
    """Every dimension with its property, and the words of `rows` that score highest on it."""
    found = both.aligned(rule)
    return [
        Label(
            dimension,
            both.names[place] if place >= 0 else "",
            float(correlation),
            tuple(words[row] for row in highest(rows[:, dimension], number)),
        )
        for dimension, (place, correlation) in enumerate(zip(*found, strict=True))
    ]


def highest(values: NDArray[np.float32], number: int) -> list[int]:
    """The places of the highest numbers, the highest first, equal ones in their order."""
    number = min(number, len(values))
    bar = np.partition(values, len(values) - number)[len(values) - number]
    places = np.flatnonzero(values >= bar)
    order = np.argsort(-values[places], kind="stable")[:number]
    return [int(place) for place in places[order]]
