"""Co-occurrence counts as points whose distances are Hellinger distances."""

import numpy as np

from lexiscope.core.vectors import Sparse


def hellinger_rows(counts: Sparse, contexts: int) -> Sparse:
    """Square roots of each word's probabilities of its contexts, float32 CSR, rows of length 1.

    Only the first `contexts` columns count, the most frequent words; a word that stands near
    none of them has a row of zeros. Lebret and Collobert 2014, section 3.
    """
    from scipy.sparse import csr_array

    kept = csr_array(counts[:, : min(contexts, counts.shape[1])])
    totals = np.asarray(kept.sum(axis=1)).ravel()
    shares = kept.data / np.repeat(totals, np.diff(kept.indptr))
    return csr_array((np.sqrt(shares).astype(np.float32), kept.indices, kept.indptr), kept.shape)
