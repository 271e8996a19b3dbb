"""One table out of several that went their own ways from it."""

from numba import njit

from lexiscope.kernels.lanes import LANES, put, take


@njit(nogil=True, cache=True, boundscheck=False)
def merge(table, copies, begin, end):
    """Move rows from `begin` to `end` as far as all copies together moved.

    `table` is (rows, width), `copies` (copies, rows, width), float32 with a width in eights.
    The copies become equal to the table.
    """
    count, rows, width = copies.shape
    for row in range(begin, end):
        for k in range(row * width, (row + 1) * width, LANES):
            old = take(table, k)
            moved = take(copies, k) - old
            for c in range(1, count):
                moved = moved + (take(copies, c * rows * width + k) - old)
            new = old + moved
            put(table, k, new)
            for c in range(count):
                put(copies, c * rows * width + k, new)
