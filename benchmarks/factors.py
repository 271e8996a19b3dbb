"""Truncated decompositions of a PPMI table: SciPy's ARPACK, scikit-learn's randomized one, ours.

The table is that of the texts of benchmarks/trainers.toml, 50,000 words, window 5. What counts as
true are the singular values that ARPACK gives when it is asked for all digits.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import clock
from lexiscope.core.preparation import Preparation
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library
from lexiscope.stats.association import ppmi
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from lexiscope.stats.factors import truncated

SOURCES = ("wikitext-2", "gutenberg", "sotu", "brown")
_WORDS, _DIMENSION = 50_000, 300


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line; ARPACK is run once, because it takes minutes."""
    from scipy.sparse.linalg import svds
    from sklearn.utils.extmath import randomized_svd

    matrix = table()
    found: dict[str, Any] = {}

    def ours() -> None:
        found["ours"] = truncated(matrix, _DIMENSION, np.random.default_rng(0)).values

    def arpack() -> None:
        double = matrix.astype(np.float64)
        found["arpack"] = svds(double, _DIMENSION, tol=0, rng=np.random.default_rng(0))[1][::-1]

    def randomized() -> None:
        found["sklearn"] = randomized_svd(matrix, _DIMENSION, random_state=0)[1]

    truncated(matrix[:2000], 10, np.random.default_rng(0))  # loads the kernels
    seconds = clock.in_turns(1, arpack=arpack)
    seconds |= clock.in_turns(rounds, ours=ours, sklearn=randomized)
    yield {
        "what": f"{_DIMENSION} strongest directions of a PPMI table",
        "table": f"{matrix.shape[0]:,} words, {matrix.nnz:,} numbers",
        **{f"{name}_seconds": clock.rounded(took) for name, took in seconds.items()},
        **{
            f"{name}_largest_relative_error": float(np.abs(1 - values / found["arpack"]).max())
            for name, values in found.items()
            if name != "arpack"
        },
        "times_faster_than_arpack": clock.ratio(seconds["arpack"], seconds["ours"]),
        "times_faster_than_sklearn": clock.ratio(seconds["sklearn"], seconds["ours"]),
    }


@cache
def table() -> Any:
    """The PPMI table of the registry's texts."""
    library = Library()
    for name in SOURCES:
        fetch(library, catalogue()[name])
    steps = Preparation(minimum=1, limit=_WORDS)
    text = corpora.read(list(SOURCES), steps, library=library)
    return ppmi(cooccurrences(text, Contexts(5), np.random.default_rng(0)), 0.75)
