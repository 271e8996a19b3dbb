"""One table out of several that went their own ways from it."""

from numba import njit

from lexiscope.kernels.lanes import LANES, plus_product, put, spread_from, take


@njit(nogil=True, cache=True, boundscheck=False)
def merge(table, copies, shares, begin, end):
    """Move rows from `begin` to `end` by a share of how far all copies together moved.

    `table` is (rows, width), `copies` (copies, rows, width) and `shares` (rows,), all float32,
    with a width in eights. The copies become equal to the table.
    """
    count, rows, width = copies.shape
    for row in range(begin, end):
        for k in range(row * width, (row + 1) * width, LANES):
            old = take(table, k)
            moved = take(copies, k) - old
            for c in range(1, count):
                moved = moved + (take(copies, c * rows * width + k) - old)
            new = plus_product(old, moved, spread_from(shares, row))
            put(table, k, new)
            for c in range(count):
                put(copies, c * rows * width + k, new)
