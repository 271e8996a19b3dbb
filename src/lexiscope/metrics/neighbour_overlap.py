"""Overlap of two lists of nearest neighbours: as sets, and weighted by rank.

For consistency between embeddings: how much the neighbours of a word change between two trainings.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined

PERSISTENCE = 0.9  # the first ten ranks have 86 % of the weight


def jaccard(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Compute the Jaccard index of two lists: intersection over union, regardless of order.

    >>> jaccard(["cat", "dog", "cow"], ["dog", "cat", "hen"])
    0.5
    """
    ours, theirs = set(first), set(second)
    if not ours | theirs:
        raise Undefined("two empty lists have no overlap")
    return len(ours & theirs) / len(ours | theirs)


def rank_biased_overlap(
    first: Sequence[Hashable], second: Sequence[Hashable], persistence: float = PERSISTENCE
) -> float:
    """Compute the extrapolated rank-biased overlap, RBO_ext, from 0 (disjoint) to 1 (equal).

    It is the weighted mean of the overlap at each depth; depth d has the weight
    `persistence` ** (d - 1). The overlap below the end of the lists is extrapolated from the lists
    (Webber, Moffat and Zobel 2010, equation 32). Lists may have different lengths, but no
    duplicates.

    >>> round(rank_biased_overlap(["cat", "dog", "cow"], ["dog", "cat", "cow"]), 2)
    0.9
    """
    if not 0 < persistence < 1:
        raise BadUsage(f"The persistence must be between 0 and 1, found {persistence}.")
    overlaps = _overlaps(*sorted((first, second), key=len))
    weights = (1 - persistence) * persistence ** np.arange(len(overlaps))
    return float(weights @ overlaps + persistence ** len(overlaps) * overlaps[-1])


def _overlaps(short: Sequence[Hashable], long: Sequence[Hashable]) -> Floats:
    """The overlap at each depth of the longer list, as a proportion of the depth."""
    if not len(short):
        raise Undefined("an empty list cannot be extrapolated")
    for words in (short, long):
        if len(set(words)) < len(words):
            raise ValueError("a list has a duplicate word")
    common = _in_common(short, long)
    depths = np.arange(1, len(long) + 1)
    # Below its end, the shorter list is extrapolated with its overlap at its end.
    unseen = common[len(short) - 1] / len(short) * np.maximum(depths - len(short), 0)
    return np.asarray((common + unseen) / depths)


def _in_common(short: Sequence[Hashable], long: Sequence[Hashable]) -> Floats:
    """The number of words that both lists contain up to each depth of the longer one."""
    ranks = {word: rank for rank, word in enumerate(short)}
    met = [max(rank, ranks[word]) for rank, word in enumerate(long) if word in ranks]
    return np.cumsum(np.bincount(np.array(met, np.int64), minlength=len(long))).astype(np.float64)
