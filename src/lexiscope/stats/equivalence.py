"""Equivalence tests and statistical power."""

from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np

POWER = 0.8
_ROUNDING = 1e-9


class Discordant(NamedTuple):
    """Numbers of independent items: correct for one of two embeddings only, and all of them.

    Items that share units are fewer independent ones, so the numbers need not be integers.
    """

    only_first: float
    only_second: float
    items: float


def equivalence_p_value(
    value: float, error: float, degrees_of_freedom: float | None, margin: float
) -> float:
    """Compute the p-value of two one-sided t tests (TOST; Schuirmann 1987).

    The null hypothesis is that the true difference is at least `margin` in either direction.

    >>> round(equivalence_p_value(0.01, 0.01, 100, 0.05), 5)
    6e-05
    >>> equivalence_p_value(0.06, 0.01, 100, 0.05) > 0.5
    True
    """
    from scipy.stats import t

    if not error or degrees_of_freedom is None:
        return 0.0 if abs(value) < margin else 1.0
    return float(t.sf((margin - abs(value)) / error, degrees_of_freedom))


def equivalence_p_value_of_hits(found: Discordant, margin: float) -> float:
    """Compute the p-value of two one-sided tests for items that are correct or wrong.

    A t test is liberal if few items are discordant, because the ones that differ under the null
    hypothesis may not be in the sample. Each one-sided p-value is instead the exact probability of
    a difference as small as the observed one if the true difference is `margin`. The proportion of
    discordant items is its maximum likelihood estimate under this hypothesis (Tango 1998), as in
    the estimation step of Lloyd and Moldovan (2008).

    >>> round(equivalence_p_value_of_hits(Discordant(0, 0, 100), 0.05), 4)
    0.0059
    >>> round(equivalence_p_value_of_hits(Discordant(2, 1, 100), 0.05), 4)
    0.0643
    """
    if margin >= 1:
        return 0.0  # no true difference is as large
    swapped = found._replace(only_first=found.only_second, only_second=found.only_first)
    return max(_one_sided(found, margin), _one_sided(swapped, margin))


def _one_sided(found: Discordant, margin: float) -> float:
    """The probability of so small a difference if the first is better by the margin."""
    from scipy.stats import binom

    items = floor(found.items + _ROUNDING)
    difference = ceil(found.only_first - found.only_second - _ROUNDING)
    proportion = _discordant_proportion(found, margin)
    number = np.arange(items + 1)  # of discordant items
    first = min(1.0, (1 + margin / proportion) / 2)  # probability that the first is the correct one
    smaller = binom.cdf(np.floor((number + difference) / 2), number, first)
    return min(1.0, float(binom.pmf(number, items, proportion) @ smaller))


def _discordant_proportion(found: Discordant, margin: float) -> float:
    """The estimate of the proportion of discordant items if the first is better by the margin."""
    only_first, only_second, items = found
    slope = (2 * items - only_first + only_second) * margin - only_first - only_second
    root = sqrt(slope**2 + 8 * items * only_second * margin * (1 - margin))
    return min(1.0, (root - slope) / (2 * items) + margin)


def detectable_difference(error: float, degrees_of_freedom: float, alpha: float) -> float:
    """Compute the smallest true difference that a two-sided test detects with 80 % power.

    >>> round(detectable_difference(0.02, 1000, 0.05), 3)
    0.056
    """
    from scipy.stats import t

    both = t.ppf(1 - alpha / 2, degrees_of_freedom) + t.ppf(POWER, degrees_of_freedom)
    return float(both * error)
