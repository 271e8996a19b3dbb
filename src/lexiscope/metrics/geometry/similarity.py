"""Similarity of two embedding spaces of the same words: linear CKA and shared neighbours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.linalg.covariance import Table, cross_products

_ROWS = 4096  # of a batch of neighbour lists


def linear_cka(first: Table, second: Table) -> float:
    """Compute linear centred kernel alignment (Kornblith, Norouzi, Lee and Hinton 2019).

    With centred columns it is |Y^T X|^2 / (|X^T X| |Y^T Y|) in Frobenius norms. It does not change
    if a space is rotated or scaled. Like R^2, it is biased upwards for few rows: unrelated vectors
    of d dimensions have a CKA of about d / (n + d), so n should be many times d.

    Parameters
    ----------
    first : array of shape (n, d1)
    second : array of shape (n, d2)
        The vectors of the same words in the same order.

    Returns
    -------
    float
        From 0 to 1 (equal up to rotation and scale).

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> round(linear_cka(vectors, vectors[:, :1]), 4)  # 5 / (sqrt(10) * 2)
    0.7906
    """
    if len(first) != len(second):
        raise BadUsage(f"CKA compares the same words, found {len(first):,} and {len(second):,}.")
    if len(first) < 2:
        raise Undefined("CKA needs two vectors or more")
    shared, ours, theirs = (
        float(np.linalg.norm(cross_products(left, right)))
        for left, right in ((first, second), (first, first), (second, second))
    )
    if ours == 0 or theirs == 0:
        raise Undefined("all vectors of an embedding are equal, so CKA is undefined")
    return min(1.0, shared / ours * (shared / theirs))


def neighbour_jaccards(first_indices: NDArray[Any], second_indices: NDArray[Any]) -> Floats:
    """Compute the Jaccard index of the neighbours of each query in two embeddings.

    Parameters
    ----------
    first_indices, second_indices : arrays of shape (queries, k1) and (queries, k2)
        Neighbours of the same queries from `linalg.neighbours.nearest`, as rows of one vocabulary;
        -1 where there is none. A row has no duplicates.

    Returns
    -------
    array of shape (queries,)
        From 0 to 1; NaN for a query without neighbours in both.

    Examples
    --------
    >>> neighbour_jaccards(np.array([[1, 2], [3, 4]]), np.array([[2, 1], [4, 5]])).tolist()
    [1.0, 0.3333333333333333]
    """
    ours, theirs = np.asarray(first_indices), np.asarray(second_indices)
    if len(ours) != len(theirs):
        raise BadUsage(f"Found neighbours of {len(ours):,} and of {len(theirs):,} queries.")
    found = np.empty(len(ours))
    for start in range(0, len(ours), _ROWS):
        batch = slice(start, start + _ROWS)
        rows = np.sort(np.concatenate([ours[batch], theirs[batch]], axis=1), axis=1)
        common = ((rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] >= 0)).sum(axis=1)
        union = (rows >= 0).sum(axis=1) - common
        found[batch] = np.divide(common, union, out=np.full(len(rows), np.nan), where=union > 0)
    return found


def neighbour_jaccard(first_indices: NDArray[Any], second_indices: NDArray[Any]) -> float:
    """Compute the mean Jaccard index of the neighbours of the queries in two embeddings.

    Queries without neighbours in both embeddings are left out.

    Examples
    --------
    >>> neighbour_jaccard(np.array([[1, 2], [3, 4]]), np.array([[2, 1], [5, 6]]))
    0.5
    """
    overlaps = neighbour_jaccards(first_indices, second_indices)
    present = overlaps[~np.isnan(overlaps)]
    if not len(present):
        raise Undefined("no query has neighbours")
    return float(present.mean())
