"""A map of words: their vectors projected to two dimensions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, MissingExtra, UnknownName
from lexiscope.experiments.inspection.frequencies import UNKNOWN, Frequencies
from lexiscope.experiments.inspection.results import MapPoint, WordMap
from lexiscope.linalg.normalization import normalize_rows

Floats = NDArray[np.float64]

PROJECTIONS = ("pca", "tsne", "umap")
LARGEST = 2_000
MOST_NUMBERS = 1 << 26  # in a dense table of the words
_FEWEST = 3
_ROUNDING = 1e-6  # of a unit vector in single precision


def word_map(
    embedding: Embedding,
    frequencies: Frequencies,
    words: Sequence[str],
    projection: str = "pca",
    seed: int = 0,
) -> WordMap:
    """Project the unit vectors of words to a plane.

    Words that the embedding lacks are counted. A projection keeps little of the space: distances
    on the map are not cosines.
    """
    if projection not in PROJECTIONS:
        raise UnknownName("projection", projection, PROJECTIONS)
    rows = embedding.vocabulary.find(list(dict.fromkeys(words)))
    absent = int((rows < 0).sum())
    rows = rows[rows >= 0]
    rows = rows[embedding.lengths[rows] > 0][:LARGEST]
    if len(rows) < _FEWEST or embedding.dimension < 2:
        state = f"a map needs {_FEWEST} words and two dimensions"
        return WordMap(projection, (), None, absent, state)
    if len(rows) * embedding.dimension > MOST_NUMBERS:
        state = f"{embedding.dimension:,} dimensions of {len(rows):,} words are too many for a map"
        return WordMap(projection, (), None, absent, state)
    units = np.asarray(normalize_rows(_dense(embedding, rows)), np.float64)
    if np.ptp(units, axis=0).max() < _ROUNDING:
        state = f"the vectors of all {len(rows):,} words have the same direction"
        return WordMap(projection, (), None, absent, state)
    places, explained = _projected(units, projection, seed)
    return WordMap(projection, _points(embedding, frequencies, rows, places), explained, absent)


def _dense(embedding: Embedding, rows: NDArray[np.int64]) -> Floats:
    found = embedding.vectors[rows]
    return np.asarray(found if isinstance(found, np.ndarray) else found.toarray())


def _projected(units: Floats, projection: str, seed: int) -> tuple[Floats, float | None]:
    if projection == "pca":
        return _pca(units)
    if projection == "tsne":
        return _tsne(units, seed), None
    return _umap(units, seed), None


def _pca(units: Floats) -> tuple[Floats, float | None]:
    centred = units - units.mean(axis=0)
    left, scales, _ = np.linalg.svd(centred, full_matrices=False)
    # The sign of a direction is arbitrary: the largest coordinate is positive.
    places = left[:, :2] * scales[:2]
    signs = np.sign(places[np.abs(places).argmax(axis=0), [0, 1]])
    total = float((scales**2).sum())
    return places * np.where(signs == 0, 1, signs), float((scales[:2] ** 2).sum()) / total


def _tsne(units: Floats, seed: int) -> Floats:
    from sklearn.manifold import TSNE

    nearby = min(30.0, max(2.0, (len(units) - 1) / 3))
    if len(units) <= nearby:
        raise BadUsage(f"t-SNE needs more than {len(units)} words. Use --projection pca.")
    model = TSNE(2, perplexity=nearby, init="pca", metric="cosine", random_state=seed)
    return np.asarray(model.fit_transform(units), np.float64)


def _umap(units: Floats, seed: int) -> Floats:
    try:
        from umap import UMAP  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise MissingExtra("The projection umap", "umap") from None
    model = UMAP(n_components=2, metric="cosine", random_state=seed)
    return np.asarray(model.fit_transform(units), np.float64)


def _points(
    embedding: Embedding, frequencies: Frequencies, rows: NDArray[np.int64], places: Floats
) -> tuple[MapPoint, ...]:
    words = embedding.words
    values = frequencies.values[rows].tolist()
    return tuple(
        MapPoint(words[row], float(x), float(y), None if value == UNKNOWN else value)
        for row, (x, y), value in zip(rows.tolist(), places.tolist(), values, strict=True)
    )
