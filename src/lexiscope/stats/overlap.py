"""How much two neighbour lists have in common: as sets, and with their order."""

from collections.abc import Hashable, Sequence

import numpy as np

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Floats

PERSISTENCE = 0.9  # the first ten places carry 86 % of the weight


def jaccard(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """The share of all listed words that stand in both lists, wherever they stand."""
    ours, theirs = set(first), set(second)
    if not ours | theirs:
        raise Undefined("two empty lists have nothing that could be in common")
    return len(ours & theirs) / len(ours | theirs)


def rank_biased_overlap(
    first: Sequence[Hashable], second: Sequence[Hashable], persistence: float = PERSISTENCE
) -> float:
    """Extrapolated rank-biased overlap, RBO_ext: 0 for nothing in common, 1 for the same list.

    The share in common to each depth, averaged; depth d weighs `persistence` ** (d - 1). What lies
    below the lists' ends is taken to be as alike as what they show (Webber, Moffat and Zobel 2010,
    equation 32). Lists may differ in length; no word may stand twice in one.
    """
    if not 0 < persistence < 1:
        raise BadUsage(f"The persistence must lie between 0 and 1, found {persistence}.")
    shares = _shares(*sorted((first, second), key=len))
    weights = (1 - persistence) * persistence ** np.arange(len(shares))
    return float(weights @ shares + persistence ** len(shares) * shares[-1])


def _shares(short: Sequence[Hashable], long: Sequence[Hashable]) -> Floats:
    """The share in common to each depth of the longer list."""
    if not len(short):
        raise Undefined("an empty list does not say what would follow")
    for words in (short, long):
        if len(set(words)) < len(words):
            raise ValueError("a word stands twice in one list")
    common = _in_common(short, long)
    depths = np.arange(1, len(long) + 1)
    # Below its end, the shorter list goes on as it was to its end.
    unseen = common[len(short) - 1] / len(short) * np.maximum(depths - len(short), 0)
    return np.asarray((common + unseen) / depths)


def _in_common(short: Sequence[Hashable], long: Sequence[Hashable]) -> Floats:
    """How many words both lists hold down to each depth of the longer one."""
    places = {word: place for place, word in enumerate(short)}
    met = [max(place, places[word]) for place, word in enumerate(long) if word in places]
    return np.cumsum(np.bincount(np.array(met, np.int64), minlength=len(long))).astype(np.float64)
