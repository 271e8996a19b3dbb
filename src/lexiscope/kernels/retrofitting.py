"""One round of pulling words towards the words that a lexicon ties them to."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def pull(places, starts, ties, original, vectors):
    """Move each word half-way from its original vector to the mean of its ties, in place.

    Word places[k] is tied to ties[starts[k]:starts[k + 1]], at least one; words that come later
    see where earlier ones have moved to.
    """
    dimension = vectors.shape[1]
    total = np.empty(dimension)
    for k in range(places.shape[0]):
        total[:] = 0.0
        for n in range(starts[k], starts[k + 1]):
            tie = ties[n]
            for d in range(dimension):
                total[d] += vectors[tie, d]
        share = 1.0 / (starts[k + 1] - starts[k])
        for d in range(dimension):
            vectors[places[k], d] = 0.5 * (original[places[k], d] + share * total[d])
