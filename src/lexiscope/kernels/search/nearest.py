"""Highest scores of each query, block by block of the vocabulary."""

import numpy as np
from numba import njit

from lexiscope.kernels.simd.instructions import maximum

_STEP = 64


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz"}, cache=True, boundscheck=False)
def keep_best(scores, queries, width, base, values, indices):
    """Merge a block of scores into the n best of each query.

    `scores` is (queries, width), for the words from `base` on; `values` and `indices` (queries, n)
    are sorted by descending score. Of equal scores the earlier word comes first.
    """
    last = values.shape[1] - 1
    for q in range(queries):
        worst = values[q, last]
        for start in range(0, width, _STEP):
            stop = min(start + _STEP, width)
            top = np.float32(-3.0e38)
            for k in range(start, stop):
                top = maximum(top, scores[q, k])
            if top <= worst:
                continue
            for k in range(start, stop):
                value = scores[q, k]
                if value <= worst:
                    continue
                slot = last
                while slot > 0 and values[q, slot - 1] < value:
                    values[q, slot] = values[q, slot - 1]
                    indices[q, slot] = indices[q, slot - 1]
                    slot -= 1
                values[q, slot] = value
                indices[q, slot] = base + k
                worst = values[q, last]
