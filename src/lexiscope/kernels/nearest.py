"""The highest scores of each query, block by block of the vocabulary."""

import numpy as np
from numba import njit

from lexiscope.kernels.simd import larger

_STEP = 64


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz"}, cache=True, boundscheck=False)
def keep_best(scores, queries, width, base, values, places):
    """Merge a block of scores into the sorted best of each query.

    `scores` (queries, width) for the words from `base` on; `values` and `places` (queries, n)
    fall from left to right. Of equal scores the earlier word stays ahead.
    """
    last = values.shape[1] - 1
    for q in range(queries):
        worst = values[q, last]
        for start in range(0, width, _STEP):
            stop = min(start + _STEP, width)
            top = np.float32(-3.0e38)
            for k in range(start, stop):
                top = larger(top, scores[q, k])
            if top <= worst:
                continue
            for k in range(start, stop):
                value = scores[q, k]
                if value <= worst:
                    continue
                slot = last
                while slot > 0 and values[q, slot - 1] < value:
                    values[q, slot] = values[q, slot - 1]
                    places[q, slot] = places[q, slot - 1]
                    slot -= 1
                values[q, slot] = value
                places[q, slot] = base + k
                worst = values[q, last]
