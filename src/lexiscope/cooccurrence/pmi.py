"""Pointwise mutual information of co-occurrence counts (Church and Hanks 1990).

Shift and context distribution smoothing follow Levy, Goldberg and Dagan 2015. Matrices stay
sparse: pairs without counts are not stored and are 0.
"""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse

# Rounding error of logarithms and sums in double precision; nonzero associations are larger.
_ROUNDING = 1e-11


def pmi(counts: Sparse, cds: float = 1.0) -> Sparse:
    """log P(word, context) / (P(word) P(context)) of each observed pair, float32; rows are words.

    P(context) is proportional to counts to the power `cds`: below 1, rare contexts weigh less.
    """
    return _to_float32(_log_ratios(counts, cds))


def ppmi(counts: Sparse, cds: float = 1.0, neg: float = 1.0) -> Sparse:
    """max(0, PMI - log(neg)) of each observed pair, float32."""
    observed = _log_ratios(counts, cds, neg)
    np.maximum(observed.data, 0, out=observed.data)
    return _to_float32(observed)


def _log_ratios(counts: Sparse, cds: float, neg: float = 1.0) -> Sparse:
    """PMI - log(neg) of each observed pair in double precision, 0 within rounding error."""
    from scipy.sparse import csr_array

    observed = csr_array(counts, dtype=np.float64, copy=True)
    observed.sum_duplicates()
    observed.eliminate_zeros()
    words, contexts = observed.sum(axis=1), observed.sum(axis=0) ** cds
    total = contexts.sum()
    # The logarithms of words and contexts without pairs are -inf; they are not used below.
    with np.errstate(divide="ignore", invalid="ignore"):
        words, contexts = np.log(words), np.log(contexts) - np.log(total)
    np.log(observed.data, out=observed.data)
    observed.data -= np.repeat(words, np.diff(observed.indptr))
    observed.data -= contexts[observed.indices]
    observed.data -= np.log(neg)
    observed.data[np.abs(observed.data) < _ROUNDING] = 0
    return observed


def _to_float32(observed: Sparse) -> Sparse:
    # Associations of exactly 0 are not stored.
    observed = observed.astype(np.float32)
    observed.eliminate_zeros()
    return observed


def concatenate_normalized(blocks: list[Sparse]) -> Sparse:
    """Concatenate matrices by column, each with L2-normalised rows; zero rows stay zero."""
    from scipy.sparse import hstack

    return hstack([normalized_rows(block) for block in blocks], format="csr")


def normalized_rows(block: Sparse) -> Sparse:
    """L2-normalised sparse rows, float32; zero rows stay zero.

    Unlike `linalg.normalization`, multiplies with reciprocal norms in double precision: the last
    bits of trained vectors depend on it.
    """
    squares: NDArray[np.float64] = (block.astype(np.float64) ** 2).sum(axis=1)
    scales = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    rows = block.copy()
    rows.data = (rows.data * np.repeat(scales, np.diff(rows.indptr))).astype(np.float32)
    return rows
