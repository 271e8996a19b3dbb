"""Agreement of judges: Krippendorff's alpha, agreement of pairs, and entropy of the answers."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from lexiscope.core.errors import Undefined


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float:
    """Compute Krippendorff's alpha for nominal values.

    Parameters
    ----------
    units : sequence of sequences
        The values that judges gave to each unit; units with fewer than two are left out.

    Examples
    --------
    >>> round(krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]]), 3)
    0.444
    """
    pairable = [list(values) for values in units if len(values) > 1]
    number = sum(map(len, pairable))
    totals: dict[Hashable, int] = {}
    observed = 0.0
    for values in pairable:
        counts = _counts(values)
        for value, count in counts.items():
            totals[value] = totals.get(value, 0) + count
        observed += _disagreeing_pairs(counts) / (len(values) - 1)
    expected = _disagreeing_pairs(totals) / (number - 1) if number > 1 else 0.0
    if not expected:
        raise Undefined("alpha needs two different answers to items with several judges")
    return 1 - observed / expected


def pairwise_agreement(units: Sequence[Sequence[Hashable]]) -> float:
    """Compute the proportion of pairs of judges who give the same answer, mean over units.

    >>> round(pairwise_agreement([["a", "a", "b"], ["c", "c"]]), 3)
    0.667
    """
    found = [
        1 - _disagreeing_pairs(_counts(values)) / (len(values) * (len(values) - 1))
        for values in units
        if len(values) > 1
    ]
    if not found:
        raise Undefined("no item has two judges")
    return float(np.mean(found))


def mean_entropy(units: Sequence[Sequence[Hashable]]) -> float:
    """Compute the mean entropy of the answers to a unit, in bits.

    >>> mean_entropy([["a", "b"], ["c", "c"]])
    0.5
    """
    from scipy.stats import entropy

    found = [entropy(list(_counts(values).values()), base=2) for values in units if len(values) > 1]
    if not found:
        raise Undefined("no item has two judges")
    return float(np.mean(found))


def _counts(values: Sequence[Hashable]) -> dict[Hashable, int]:
    counts: dict[Hashable, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def _disagreeing_pairs(counts: Mapping[Hashable, int]) -> int:
    """The number of ordered pairs of different values."""
    total = sum(counts.values())
    return total**2 - sum(count**2 for count in counts.values())
