"""Agreement between the spaces of two embeddings on the words that both have."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.core.seeding import generator
from lexiscope.core.vectors import Vectors, is_sparse
from lexiscope.experiments.inspection.results import SpaceAgreement
from lexiscope.linalg.neighbours import nearest
from lexiscope.metrics.geometry import linear_cka, neighbour_jaccards

WORDS = 50_000  # the first shared words, as candidates of neighbours
QUERIES = 1_000
NEIGHBOURS = 10
_NOTHING = Estimate(None, state="fewer than 20 shared words")


def agreements(embeddings: Sequence[Embedding], seed: int) -> Iterator[SpaceAgreement]:
    """Yield the agreement of every two embeddings."""
    for first, second in combinations(embeddings, 2):
        yield agreement(first, second, generator(seed, "inspection", "agreement"))


def agreement(first: Embedding, second: Embedding, rng: Generator) -> SpaceAgreement:
    """Compare two spaces by linear CKA and by the Jaccard index of nearest neighbours.

    Both use the first shared words in the order of the first embedding, 50,000 at most; neighbours
    are those of 1,000 random words of these.
    """
    rows = second.vocabulary.find(first.words)
    ours = np.flatnonzero(rows >= 0)
    ours = ours[(first.lengths[ours] > 0) & (second.lengths[rows[ours]] > 0)][:WORDS]
    names = first.name, second.name
    if len(ours) < 2 * NEIGHBOURS:
        return SpaceAgreement(*names, len(ours), None, 0, _NOTHING)
    tables = first.vectors[ours], second.vectors[rows[ours]]
    queries = np.sort(rng.choice(len(ours), min(QUERIES, len(ours)), replace=False))
    near = [nearest(each, queries, NEIGHBOURS).indices for each in tables]
    overlaps = neighbour_jaccards(*near)
    return SpaceAgreement(*names, len(ours), _cka(*tables), len(queries), _mean(overlaps))


def _cka(first: Vectors, second: Vectors) -> float | None:
    if is_sparse(first) or is_sparse(second):
        return None  # centring would make sparse vectors dense
    try:
        return linear_cka(np.asarray(first), np.asarray(second))
    except Undefined:
        return None


def _mean(values: np.ndarray) -> Estimate:
    from scipy.stats import t

    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
    half = float(t.ppf(0.975, len(values) - 1)) * error
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))
