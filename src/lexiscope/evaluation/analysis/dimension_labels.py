"""Labels of the dimensions of one embedding, and its QVEC score among random rotations."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from lexiscope.core.contracts.task import Label
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, Undefined
from lexiscope.core.policy import Policy
from lexiscope.core.seeding import generator
from lexiscope.evaluation.vocabulary import align, cover
from lexiscope.linalg.deterministic_products import single_threaded_blas
from lexiscope.metrics.qvec import Rule, labels, qvec_input
from lexiscope.metrics.rotations import rotated_scores, rotation_test


@dataclass(frozen=True)
class DimensionLabels:
    """The labels of the dimensions of an embedding, and its QVEC score.

    `words` of the `total` words of the dataset are covered. `rotated` is the mean score of random
    rotations, `low` and `high` are their 5 % and 95 % quantiles, and `p` is the proportion that
    score as high as the embedding; all are None without rotations.
    """

    embedding: str
    dataset: str
    words: int
    total: int
    score: float
    labels: tuple[Label, ...]
    rotations: int = 0
    rotated: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {**asdict(self), "labels": [label._asdict() for label in self.labels]}


def label_dimensions(
    embedding: Embedding,
    dataset: Properties,
    *,
    number: int = 10,
    rotations: int = 0,
    rule: Rule = "formula",
    seed: int = 0,
) -> DimensionLabels:
    """Label each dimension with a property, and list the `number` words with its highest values."""
    policy = Policy()
    aligned = align(embedding, policy)
    covered = cover(aligned, dataset.normalised(policy)).dataset
    assert isinstance(covered, Properties)
    vectors = aligned.embedding.dense_vectors("QVEC")
    rows = vectors[aligned.embedding.vocabulary.find(covered.word)]
    with single_threaded_blas():
        try:
            both = qvec_input(rows, *covered.matrix)
        except Undefined as reason:
            raise BadData(f"{embedding.name} and {dataset.name}: {reason}.") from None
        found = DimensionLabels(
            embedding.name, dataset.name, len(covered), len(dataset), both.align(rule).score,
            tuple(labels(both, rule, aligned.embedding.words, vectors, number)),
        )  # fmt: skip
        if not rotations:
            return found
        rng = generator(seed, "dimensions", dataset.fingerprint)
        scores = rotated_scores(rows, both.properties, rotations, rule, rng)
    low, high = np.quantile(scores, [0.05, 0.95])
    return replace(
        found, rotations=rotations, rotated=float(scores.mean()), low=float(low), high=float(high),
        p=rotation_test(scores, found.score),
    )  # fmt: skip
