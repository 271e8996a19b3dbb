"""The vectors of an embedding for the items of a learning curve."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.embedding import Embedding
from lexiscope.core.seeding import generator
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.curves.items import CurveItems
from lexiscope.learners.problems import (
    AnalogyPairs,
    Classification,
    PairFeatures,
    PairRegression,
)
from lexiscope.learners.text_classifiers import means_of_vectors
from lexiscope.linalg.normalization import normalize_rows

RANDOM = "random vectors"
Problem = Classification | PairRegression | AnalogyPairs


@dataclass(frozen=True, eq=False)
class CurveVectors:
    """An embedding of a learning curve; a control has random vectors instead of trained ones.

    `fingerprint` identifies the vectors in the store.
    """

    name: str
    fingerprint: str
    embedding: Embedding | None
    dimension: int
    seed: int

    @property
    def control(self) -> bool:
        """Whether the vectors are random."""
        return self.embedding is None

    def of(self, items: CurveItems) -> Embedding:
        """Return the unit vectors of the words that the items need."""
        words = items.needed_words
        if self.embedding is None:
            rng = generator(self.seed, RANDOM, items.fingerprint)
            vectors: NDArray[np.float32] = rng.standard_normal(
                (len(words), self.dimension), np.float32
            )
        else:
            indices = self.embedding.vocabulary.find(words)
            words = tuple(word for word, i in zip(words, indices, strict=True) if i >= 0)
            dense = self.embedding.rows(indices[indices >= 0])
            vectors = np.asarray(dense.dense_vectors("A learning curve"), np.float32)
        return Embedding(self.name, Vocabulary(words), np.asarray(normalize_rows(vectors)))


def random_control(dimension: int, seed: int) -> CurveVectors:
    """Return the control: the same random vectors for all embeddings of this dimension."""
    return CurveVectors(RANDOM, f"{RANDOM} {dimension} {seed}", None, dimension, seed)


def problem(vectors: CurveVectors, items: CurveItems, pair_features: PairFeatures) -> Problem:
    """Return the items as arrays; the partners of analogies depend on the split."""
    embedding = vectors.of(items)
    if items.family == "texts":
        return _texts(embedding, items)
    assert items.words is not None
    if items.family == "analogies":
        source, target = (embedding.vocabulary.find(column) for column in items.words.T)
        assert items.relation is not None
        nobody = np.full(len(items), -1, np.int64)
        return AnalogyPairs(embedding.vectors, source, target, items.relation, nobody)
    columns = [_rows(embedding, items.words[:, column]) for column in range(items.words.shape[1])]
    if items.family == "pairs":
        return PairRegression(columns[0], columns[1], items.gold, pair_features)
    return Classification(columns[0], items.gold, len(items.classes))


def _texts(embedding: Embedding, items: CurveItems) -> Classification:
    assert items.texts is not None
    words, numbers, ends = items.texts.encoded
    rows = embedding.vocabulary.find(words)[numbers]
    known = np.append(0, np.cumsum(rows >= 0))[ends]
    return Classification(
        means_of_vectors(items.texts.encoded, embedding),
        items.gold,
        len(items.classes),
        rows[rows >= 0],
        known,
        np.asarray(embedding.vectors, np.float32),
    )


def _rows(embedding: Embedding, words: NDArray[np.object_]) -> Floats:
    found = embedding.vectors[embedding.vocabulary.find(words)]
    return np.asarray(found, np.float64)
