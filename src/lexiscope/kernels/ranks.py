"""Counts of scores above limits, block by block of the vocabulary."""

from numba import njit


@njit(nogil=True, cache=True, boundscheck=False)
def count_above(scores, queries, width, lower, upper, certain, close):
    """Count the scores of a block that are above the limits of each query.

    `scores` is (queries, width); `lower` and `upper` (queries, limits) are the limits minus and
    plus the rounding error of a score. `certain` (queries, limits) is increased by the scores above
    `upper`; `close` (queries, limits) is set to the number of scores from `lower` to `upper`, which
    must be computed in higher precision.
    """
    for q in range(queries):
        for k in range(lower.shape[1]):
            low, high = lower[q, k], upper[q, k]
            above = 0
            reached = 0
            for w in range(width):
                score = scores[q, w]
                above += score > high
                reached += score >= low
            certain[q, k] += above
            close[q, k] = reached - above
