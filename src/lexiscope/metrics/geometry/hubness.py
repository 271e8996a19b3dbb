"""Hubness: a few rows are among the nearest neighbours of many others, many rows of none.

Radovanović, Nanopoulos and Ivanović 2010, section 3.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadUsage, Undefined

Counts = NDArray[np.int64]


def k_occurrence(indices: NDArray[np.int64], number: int) -> Counts:
    """Count how often each row is among the k nearest neighbours of the queries, N_k.

    Parameters
    ----------
    indices : array of shape (queries, k)
        The rows of the neighbours of each query, without the query itself, from
        `linalg.neighbours.nearest`; -1 where there is none.
    number : int
        The number of rows that were searched.

    Returns
    -------
    array of shape (number,)

    Examples
    --------
    >>> k_occurrence(np.array([[1, 2], [2, 0], [1, -1]]), 4).tolist()
    [1, 2, 2, 0]
    """
    found = np.asarray(indices, np.int64).ravel()
    if len(found) and not -1 <= found.min() <= found.max() < number:
        raise BadUsage(f"An index of a neighbour is outside the {number:,} rows.")
    return np.bincount(found[found >= 0], minlength=number)


def hubness(counts: NDArray[Any]) -> float:
    """Compute the skewness of the k-occurrences, the third standardised moment.

    Both moments are divided by n, as in the paper.

    Parameters
    ----------
    counts : array of shape (rows,)
        From `k_occurrence`.

    Returns
    -------
    float
        0 for a symmetric distribution; above 0 with hubs.

    Examples
    --------
    >>> hubness(np.array([0, 0, 0, 4]))  # 6 / 3**1.5
    1.1547005383792515
    """
    values = np.asarray(counts, np.float64)
    if len(values) < 2 or values.min() == values.max():
        raise Undefined("all rows are neighbours equally often, so hubness is undefined")
    deviations = values - values.mean()
    return float((deviations**3).mean() / (deviations**2).mean() ** 1.5)


def anti_hubs(counts: NDArray[Any]) -> float:
    """Compute the proportion of rows that are among the neighbours of no query.

    Examples
    --------
    >>> anti_hubs(np.array([0, 0, 0, 4]))
    0.75
    """
    if not len(counts):
        raise Undefined("there are no rows")
    return float(np.mean(np.asarray(counts) == 0))


def hub_share(counts: NDArray[Any], proportion: float = 0.01) -> float:
    """Compute the proportion of all neighbours that are among the largest hubs.

    Parameters
    ----------
    counts : array of shape (rows,)
        From `k_occurrence`.
    proportion : float, default 0.01
        The proportion of the rows that count as hubs, rounded up to whole rows.

    Returns
    -------
    float
        `proportion` if all rows are neighbours equally often, and up to 1.

    Examples
    --------
    >>> hub_share(np.array([1, 0, 0, 4]), 0.25)
    0.8
    """
    if not 0 < proportion <= 1:
        raise BadUsage(f"A proportion of rows is above 0 and at most 1, found {proportion}.")
    values = np.sort(np.asarray(counts))
    total = values.sum()
    if not total:
        raise Undefined("no row is a neighbour of another")
    # 0.07 * 100 is a little more than 7.
    hubs = max(1, math.ceil(round(proportion * len(values), 9)))
    return float(values[-hubs:].sum() / total)
