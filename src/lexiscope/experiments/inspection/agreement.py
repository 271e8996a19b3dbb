"""Agreement between the spaces of two embeddings, as curves over the words that both have."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.core.seeding import generator
from lexiscope.core.vectors import Vectors, is_sparse
from lexiscope.experiments.inspection.frequencies import Frequencies
from lexiscope.experiments.inspection.results import AgreementPoint, SpaceAgreement
from lexiscope.experiments.inspection.shape import sizes, subsample_size, subsamples
from lexiscope.linalg.neighbours import nearest
from lexiscope.metrics.geometry import linear_cka, neighbour_jaccards
from lexiscope.stats.subsampling import subsampling_interval

WORDS = 50_000  # the most frequent shared words, as candidates of neighbours
QUERIES = 1_000
NEIGHBOURS = 10


def agreements(
    embeddings: Sequence[Embedding], frequencies: Sequence[Frequencies], seed: int
) -> Iterator[SpaceAgreement]:
    """Yield the agreement of every two embeddings; words are in the order of the first."""
    for (first, known), (second, _) in combinations(zip(embeddings, frequencies, strict=True), 2):
        rng = generator(seed, "inspection", "agreement")
        yield agreement(first, second, known.by_frequency, rng)


def agreement(
    first: Embedding, second: Embedding, order: NDArray[np.int64], rng: Generator
) -> SpaceAgreement:
    """Compare two spaces by linear CKA and by the Jaccard index of nearest neighbours.

    Both are computed for growing numbers of the most frequent shared words, 50,000 at most.
    `order` has the rows of the first embedding, the most frequent word first. Neighbours are those
    of 1,000 random words among these.
    """
    rows = second.vocabulary.find([first.words[row] for row in order.tolist()])
    usable = (rows >= 0) & (first.lengths[order] > 0) & (second.lengths[rows] > 0)
    ours, theirs = order[usable][:WORDS], rows[usable][:WORDS]
    if len(ours) < 2 * NEIGHBOURS:
        few = f"{len(ours)} shared words are too few, {2 * NEIGHBOURS} are needed"
        return SpaceAgreement(first.name, second.name, (), few)
    tables = first.vectors[ours], second.vectors[theirs]
    points = tuple(
        _point(tables[0][:size], tables[1][:size], size, rng) for size in sizes(len(ours))
    )
    return SpaceAgreement(first.name, second.name, points)


def _point(first: Vectors, second: Vectors, size: int, rng: Generator) -> AgreementPoint:
    queries = np.sort(rng.choice(size, min(QUERIES, size), replace=False))
    cka = _cka(first, second, size, rng)
    return AgreementPoint(size, cka, len(queries), _jaccard(first, second, queries))


def _cka(first: Vectors, second: Vectors, size: int, rng: Generator) -> Estimate:
    if is_sparse(first) or is_sparse(second):
        return Estimate(None, state="centring would make sparse vectors dense")
    ours, theirs = np.asarray(first), np.asarray(second)
    try:
        value = linear_cka(ours, theirs)
        found = [linear_cka(ours[rows], theirs[rows]) for rows in subsamples(size, rng)]
    except Undefined as reason:
        return Estimate(None, state=str(reason))
    low, high = subsampling_interval(value, found, subsample_size(size), size)
    return Estimate(value, max(0.0, low), min(1.0, high))


def _jaccard(first: Vectors, second: Vectors, queries: NDArray[np.int64]) -> Estimate:
    """The mean Jaccard index with a t interval over query words."""
    from scipy.stats import t

    near = [nearest(each, queries, NEIGHBOURS) for each in (first, second)]
    if not all(each.has_order for each in near):
        return Estimate(None, state="all neighbours have the same cosine")
    values = neighbour_jaccards(near[0].indices, near[1].indices)
    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
    half = float(t.ppf(0.975, len(values) - 1)) * error
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))
