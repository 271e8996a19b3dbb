"""What the dimensions of one embedding stand for: labels, their words, and random rotations."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lexiscope.bench.align import align, cover
from lexiscope.bench.cell import generator
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, Undefined
from lexiscope.core.policy import Policy
from lexiscope.core.properties import Properties
from lexiscope.core.task import Label
from lexiscope.stats.qvec import Rule, compared, labels
from lexiscope.stats.rotations import rotated_scores, share_as_high
from lexiscope.stats.threaded import one_core_each


@dataclass(frozen=True)
class Described:
    """The labels of an embedding's dimensions, and the score among those of random rotations.

    `rotated` and its 5 % and 95 % quantiles, and `p`, the share of rotations that score as high,
    are None where no rotation was asked for.
    """

    embedding: str
    dataset: str
    words: int
    of: int
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


def described(
    embedding: Embedding,
    dataset: Properties,
    *,
    number: int = 10,
    rotations: int = 0,
    rule: Rule = "formula",
    seed: int = 0,
) -> Described:
    """Every dimension with its property and the highest words of the whole vocabulary."""
    policy = Policy()
    aligned = align(embedding, policy)
    asked = cover(aligned, dataset.spelt(policy)).asked
    assert isinstance(asked, Properties)
    vectors = aligned.embedding.dense_vectors("QVEC")
    rows = vectors[aligned.embedding.vocabulary.find(asked.word)]
    with one_core_each():
        try:
            both = compared(rows, *asked.matrix)
        except Undefined as reason:
            raise BadData(f"{embedding.name} and {dataset.name}: {reason}.") from None
        named = labels(both, rule, aligned.embedding.words, vectors, number)
        score = both.aligned(rule).score
        found = Described(
            embedding.name, dataset.name, len(asked), len(dataset), score, tuple(named)
        )
        if not rotations:
            return found
        rng = generator(seed, "dimensions", dataset.fingerprint)
        scores = rotated_scores(rows, both.properties, rotations, rule, rng)
    low, high = np.quantile(scores, [0.05, 0.95])
    return Described(
        embedding.name, dataset.name, len(asked), len(dataset), score, tuple(named), rotations,
        float(scores.mean()), float(low), float(high), share_as_high(scores, score),
    )  # fmt: skip
