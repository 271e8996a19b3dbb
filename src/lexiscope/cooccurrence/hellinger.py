"""Hellinger transformation of co-occurrence counts."""

import numpy as np

from lexiscope.core.vectors import Sparse


def hellinger_rows(counts: Sparse, contexts: int) -> Sparse:
    """Square roots of each word's context probabilities, float32 CSR, rows of length 1.

    Euclidean distances of the rows are Hellinger distances (Lebret and Collobert 2014, section 3).
    Only the first `contexts` columns are used, the most frequent words; a word without any of
    these contexts has a zero row.
    """
    from scipy.sparse import csr_array

    kept = csr_array(counts[:, : min(contexts, counts.shape[1])])
    totals = np.asarray(kept.sum(axis=1)).ravel()
    probabilities = kept.data / np.repeat(totals, np.diff(kept.indptr))
    return csr_array(
        (np.sqrt(probabilities).astype(np.float32), kept.indices, kept.indptr), kept.shape
    )
