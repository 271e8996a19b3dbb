"""QVEC of 400,000 x 300 vectors: a loop over correlations, as in published scripts, and ours."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import clock
import material
from lexiscope.tasks.qvec import Qvec

_MATRIX = "wordnet-supersenses"
_DIMENSIONS = 10  # on which the loop is timed


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield one result."""
    from scipy.stats import pearsonr

    embedding, whole = material.large300(), material.dataset(_MATRIX)
    items = whole.take(whole.covered_by(embedding.vocabulary))
    rows = embedding[items.word].astype(np.float64)
    found: dict[str, float] = {}

    def ours() -> None:
        found["ours"] = float(np.mean(Qvec().predict(embedding, items, _rng()).predicted))

    def rotated() -> None:
        Qvec(rotations=1000).diagnose(embedding, items, _rng())

    def loop() -> None:
        amounts = items.matrix.amounts
        best = [
            max(0.0, *(pearsonr(rows[:, d], column).statistic for column in amounts.T))
            for d in range(_DIMENSIONS)
        ]
        found["loop"] = sum(best)

    ours()
    seconds = clock.in_turns(rounds, ours=ours, rotated=rotated, loop=loop)
    scaled = [s * embedding.dimension / _DIMENSIONS for s in seconds["loop"]]
    both = Qvec().diagnose(embedding, items, _rng()).labels
    first = sum(max(0.0, label.correlation) for label in both if label.dimension < _DIMENSIONS)
    yield {
        "what": f"QVEC over {len(items):,} words and {items.matrix.amounts.shape[1]} properties",
        "vectors": f"{len(embedding):,} x {embedding.dimension}",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "with_1000_rotations_seconds": clock.rounded(seconds["rotated"]),
        "loop_seconds_scaled": clock.rounded(scaled),
        "times_faster_than_the_loop": clock.ratio(scaled, seconds["ours"]),
        "difference_from_the_loop": abs(first - found["loop"]),
    }


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)
