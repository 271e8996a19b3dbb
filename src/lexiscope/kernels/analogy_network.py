"""The update of Adam (Kingma and Ba 2015) in one pass over the weights."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy", fastmath={"contract"})
def adam(weights, first, second, slope, rate, correction, beta1, beta2, epsilon):
    """Update `weights` and both moments in place; all arrays are flat and of the same length.

    `rate` is the learning rate divided by 1 - beta1^t, `correction` is 1 / sqrt(1 - beta2^t).
    """
    for i in range(weights.shape[0]):
        first[i] += (1 - beta1) * (slope[i] - first[i])
        second[i] += (1 - beta2) * (slope[i] * slope[i] - second[i])
        weights[i] -= rate * first[i] / (np.sqrt(second[i]) * correction + epsilon)
