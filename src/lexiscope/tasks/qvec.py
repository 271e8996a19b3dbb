"""Do the dimensions stand for something that words are known to have?

Every dimension is aligned to the property that it correlates with best over the words in common,
such as supersenses or parts of speech; QVEC is the sum of these correlations. It grows with the
number of dimensions and changes when the vectors are rotated, although no cosine does; QVEC-CCA
does not change then. Tsvetkov et al. 2015, section 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.measure import Floats
from lexiscope.core.properties import Properties
from lexiscope.core.task import Answers, Findings, Task
from lexiscope.stats import qvec_cca
from lexiscope.stats.qvec import (
    compared,
    labels,
    qvec,
    qvec_by_chance,
    qvec_held_out,
    qvec_rotated,
    rotation_p,
    score_by_chance,
    score_held_out,
    shares_of,
)
from lexiscope.stats.rotations import rotated_scores, share_as_high
from lexiscope.stats.threaded import one_core_each

_SHOWN = 10  # words of a dimension
_UNASKED = "random rotations were not asked for (--set qvec.rotations=1000)"
_TURNED = "canonical correlations are the same for every rotation"
_IN_FOLDS = "asked for by --set qvec.method=cca-held-out"
_BY_CHANCE = "directions found without a word have no correlation on it by chance"
_ITSELF = "the score is of this kind itself"


@dataclass(frozen=True)
class Qvec(Task[Properties]):
    """Sum over dimensions of the correlation with the property that each goes with best."""

    method: Literal["alignment", "cca", "cca-held-out"] = "alignment"
    rule: Literal["formula", "script"] = "formula"  # what a dimension without a property adds
    folds: int = 10  # of cca-held-out
    rotations: int = 0  # random ones to read the score by
    across: bool = False  # compare embeddings of different dimensionality all the same

    reads = Properties
    measure = qvec
    beside = (qvec_by_chance, qvec_held_out, qvec_rotated, rotation_p)
    blank = 0.0
    local = True
    joint = True

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise BadUsage(f"qvec.folds must be 2 or more, found {self.folds}.")
        if not 0 <= self.rotations <= 1_000_000:
            raise BadUsage(f"qvec.rotations must be from 0 to 1,000,000, found {self.rotations}.")

    def apart(self, first: int, second: int) -> str:
        """Scores are sums over dimensions, so more of them make a higher score."""
        if self.across or first == second:
            return ""
        return (
            f"{first:,} and {second:,} dimensions: the score grows with their number, whatever "
            "they hold, so it ranks only vectors of equal size (--set qvec.across=true does it "
            "all the same)"
        )

    def answer(self, embedding: Embedding, items: Properties, rng: Generator) -> Answers:
        rows = _rows(embedding, items)
        with one_core_each():  # sums over threads differ in their last bits
            if self.method == "alignment":
                given = shares_of(compared(rows, *items.matrix), self.rule, rng)
            elif self.method == "cca":
                given = qvec_cca.shares_of(*_unit_rows(rows, items))
            else:
                given = qvec_cca.held_out_shares(*_unit_rows(rows, items), self.folds, rng)
        return Answers(given=given, gold=items.most)

    def look(self, embedding: Embedding, items: Properties, rng: Generator) -> Findings:
        """Scores to read the score by, and what each dimension stands for."""
        rows = _rows(embedding, items)
        with one_core_each():
            if self.method == "alignment":
                return self._aligned(rows, items, rng)
            if self.method == "cca":
                chance = qvec_cca.correlation_by_chance(*_unit_rows(rows, items), rng)
                return Findings(_references(chance, _IN_FOLDS, _TURNED, _TURNED))
        return Findings(_references(_BY_CHANCE, _ITSELF, _TURNED, _TURNED))

    def _aligned(self, rows: NDArray[np.float32], items: Properties, rng: Generator) -> Findings:
        both = compared(rows, *items.matrix)
        chance = score_by_chance(both, self.rule, rng)
        fair = score_held_out(both, self.rule, rng)
        named = tuple(labels(both, self.rule, list(items.word), rows, _SHOWN))
        if not self.rotations:
            return Findings(_references(chance, fair, _UNASKED, _UNASKED), named)
        scores = rotated_scores(rows, both.properties, self.rotations, self.rule, rng)
        p = share_as_high(scores, both.aligned(self.rule).score)
        return Findings(_references(chance, fair, float(scores.mean()), p), named)


def _rows(embedding: Embedding, items: Properties) -> NDArray[np.float32]:
    return embedding.dense_vectors("QVEC")[embedding.vocabulary.find(items.word)]


def _unit_rows(rows: NDArray[np.float32], items: Properties) -> tuple[Floats, Floats]:
    """Vectors and properties at length 1, of enough words."""
    amounts = items.matrix.amounts
    qvec_cca.must_be_enough(len(rows), rows.shape[1], amounts.shape[1])
    return qvec_cca.unit_rows(rows), qvec_cca.unit_rows(amounts)


def _references(*found: float | str) -> dict[str, float | str]:
    names = (measure.name for measure in Qvec.beside)
    return dict(zip(names, found, strict=True))
