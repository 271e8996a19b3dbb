"""Isotropy from directions: the mean cosine, and the ratio of the partition function."""

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.linalg.covariance import Table, chunk_rows, gram_matrix, principal_axes
from lexiscope.linalg.deterministic_products import map_over_chunks, sum_over_chunks
from lexiscope.linalg.normalization import normalize_rows


def mean_cosine(vectors: Table) -> float:
    """Compute the mean cosine over all pairs of distinct rows, exactly.

    For m unit rows u, the cosines of all pairs sum to (|sum u|^2 - m) / 2, so no pair is visited.
    Zero rows have no direction and are left out.

    Parameters
    ----------
    vectors : array of shape (n, d)

    Returns
    -------
    float
        From -1 / (m - 1) to 1. It is near 0 for isotropic vectors, and also for vectors that
        are spread along one line in both directions.

    Examples
    --------
    >>> found = mean_cosine(np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]]))
    >>> round(found, 4)  # 0, 0.7071 and 0.7071
    0.4714
    """

    def sums(chunk: slice) -> Floats:
        units = normalize_rows(chunk_rows(vectors, chunk))
        lengths = np.einsum("ij,ij->i", units, units)
        return np.concatenate([units.sum(axis=0), [lengths.sum(), np.count_nonzero(lengths)]])

    *total, squares, directions = sum_over_chunks(sums, len(vectors)) if len(vectors) else (0, 0)
    if directions < 2:
        raise Undefined("a mean cosine needs two vectors that are not zero")
    mean = (np.square(total).sum() - squares) / (directions * (directions - 1))
    return float(np.clip(mean, -1, 1))


def partition_ratio(vectors: Table) -> float:
    """Compute the isotropy of Mu and Viswanath (2018): min Z(c) / max Z(c).

    Z(c) is the sum of exp(c . x) over all rows x, the partition function of Arora et al. (2016),
    and c runs over the unit eigenvectors of X^T X, where X is not centred.

    Departs from the paper: c runs over both signs of each eigenvector. The paper does not fix the
    signs, eigenvectors do not have one, and with one sign each the ratio would depend on the
    library that computes them. Ours is therefore the smaller one. The value depends on the norms
    of the vectors: scaling them up lowers it. If X^T X has equal eigenvalues, its eigenvectors,
    and thus the ratio, are not unique.

    Parameters
    ----------
    vectors : array of shape (n, d)

    Returns
    -------
    float
        From 0 to 1 (isotropic). 0 where the ratio is below the smallest float.

    Examples
    --------
    >>> cross = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> round(partition_ratio(cross), 4)  # (2 + 2 cosh 1) / (2 + 2 cosh 2)
    0.534
    """
    if len(vectors) < 2:
        raise Undefined("the ratio of partition functions needs two vectors or more")
    values, axes = principal_axes(gram_matrix(vectors))
    if values[0] == 0:
        raise Undefined("all vectors are zero")
    partitions = _log_partitions(vectors, axes)
    return float(np.exp(partitions.min() - partitions.max()))


def _log_partitions(vectors: Table, axes: Floats) -> Floats:
    """log Z(c) of every column c of `axes` and of -c, (2, columns)."""
    from scipy.special import logsumexp

    def logs(chunk: slice) -> Floats:
        products = chunk_rows(vectors, chunk) @ axes
        return np.asarray(logsumexp([products, -products], axis=1))

    return np.asarray(logsumexp(map_over_chunks(logs, len(vectors)), axis=0))
