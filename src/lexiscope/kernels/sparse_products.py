"""Sparse rows times a dense matrix: the bulk of a truncated SVD."""

import numpy as np
from numba import njit

TILE = 64


@njit(nogil=True, fastmath={"contract"}, cache=True, boundscheck=False)
def rows_times(starts, columns, values, dense, first, last, out):
    """Fill rows `first` to `last` of `out` (rows, tiles, TILE) with CSR rows times `dense`.

    `dense` is (columns, tiles, TILE). Loops of fixed length over a small array of sums compile to
    vector instructions; each pass over it adds four stored numbers.
    """
    sums = np.empty(TILE, np.float32)
    for row in range(first, last):
        for tile in range(dense.shape[1]):
            sums[:] = 0
            k, end = starts[row], starts[row + 1]
            while k + 4 <= end:
                # Unsigned: numba would check a signed index for being negative.
                i0, i1 = np.uint64(columns[k]), np.uint64(columns[k + 1])
                i2, i3 = np.uint64(columns[k + 2]), np.uint64(columns[k + 3])
                v0, v1, v2, v3 = values[k], values[k + 1], values[k + 2], values[k + 3]
                for d in range(TILE):
                    sums[d] += (v0 * dense[i0, tile, d] + v1 * dense[i1, tile, d]) + (
                        v2 * dense[i2, tile, d] + v3 * dense[i3, tile, d]
                    )
                k += 4
            while k < end:
                i0, v0 = np.uint64(columns[k]), values[k]
                for d in range(TILE):
                    sums[d] += v0 * dense[i0, tile, d]
                k += 1
            for d in range(TILE):
                out[row, tile, d] = sums[d]
