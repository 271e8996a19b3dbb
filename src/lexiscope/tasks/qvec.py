"""QVEC: correlation of dimensions with known properties of words.

Each dimension is aligned to the property that it correlates with best over the common words, such
as a supersense or a part of speech. QVEC is the sum of these correlations. It grows with the number
of dimensions and changes when the vectors are rotated, although all cosines stay the same; QVEC-CCA
does not change. Tsvetkov et al. 2015, section 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Diagnostics, Predictions, Task
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import Embedding
from lexiscope.linalg.deterministic_products import single_threaded_blas
from lexiscope.metrics import qvec_cca
from lexiscope.metrics.qvec import (
    chance_level,
    contributions,
    held_out_score,
    labels,
    qvec,
    qvec_chance_level,
    qvec_held_out,
    qvec_input,
    qvec_rotated,
    rotation_p_value,
)
from lexiscope.metrics.rotations import rotated_scores, rotation_test

_WORDS = 10  # of a label
_NO_ROTATIONS = "no random rotations were requested (--set qvec.rotations=1000)"
_INVARIANT = "canonical correlations are the same for every rotation"
_OTHER_METHOD = "available with --set qvec.method=cca-held-out"
_UNBIASED = "correlations on held-out words have a chance level of 0"
_HELD_OUT = "the score itself is on held-out words"


@dataclass(frozen=True)
class Qvec(Task[Properties]):
    """Sum over dimensions of the correlation with the best property of each."""

    method: Literal["alignment", "cca", "cca-held-out"] = setting(
        "alignment", "QVEC, QVEC-CCA, or QVEC-CCA on held-out words."
    )
    rule: Literal["formula", "script"] = setting(
        "formula", "Whether a dimension without a positive correlation adds 0 or its correlation."
    )
    folds: int = setting(10, "Folds of cca-held-out.", minimum=2)
    rotations: int = setting(
        0, "Random rotations to compare the score with.", minimum=0, maximum=1_000_000
    )
    allow_unequal_dimensions: bool = setting(
        False, "Compare embeddings with different numbers of dimensions."
    )

    dataset = Properties
    metric = qvec
    secondary = (qvec_chance_level, qvec_held_out, qvec_rotated, rotation_p_value)
    oov_prediction = 0.0
    local = True
    joint = True

    def incomparable(self, first: int, second: int) -> str:
        """The score is a sum over dimensions, so it grows with their number."""
        if self.allow_unequal_dimensions or first == second:
            return ""
        return (
            f"{first:,} and {second:,} dimensions: the score grows with the number of dimensions, "
            "so it only ranks vectors of equal size (--set qvec.allow_unequal_dimensions=true "
            "compares them nevertheless)"
        )

    def predict(self, embedding: Embedding, items: Properties, rng: Generator) -> Predictions:
        rows = _rows(embedding, items)
        with single_threaded_blas():  # sums over threads differ in their last bits
            if self.method == "alignment":
                predicted = contributions(qvec_input(rows, *items.matrix), self.rule, rng)
            elif self.method == "cca":
                predicted = qvec_cca.contributions(*_unit_rows(rows, items))
            else:
                tables = _unit_rows(rows, items)
                predicted = qvec_cca.held_out_contributions(*tables, self.folds, rng)
        return Predictions(predicted, items.most)

    def diagnose(self, embedding: Embedding, items: Properties, rng: Generator) -> Diagnostics:
        """Compute reference scores, and label each dimension with its property."""
        rows = _rows(embedding, items)
        with single_threaded_blas():
            if self.method == "alignment":
                return self._diagnose_alignment(rows, items, rng)
            if self.method == "cca":
                chance = qvec_cca.chance_level(*_unit_rows(rows, items), rng)
                return Diagnostics(_references(chance, _OTHER_METHOD, _INVARIANT, _INVARIANT))
        return Diagnostics(_references(_UNBIASED, _HELD_OUT, _INVARIANT, _INVARIANT))

    def _diagnose_alignment(
        self, rows: NDArray[np.float32], items: Properties, rng: Generator
    ) -> Diagnostics:
        data = qvec_input(rows, *items.matrix)
        chance = chance_level(data, self.rule, rng)
        held_out = held_out_score(data, self.rule, rng)
        named = tuple(labels(data, self.rule, list(items.word), rows, _WORDS))
        if not self.rotations:
            return Diagnostics(_references(chance, held_out, _NO_ROTATIONS, _NO_ROTATIONS), named)
        scores = rotated_scores(rows, data.properties, self.rotations, self.rule, rng)
        p = rotation_test(scores, data.align(self.rule).score)
        return Diagnostics(_references(chance, held_out, float(scores.mean()), p), named)


def _rows(embedding: Embedding, items: Properties) -> NDArray[np.float32]:
    return embedding.dense_vectors("QVEC")[embedding.vocabulary.find(items.word)]


def _unit_rows(rows: NDArray[np.float32], items: Properties) -> tuple[Floats, Floats]:
    """L2-normalised rows of vectors and properties; raises `Undefined` for too few words."""
    amounts = items.matrix.amounts
    qvec_cca.check_enough_words(len(rows), rows.shape[1], amounts.shape[1])
    return qvec_cca.unit_rows(rows), qvec_cca.unit_rows(amounts)


def _references(*found: float | str) -> dict[str, float | str]:
    names = (metric.name for metric in Qvec.secondary)
    return dict(zip(names, found, strict=True))
