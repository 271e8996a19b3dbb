"""Retrofitting of word vectors to a lexicon (Faruqui et al. 2015)."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def retrofit_pass(words, starts, edges, original, vectors):
    """Set each vector to the mean of its original and the mean of its neighbours, in place.

    The neighbours of word words[k] are edges[starts[k]:starts[k + 1]], at least one. Later words
    see the new vectors of earlier ones. `original` and `vectors` are (words, dimension).
    """
    dimension = vectors.shape[1]
    total = np.empty(dimension)
    for k in range(words.shape[0]):
        total[:] = 0.0
        for n in range(starts[k], starts[k + 1]):
            neighbour = edges[n]
            for d in range(dimension):
                total[d] += vectors[neighbour, d]
        fraction = 1.0 / (starts[k + 1] - starts[k])
        for d in range(dimension):
            vectors[words[k], d] = 0.5 * (original[words[k], d] + fraction * total[d])
