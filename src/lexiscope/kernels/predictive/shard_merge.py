"""Merging the copies of a table that shards have trained separately."""

from numba import njit

from lexiscope.kernels.simd.lanes import LANES, broadcast_from, load, multiply_add, store


@njit(nogil=True, cache=True, boundscheck=False)
def merge(table, copies, fractions, begin, end):
    """Change rows `begin` to `end` by a fraction of the summed changes of all copies.

    `table` is (rows, width), `copies` (copies, rows, width) and `fractions` (rows,), all float32,
    with a width that is a multiple of eight. The copies become equal to the table.
    """
    count, rows, width = copies.shape
    for row in range(begin, end):
        for k in range(row * width, (row + 1) * width, LANES):
            old = load(table, k)
            change = load(copies, k) - old
            for c in range(1, count):
                change = change + (load(copies, c * rows * width + k) - old)
            new = multiply_add(old, change, broadcast_from(fractions, row))
            store(table, k, new)
            for c in range(count):
                store(copies, c * rows * width + k, new)
