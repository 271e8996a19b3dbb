"""Association of two sets of target words with two sets of attributes: WEAT and RND.

Caliskan, Bryson and Narayanan 2017; Garg, Schiebinger, Jurafsky and Zou 2018. All functions take
vectors of words, not one of them zero.
"""

from itertools import combinations, islice
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.linalg.normalization import normalize_rows

MOST_PARTITIONS = 200_000  # that are enumerated; 10 words in each set
PERMUTATIONS = 99_999
_BATCH = 10_000
_ROUNDING = 1e-12


class PermutationTest(NamedTuple):
    """A one-sided p-value, and the number of partitions that it comes from."""

    p: float
    partitions: int
    exact: bool


def associations(targets: Floats, first: Floats, second: Floats) -> Floats:
    """s(w, A, B): the mean cosine of each target with A minus that with B.

    Examples
    --------
    >>> associations(np.eye(2), np.array([[3.0, 0.0]]), np.array([[0.0, 1.0]])).tolist()
    [1.0, -1.0]
    """
    units, ours, theirs = (
        normalize_rows(np.asarray(each, np.float64)) for each in (targets, first, second)
    )
    return np.asarray(units @ (ours.mean(axis=0) - theirs.mean(axis=0)))


def weat_statistic(first: Floats, second: Floats) -> float:
    """s(X, Y, A, B): the sum of the associations of X minus that of Y.

    Parameters
    ----------
    first, second : array of shape (words,)
        The associations of the words of X and of Y, from `associations`.
    """
    return float(first.sum() - second.sum())


def weat_effect_size(first: Floats, second: Floats) -> float:
    """The difference of the mean associations over their standard deviation in X and Y together.

    The standard deviation divides by the number of words, so that the effect size of sets of equal
    size is from -2 to 2.

    Examples
    --------
    >>> weat_effect_size(np.array([1.0, 1.0]), np.array([-1.0, -1.0]))
    2.0
    """
    if not len(first) or not len(second):
        raise Undefined("a set of targets is empty")
    spread = float(np.concatenate([first, second]).std())
    if spread <= _ROUNDING:
        raise Undefined("all targets have the same association")
    return float(first.mean() - second.mean()) / spread


def weat_test(first: Floats, second: Floats, rng: Generator) -> PermutationTest:
    """The one-sided permutation test: is X more associated with A than random halves are?

    All partitions of the targets into two sets of this size are enumerated if they are 200,000 or
    fewer. Otherwise targets are permuted, and the observed partition counts as one more.

    Departs from the paper, which counts partitions whose statistic is strictly larger: ours counts
    equal ones too, so that the observed partition is among them and p is never 0.

    Examples
    --------
    >>> weat_test(np.array([3.0, 2.0]), np.array([1.0, 0.0]), np.random.default_rng(0))
    PermutationTest(p=0.16666666666666666, partitions=6, exact=True)
    """
    if len(first) != len(second) or not len(first):
        raise BadUsage(f"WEAT needs targets of equal number, found {len(first)} and {len(second)}.")
    values = np.concatenate([first, second])
    # The statistic of a partition is twice the sum of its first half minus the sum of all.
    least = first.sum() - _ROUNDING * max(1.0, float(np.abs(values).sum()))
    number = comb(len(values), len(first))
    if number <= MOST_PARTITIONS:
        return PermutationTest(_enumerated(values, len(first), least) / number, number, True)
    hits = _permuted(values, len(first), least, rng)
    return PermutationTest((hits + 1) / (PERMUTATIONS + 1), PERMUTATIONS, False)


def _enumerated(values: Floats, size: int, least: float) -> int:
    halves = combinations(range(len(values)), size)
    hits = 0
    while batch := list(islice(halves, _BATCH)):
        hits += int((values[np.array(batch)].sum(axis=1) >= least).sum())
    return hits


def _permuted(values: Floats, size: int, least: float, rng: Generator) -> int:
    hits = 0
    for start in range(0, PERMUTATIONS, _BATCH):
        number = min(_BATCH, PERMUTATIONS - start)
        rows = rng.permuted(np.tile(values, (number, 1)), axis=1)
        hits += int((rows[:, :size].sum(axis=1) >= least).sum())
    return hits


def relative_norm_distance(first: Floats, second: Floats, attributes: Floats) -> float:
    """The mean over attributes of the distance from the mean of X minus that from the mean of Y.

    All vectors have length 1; the means of X and Y do not. Above 0, the attributes are nearer to
    Y. Departs from the paper: it sums over attributes, so that its value depends on their number.

    Examples
    --------
    >>> x, y = np.array([[2.0, 0.0]]), np.array([[0.0, 5.0]])
    >>> round(relative_norm_distance(x, y, np.array([[1.0, 0.0]])), 4)  # 0 - sqrt 2
    -1.4142
    """
    ours, theirs, words = (
        normalize_rows(np.asarray(each, np.float64)) for each in (first, second, attributes)
    )
    distances = (np.linalg.norm(words - each.mean(axis=0), axis=1) for each in (ours, theirs))
    near, far = distances
    return float((near - far).mean())
