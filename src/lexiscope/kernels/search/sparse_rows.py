"""Products of sparse rows in CSR format, with sorted columns."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False)
def block_products(values, columns, starts, scales, queries, query_rows, query_starts, out):
    """Write the products of each query with each row of a block to `out` (queries, block).

    `values` and `columns` hold the whole table; row r of the block begins at starts[r] and is
    multiplied with scales[r]. Queries are in CSC format: column c holds queries[k] in row
    query_rows[k], for k from query_starts[c] on, so that only shared columns are visited. Each
    row is summed in double precision: equal rows get equal products wherever they are.
    """
    sums = np.empty(out.shape[0])
    for row in range(out.shape[1]):
        sums[:] = 0.0
        for index in range(starts[row], starts[row + 1]):
            column, value = columns[index], np.float64(values[index])
            for k in range(query_starts[column], query_starts[column + 1]):
                sums[query_rows[k]] += value * queries[k]
        for q in range(out.shape[0]):
            out[q, row] = sums[q] * scales[row]


@njit(nogil=True, cache=True, boundscheck=False)
def pair_cosines(values, columns, starts, queries, query_columns, query_starts, indices, out):
    """Write the cosines of each query (of length 1) with the rows `indices`, in double precision.

    `indices` and `out` are (queries, n); entries with a negative index are not written.
    """
    for q in range(indices.shape[0]):
        for n in range(indices.shape[1]):
            index = indices[q, n]
            if index < 0:
                continue
            product, square = 0.0, 0.0
            k, end = query_starts[q], query_starts[q + 1]
            for i in range(starts[index], starts[index + 1]):
                value = np.float64(values[i])
                square += value * value
                while k < end and query_columns[k] < columns[i]:
                    k += 1
                if k < end and query_columns[k] == columns[i]:
                    product += value * queries[k]
            out[q, n] = product / np.sqrt(square)
