"""Highest-scoring word for each analogy question, block by block of the vocabulary."""

import numpy as np
from numba import njit

from lexiscope.kernels.simd.instructions import maximum


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz"}, cache=True, boundscheck=False)
def best_sum(scores, base, left, right, inputs, best, index):
    """Update `best` and `index` (questions,) where scores[left] + scores[right] is higher.

    `scores` is (rows, words of the block), the block beginning at word `base`; `inputs`
    (questions, 3) are excluded words. Of equal scores the earlier word wins.
    """
    width = scores.shape[1]
    for q in range(left.shape[0]):
        i, j = left[q], right[q]
        x, y, z = inputs[q, 0] - base, inputs[q, 1] - base, inputs[q, 2] - base
        if 0 <= x < width or 0 <= y < width or 0 <= z < width:
            for k in range(width):
                value = scores[i, k] + scores[j, k]
                if value > best[q] and k != x and k != y and k != z:
                    best[q] = value
                    index[q] = base + k
            continue
        top = np.float32(-3.0e38)
        for k in range(width):
            top = maximum(top, scores[i, k] + scores[j, k])
        if top > best[q]:
            best[q] = top
            for k in range(width):
                if scores[i, k] + scores[j, k] >= top:
                    index[q] = base + k
                    break


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz"}, cache=True, boundscheck=False)
def best_product(scores, base, left, right, inputs, best, index):
    """As `best_sum`, for scores[left] * scores[right]."""
    width = scores.shape[1]
    for q in range(left.shape[0]):
        i, j = left[q], right[q]
        x, y, z = inputs[q, 0] - base, inputs[q, 1] - base, inputs[q, 2] - base
        if 0 <= x < width or 0 <= y < width or 0 <= z < width:
            for k in range(width):
                value = scores[i, k] * scores[j, k]
                if value > best[q] and k != x and k != y and k != z:
                    best[q] = value
                    index[q] = base + k
            continue
        top = np.float32(-3.0e38)
        for k in range(width):
            top = maximum(top, scores[i, k] * scores[j, k])
        if top > best[q]:
            best[q] = top
            for k in range(width):
                if scores[i, k] * scores[j, k] >= top:
                    index[q] = base + k
                    break


@njit(nogil=True, fastmath=True, cache=True, boundscheck=False, error_model="numpy")
def shifted_ratios(cosines, words, above, below, epsilon, out):
    """Cosines shifted to 0..1, then the quotient of two rows for each pair.

    `out` is (words + pairs, width): first (1 + cosine) / 2 of each word, then above / (below +
    epsilon) of each pair (Levy and Goldberg 2014, equation 5).
    """
    half = np.float32(0.5)
    for i in range(words):
        for k in range(cosines.shape[1]):
            # Rounding can take a cosine below -1; the quotient must not change its sign.
            value = half + half * cosines[i, k]
            out[i, k] = value if value > 0 else np.float32(0)
    for j in range(above.shape[0]):
        a, b = above[j], below[j]
        for k in range(cosines.shape[1]):
            out[words + j, k] = out[a, k] / (out[b, k] + epsilon)
