"""Means, covariances and cross products of the columns of tall tables, in double precision.

Rows are processed in chunks, so that memory does not depend on their number, and the results are
the same for any number of threads. A table is shifted by its first row before its mean is
subtracted: rows that are all equal have a variance of exactly 0.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.linalg.deterministic_products import Double, single_threaded_blas, sum_over_chunks

Table = NDArray[Any]  # (rows, columns), of any floating-point type


def chunk_rows(table: Table, chunk: slice) -> Double:
    """The rows of a chunk in double precision; Undefined if a number is not finite."""
    rows = np.asarray(table[chunk], np.float64)
    if not np.isfinite(rows).all():
        raise Undefined("a vector has a number that is not finite")
    return rows


def column_means(table: Table) -> Double:
    """The mean of every column; exact if all rows are equal."""
    if not len(table):
        raise Undefined("there are no vectors")
    first = chunk_rows(table, slice(0, 1))[0]
    shifted = sum_over_chunks(
        lambda chunk: (chunk_rows(table, chunk) - first).sum(axis=0), len(table)
    )
    return np.asarray(first + shifted / len(table))


def gram_matrix(table: Table) -> Double:
    """The products of all columns, X^T X."""

    def product(chunk: slice) -> Double:
        rows = chunk_rows(table, chunk)
        return np.asarray(rows.T @ rows)

    return sum_over_chunks(product, len(table))


def cross_products(first: Table, second: Table) -> Double:
    """The products of the centred columns of two tables of the same rows, (columns, columns)."""
    left, right = column_means(first), column_means(second)

    def product(chunk: slice) -> Double:
        ours = chunk_rows(first, chunk) - left
        theirs = ours if second is first else chunk_rows(second, chunk) - right
        return np.asarray(ours.T @ theirs)

    return sum_over_chunks(product, len(first))


def covariance(table: Table) -> Double:
    """The covariance matrix of the columns, divided by the number of rows."""
    return cross_products(table, table) / len(table)


def principal_axes(square: Double) -> tuple[Double, Double]:
    """The eigenvalues of a symmetric matrix, descending, and its eigenvectors as columns.

    No eigenvalue is below 0, and the entry of each eigenvector with the largest absolute value is
    positive.
    """
    with single_threaded_blas():
        values, axes = np.linalg.eigh(square)
    axes = axes[:, ::-1]
    largest = np.abs(axes).argmax(axis=0)
    signs = np.where(axes[largest, np.arange(len(largest))] < 0, -1.0, 1.0)
    return np.maximum(values[::-1], 0.0), axes * signs
