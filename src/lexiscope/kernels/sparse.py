"""Products of sparse rows: numbers and their rising columns, row after row (CSR)."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False)
def block_products(values, columns, starts, scales, asked, asked_rows, asked_starts, out):
    """The product of each row asked with each row of a block, into `out` (asked, block).

    `values` and `columns` hold the whole table; row r of the block begins at starts[r] and is
    multiplied with scales[r]. What is asked is given by column: column c holds asked[k] in row
    asked_rows[k], for k from asked_starts[c] on, so that only shared columns are met. Each row is
    summed by itself in double precision: equal rows get equal products wherever they lie.
    """
    sums = np.empty(out.shape[0])
    for row in range(out.shape[1]):
        sums[:] = 0.0
        for place in range(starts[row], starts[row + 1]):
            column, value = columns[place], np.float64(values[place])
            for k in range(asked_starts[column], asked_starts[column + 1]):
                sums[asked_rows[k]] += value * asked[k]
        for q in range(out.shape[0]):
            out[q, row] = sums[q] * scales[row]


@njit(nogil=True, cache=True, boundscheck=False)
def pair_cosines(values, columns, starts, asked, asked_columns, asked_starts, places, out):
    """The cosine of each row asked (of length 1) with the rows at its places, in double precision.

    `places` and `out` (asked, n); a place below 0 leaves its cosine as it is.
    """
    for q in range(places.shape[0]):
        for n in range(places.shape[1]):
            place = places[q, n]
            if place < 0:
                continue
            product, square = 0.0, 0.0
            k, end = asked_starts[q], asked_starts[q + 1]
            for i in range(starts[place], starts[place + 1]):
                value = np.float64(values[i])
                square += value * value
                while k < end and asked_columns[k] < columns[i]:
                    k += 1
                if k < end and asked_columns[k] == columns[i]:
                    product += value * asked[k]
            out[q, n] = product / np.sqrt(square)
