"""Predictions for the items that embeddings have in common.

The predictions of a joint task depend on which items are evaluated, so it predicts these items
again. Every comparison uses the items of its own embeddings, whatever others cover.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import LexiscopeError, Undefined
from lexiscope.evaluation.cell import Cell, predict_again
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions
from lexiscope.evaluation.load import LoadedEvaluation
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.vocabulary import AlignedEmbeddings
from lexiscope.store.database import stored_array

Items = NDArray[np.int64]


class StoredCell(NamedTuple):
    """A stored cell with its predictions."""

    cell: dict[str, Any]
    predictions: EmbeddingPredictions


class CommonItems:
    """The predictions of one evaluation for chosen items; what is predicted again is cached."""

    def __init__(
        self, evaluation: LoadedEvaluation, plan: Plan, aligned: AlignedEmbeddings
    ) -> None:
        self.evaluation, self.plan, self.aligned = evaluation, plan, aligned
        self.cells = [
            StoredCell(*each)
            for each in zip(evaluation.cells, evaluation.predictions.predictions, strict=True)
        ]
        self._cache: dict[tuple[str, bytes], NDArray[Any]] = {}

    def pairs(self) -> Iterator[EvaluationPredictions]:
        """Every two embeddings, on the items that both cover."""
        for pair in combinations(self.cells, 2):
            yield self.on_common_items(pair)

    def on_common_items(self, cells: Sequence[StoredCell]) -> EvaluationPredictions:
        """The predictions of these cells for the items that all of them cover.

        If a joint task cannot predict them, no two of the embeddings are comparable.
        """
        found, own = self.evaluation.predictions, [each.predictions for each in cells]
        pairs = [frozenset(pair) for pair in combinations([p.embedding for p in own], 2)]
        if any(pair in found.incomparable for pair in pairs):
            return found._replace(predictions=own)
        try:
            items = common_items(own)
            return found._replace(predictions=[self.on(each, items) for each in cells])
        except Undefined as reason:
            return found._replace(predictions=own, incomparable=dict.fromkeys(pairs, str(reason)))

    def on(self, stored: StoredCell, items: Items) -> EmbeddingPredictions:
        """The predictions of a cell for some of its items; raises `Undefined` if there are none."""
        cell, own = stored
        if len(own.items) == len(items):
            return own
        if not self.evaluation.task.joint:
            return own._replace(
                items=items, predicted=own.predicted[np.searchsorted(own.items, items)]
            )
        key = cell["id"], items.tobytes()
        if key not in self._cache:
            self._cache[key] = self._predict(cell, items)
        return own._replace(items=items, predicted=self._cache[key])

    def _predict(self, stored: dict[str, Any], items: Items) -> NDArray[Any]:
        """The predictions if only these items are evaluated, in the form of stored ones."""
        if not len(items):
            raise Undefined("no item is covered by both embeddings")
        names = [embedding.name for embedding in self.plan.embeddings]
        index = names.index(stored["embedding_name"]) if stored["embedding_name"] else 0
        cell = Cell(
            index, self.evaluation.predictions.task, self.evaluation.task, self.evaluation.dataset,
            self.evaluation.policy, self.plan.seed, stored["control"],
        )  # fmt: skip
        try:
            predicted = predict_again(cell, self.aligned.get(index, cell.policy), items)
        except LexiscopeError as problem:
            raise Undefined(f"on the {len(items):,} shared items: {problem}") from None
        except Exception as problem:  # an error in a task: the run continues and reports it
            text = f"{type(problem).__name__}: {problem}"
            raise Undefined(f"on the {len(items):,} shared items: {text}") from None
        return stored_array(predicted.tolist())


def common_items(predictions: Sequence[EmbeddingPredictions]) -> Items:
    """The items that all of these embeddings cover, in order."""
    return reduce(
        lambda one, other: np.intersect1d(one, other, assume_unique=True),
        [each.items for each in predictions],
    )
