"""How much more often two words meet than chance would have them: pointwise mutual information.

Church and Hanks 1990; the shift and the smoothing are those of Levy, Goldberg and Dagan 2015.
Nothing here makes a matrix dense: a pair that was never seen is not stored, and stands for 0.
"""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse

# What logarithms and sums in double precision are off by: no association that is there is so small.
_ROUNDING = 1e-11


def pmi(counts: Sparse, cds: float = 1.0) -> Sparse:
    """log P(word, context) / (P(word) P(context)) of each pair seen, float32; rows are words.

    P(context) is taken from counts to the power `cds`: below 1, rare contexts weigh less.
    """
    return _stored(_logarithms(counts, cds))


def ppmi(counts: Sparse, cds: float = 1.0, neg: float = 1.0) -> Sparse:
    """PMI less log(neg) where that is positive, and nothing elsewhere, float32."""
    seen = _logarithms(counts, cds, neg)
    np.maximum(seen.data, 0, out=seen.data)
    return _stored(seen)


def _logarithms(counts: Sparse, cds: float, neg: float = 1.0) -> Sparse:
    """The PMI of each pair seen less log(neg), in double precision, 0 where it is but rounding."""
    from scipy.sparse import csr_array

    seen = csr_array(counts, dtype=np.float64, copy=True)
    seen.sum_duplicates()
    seen.eliminate_zeros()
    words, contexts = seen.sum(axis=1), seen.sum(axis=0) ** cds
    total = contexts.sum()
    # Words and contexts without a pair have no logarithm, and are in no sum below.
    with np.errstate(divide="ignore", invalid="ignore"):
        words, contexts = np.log(words), np.log(contexts) - np.log(total)
    np.log(seen.data, out=seen.data)
    seen.data -= np.repeat(words, np.diff(seen.indptr))
    seen.data -= contexts[seen.indices]
    seen.data -= np.log(neg)
    seen.data[np.abs(seen.data) < _ROUNDING] = 0
    return seen


def _stored(seen: Sparse) -> Sparse:
    # An association of exactly 0 is stored as little as a pair that was never seen.
    seen = seen.astype(np.float32)
    seen.eliminate_zeros()
    return seen


def blocks_of_length_one(blocks: list[Sparse]) -> Sparse:
    """Matrices side by side, the rows of each of length 1; a row without contexts stays zero."""
    from scipy.sparse import hstack

    return hstack([unit_rows(block) for block in blocks], format="csr")


def unit_rows(block: Sparse) -> Sparse:
    """Sparse rows of length 1, float32; a row of zeros stays as it is."""
    squares: NDArray[np.float64] = (block.astype(np.float64) ** 2).sum(axis=1)
    scales = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    rows = block.copy()
    rows.data = (rows.data * np.repeat(scales, np.diff(rows.indptr))).astype(np.float32)
    return rows
