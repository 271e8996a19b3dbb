"""Truncated SVD of a PPMI matrix: SciPy's ARPACK, scikit-learn's randomized SVD, and ours.

The matrix is that of the corpora of benchmarks/trainers.toml, 50,000 words, window 5. Errors are
relative to the singular values of ARPACK at full precision.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import clock
from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.cooccurrence.pmi import ppmi
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData
from lexiscope.linalg.truncated_svd import truncated_svd

SOURCES = ("wikitext-2", "gutenberg", "sotu", "brown")
_WORDS, _DIMENSION = 50_000, 300


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line; ARPACK runs once, because it takes minutes."""
    from scipy.sparse.linalg import svds
    from sklearn.utils.extmath import randomized_svd

    matrix = ppmi_matrix()
    found: dict[str, Any] = {}

    def ours() -> None:
        found["ours"] = truncated_svd(matrix, _DIMENSION, np.random.default_rng(0)).values

    def arpack() -> None:
        double = matrix.astype(np.float64)
        found["arpack"] = svds(double, _DIMENSION, tol=0, rng=np.random.default_rng(0))[1][::-1]

    def randomized() -> None:
        found["sklearn"] = randomized_svd(matrix, _DIMENSION, random_state=0)[1]

    truncated_svd(matrix[:2000], 10, np.random.default_rng(0))  # loads the kernels
    seconds = clock.in_turns(1, arpack=arpack)
    seconds |= clock.in_turns(rounds, ours=ours, sklearn=randomized)
    yield {
        "what": f"{_DIMENSION} largest singular values of a PPMI matrix",
        "matrix": f"{matrix.shape[0]:,} words, {matrix.nnz:,} numbers",
        **{f"{name}_seconds": clock.rounded(values) for name, values in seconds.items()},
        **{
            f"{name}_largest_relative_error": float(np.abs(1 - values / found["arpack"]).max())
            for name, values in found.items()
            if name != "arpack"
        },
        "times_faster_than_arpack": clock.ratio(seconds["arpack"], seconds["ours"]),
        "times_faster_than_sklearn": clock.ratio(seconds["sklearn"], seconds["ours"]),
    }


@cache
def ppmi_matrix() -> Any:
    """The PPMI matrix of the registry corpora."""
    local_data = LocalData()
    for name in SOURCES:
        fetch(local_data, catalogue()[name])
    steps = Preprocessing(min_count=1, limit=_WORDS)
    text = corpora.read(list(SOURCES), steps, local_data=local_data)
    return ppmi(cooccurrences(text, Contexts(5), np.random.default_rng(0)), 0.75)
