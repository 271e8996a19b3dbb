"""AdaGrad for GloVe (Pennington et al. 2014), over non-zero counts that are grouped in blocks.

Two blocks that share neither words nor contexts can be trained in parallel, with the same result
as one after the other (Gemulla et al. 2011).
"""

import numpy as np
from numba import njit

from lexiscope.kernels.simd.instructions import prefetch_write

_AHEAD = 3  # entries from a prefetch to its use
_LINE = 16  # float32 numbers in a cache line


@njit(nogil=True, cache=True, boundscheck=False)
def block_sizes(indptr, indices, blocks, numbers):
    """Count the entries of each block into `numbers` (blocks * blocks,).

    Entry (i, j) of the CSR matrix is in block (i % blocks, j % blocks): words come sorted by
    frequency, so all blocks are about equally full.
    """
    for i in range(indptr.shape[0] - 1):
        row = (i % blocks) * blocks
        for n in range(indptr[i], indptr[i + 1]):
            numbers[row + indices[n] % blocks] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def group_entries(indptr, indices, data, blocks, ends, x_max, alpha, rows, columns, logs, weights):
    """Write the entries of a CSR matrix block by block, with their logarithms and weights.

    The weight of a count x is min(1, x / x_max) ** alpha (equation 9). `ends` (blocks * blocks,)
    holds the begin of each block, and its end afterwards.
    """
    for i in range(indptr.shape[0] - 1):
        row = (i % blocks) * blocks
        for n in range(indptr[i], indptr[i + 1]):
            block = row + indices[n] % blocks
            k = ends[block]
            ends[block] = k + 1
            rows[k] = i
            columns[k] = indices[n]
            logs[k] = np.log(data[n])
            weights[k] = min(1.0, (data[n] / x_max) ** alpha)


@njit(nogil=True, cache=True, boundscheck=False)
def shuffle(rows, columns, logs, weights, begin, end, seed):
    """Shuffle the entries `begin` to `end` in place; `seed` is not 0."""
    state = np.uint64(seed)
    for k in range(end - 1, begin, -1):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        sampled = (state >> np.uint64(32)) * np.uint64(k - begin + 1)
        other = begin + np.int64(sampled >> np.uint64(32))
        rows[k], rows[other] = rows[other], rows[k]
        columns[k], columns[other] = columns[other], columns[k]
        logs[k], logs[other] = logs[other], logs[k]
        weights[k], weights[other] = weights[other], weights[k]


# Without the flags nnan and ninf, a number that overflows is visible in the cost.
@njit(
    nogil=True,
    cache=True,
    boundscheck=False,
    error_model="numpy",
    fastmath={"reassoc", "contract", "nsz"},
)
def adagrad_steps(
    rows, columns, logs, weights, begin, end, words, contexts, dimension, learning_rate
):
    """One AdaGrad step for each entry `begin` to `end`; returns the summed weighted cost.

    The cost of an entry is weight / 2 * (w.c + b_w + b_c - log x) ** 2 (equation 8). `words` and
    `contexts` (words, 2, width) hold vectors and their sums of squared gradients. The columns
    after a vector are its bias and 1 (word) or 1 and its bias (context), so that the product of
    two rows contains both biases and one loop updates all; the ones are then restored.
    """
    width = words.shape[2]
    one = np.float32(1.0)
    cost = 0.0
    for e in range(begin, end):
        if e + _AHEAD < end:
            i = np.int64(rows[e + _AHEAD]) * 2 * width
            j = np.int64(columns[e + _AHEAD]) * 2 * width
            for k in range(0, 2 * width, _LINE):
                prefetch_write(words, i + k)
                prefetch_write(contexts, j + k)
        i = rows[e]
        j = columns[e]
        score = np.float32(0.0)
        for k in range(width):
            score += words[i, 0, k] * contexts[j, 0, k]
        error = score - logs[e]
        weighted = weights[e] * error
        cost += 0.5 * np.float64(weighted) * np.float64(error)
        gradient = learning_rate * weighted
        for k in range(width):
            word = words[i, 0, k]
            context = contexts[j, 0, k]
            a = gradient * context
            b = gradient * word
            words[i, 0, k] = word - a / np.sqrt(words[i, 1, k])
            contexts[j, 0, k] = context - b / np.sqrt(contexts[j, 1, k])
            words[i, 1, k] += a * a
            contexts[j, 1, k] += b * b
        words[i, 0, dimension + 1] = one
        contexts[j, 0, dimension] = one
    return cost
