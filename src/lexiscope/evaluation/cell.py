"""A cell: one embedding, one task with its settings, one dataset; what is computed and stored."""

import hashlib
import inspect
import json
import time
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Diagnostics, Label, Predictions, Task
from lexiscope.core.datasets.base import Dataset, TokenCoverage, Units
from lexiscope.core.errors import LexiscopeError, Undefined
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Control, Score, variant
from lexiscope.core.seeding import generator
from lexiscope.core.vectors import new_table
from lexiscope.evaluation.vocabulary import (
    Aligned,
    Covered,
    add_mean_vectors,
    cover,
    cover_everything,
)
from lexiscope.stats.intervals import confidence_interval, mean_metric

_REFERENCE = "a reference to read the score by"


@dataclass(frozen=True)
class Cell:
    """What to evaluate; `embedding` is the index of the embedding in the plan."""

    embedding: int
    task_name: str
    task: Task[Any]
    dataset: Dataset
    policy: Policy
    seed: int
    control: Control = ""

    @property
    def variant(self) -> str:
        """The task's name with the settings that are not the default."""
        return variant_of(self.task_name, self.task)

    def key(self, embedding: str, shared: str) -> str:
        """The id of the cell in a store: equal work has an equal key, in any run."""
        parts = {
            "task": self.task_name,
            "version": self.task.version,
            "code": _code(type(self.task)),
            "settings": self.task.settings,
            "embedding": embedding,
            "dataset": self.dataset.fingerprint,
            "policy": self.policy.as_dict(),
            "shared": shared,
            "seed": self.seed,
            "control": self.control,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def variant_of(name: str, task: Task[Any]) -> str:
    """A task's name with the settings that are not the default."""
    return variant(name, task.settings, {field.name: field.default for field in fields(task)})


def _code(kind: type[Task[Any]]) -> str:
    """The source of a task from outside the package, which may change without a new version."""
    if kind.__module__.startswith("lexiscope."):
        return ""
    try:
        return f"{kind.__qualname__}\n{inspect.getsource(kind)}"
    except (OSError, TypeError):  # typed into an interpreter
        return kind.__qualname__


class KnownPredictions(NamedTuple):
    """Predictions that were made before under another policy: the items, and their values."""

    items: NDArray[np.int64]
    predicted: NDArray[Any]


class Outcome(NamedTuple):
    """Predictions and scores of a cell, or the reason for a failure."""

    items: NDArray[np.int64]
    predicted: NDArray[Any]
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    scores: tuple[Score, ...]
    seconds: float
    failure: str = ""
    labels: tuple[Label, ...] = ()
    tokens: TokenCoverage | None = None


def evaluate(cell: Cell, aligned: Aligned, known: KnownPredictions | None = None) -> Outcome:
    """Cover the dataset, predict, score, and compute intervals."""
    started = time.perf_counter()
    try:
        return _outcome(cell, aligned, known, started)
    except LexiscopeError as problem:
        return failed(str(problem), started)
    except Exception as problem:  # an error in a task: the run continues and reports it
        return failed(f"{type(problem).__name__}: {problem}", started)


def _outcome(
    cell: Cell, aligned: Aligned, known: KnownPredictions | None, started: float
) -> Outcome:
    normalised = cell.dataset.normalised(cell.policy)
    without_vectors = cell.control == "none"
    coverage = cover_everything(normalised) if without_vectors else cover(aligned, normalised)
    diagnostics = Diagnostics()
    if known is None:
        try:
            known, diagnostics = _predictions(cell, aligned, normalised, coverage)
        except Undefined as reason:
            return _undefined(cell, coverage, str(reason), started)
    known = _with_oov_items(cell, known)
    scores = _scores(cell, normalised, known) + _references(cell, diagnostics, len(known.items))
    return Outcome(
        known.items,
        known.predicted,
        coverage.missing,
        coverage.zero,
        scores,
        time.perf_counter() - started,
        labels=diagnostics.labels,
        tokens=coverage.tokens,
    )


def _predictions(
    cell: Cell, aligned: Aligned, normalised: Dataset, coverage: Covered
) -> tuple[KnownPredictions, Diagnostics]:
    labels = cell.task_name, cell.dataset.fingerprint
    vectors = add_mean_vectors(controlled(cell, aligned), normalised, cell.policy)
    covered = coverage if cell.policy.oov != "mean" else cover(vectors, normalised)
    predicted = _predict(cell, vectors, covered.dataset, generator(cell.seed, *labels))
    rng = generator(cell.seed, *labels, "look")
    return KnownPredictions(covered.items, predicted), _diagnose(
        cell, vectors, covered.dataset, rng
    )


def _scores(cell: Cell, normalised: Dataset, known: KnownPredictions) -> tuple[Score, ...]:
    """Every metric on the whole dataset and on each slice."""
    data = scored_items(cell.task, normalised, known.items, known.predicted)
    labels = cell.task_name, cell.dataset.fingerprint
    return tuple(
        score(metric, name, data, mask, generator(cell.seed, *labels, metric.name, name))
        for metric in cell.task.metrics()
        if not metric.diagnostic
        for name, mask in _slices(cell.dataset)
    )


def _diagnose(cell: Cell, aligned: Aligned, items: Dataset, rng: Generator) -> Diagnostics:
    """The task's diagnostics; none for controls, nor where no item is covered."""
    if not len(items) or cell.control:
        return Diagnostics()
    return cell.task.diagnose(aligned.embedding, items, rng)


def _references(cell: Cell, diagnostics: Diagnostics, used: int) -> tuple[Score, ...]:
    """The references that the task computes itself, on the whole dataset."""
    total = len(cell.dataset)
    found = []
    for name in (metric.name for metric in cell.task.metrics() if metric.diagnostic):
        value = diagnostics.references.get(name, "not computed again for this policy")
        known = isinstance(value, float)
        state = _REFERENCE if known else str(value)
        number = float(value) if known else None
        found.append(Score(name, WHOLE, number, None, None, used, total, state))
    return tuple(found)


def _undefined(cell: Cell, coverage: Covered, reason: str, started: float) -> Outcome:
    """The outcome of a task that is undefined on these items: no score, and why."""
    total, none = len(cell.dataset), np.empty(0)
    scores = tuple(
        Score(metric.name, WHOLE, None, None, None, 0, total, reason)
        for metric in cell.task.metrics()
    )
    seconds = time.perf_counter() - started
    empty = none.astype(np.int64)
    return Outcome(empty, none, coverage.missing, coverage.zero, scores, seconds)


def predict_again(cell: Cell, aligned: Aligned, items: NDArray[np.int64]) -> NDArray[Any]:
    """The predictions if only these items are evaluated."""
    normalised = cell.dataset.normalised(cell.policy)
    rng = generator(cell.seed, cell.task_name, cell.dataset.fingerprint)
    vectors = add_mean_vectors(controlled(cell, aligned), normalised, cell.policy)
    return _predict(cell, vectors, normalised.take(items), rng)


def controlled(cell: Cell, aligned: Aligned) -> Aligned:
    """The embedding, or its random control: the same words with normal vectors of equal spread.

    Embeddings with the same words and dimension have the same control, up to the spread. The
    control of sparse vectors has the same rows, permuted among the words.
    """
    if cell.control != "random":
        return aligned
    vectors = aligned.embedding.vectors
    rng = generator(cell.seed, "random vectors", cell.dataset.fingerprint)
    if aligned.embedding.is_sparse:
        sampled = vectors[rng.permutation(vectors.shape[0])]
    else:
        sampled = new_table(vectors.shape)
        rng.standard_normal(dtype=np.float32, out=sampled)
        squares = np.square(vectors, dtype=np.float64, out=new_table(vectors.shape, np.float64))
        sampled *= np.sqrt(np.mean(squares))
    return Aligned(replace(aligned.embedding, vectors=sampled), aligned.zero)


def _slices(dataset: Dataset) -> list[tuple[str, NDArray[np.bool_]]]:
    """The whole dataset, then its slices; a slice cannot take the name of the whole."""
    whole = np.ones(len(dataset), bool)
    return [(WHOLE, whole), *((n, mask) for n, mask in dataset.slices.items() if n != WHOLE)]


def _predict(cell: Cell, aligned: Aligned, items: Dataset, rng: Generator) -> NDArray[Any]:
    if not len(items):
        return np.empty(0)
    if cell.control == "none":
        predicted = cell.task.without_vectors(items, rng).predicted
    else:
        predicted = cell.task.predict(aligned.embedding, items, rng).predicted
    if len(predicted) != len(items):
        raise ValueError(f"{len(predicted)} predictions for {len(items)} items")
    if predicted.dtype.kind == "f" and np.isnan(predicted).any():
        raise ValueError(f"no number for item {int(np.argmax(np.isnan(predicted)))}")
    return predicted


def _with_oov_items(cell: Cell, known: KnownPredictions) -> KnownPredictions:
    """Predictions for all items if out-of-vocabulary items count with an empty prediction."""
    if cell.policy.oov != "zero" or len(known.items) == len(cell.dataset):
        return known
    empty = cell.task.oov_prediction
    predicted = np.full(len(cell.dataset), empty, object if isinstance(empty, str) else np.float64)
    predicted[known.items] = known.predicted
    return KnownPredictions(np.arange(len(cell.dataset)), predicted)


class ScoredItems(NamedTuple):
    """Predictions for some items, with the gold values and the units of the whole dataset."""

    items: NDArray[np.int64]
    predicted: NDArray[Any]
    gold: NDArray[Any]
    units: Units | None
    strata: NDArray[np.int64] | None = None
    variance_inflation: float = 1.0

    def predictions(self) -> Predictions:
        """Predictions and gold values of the covered items."""
        units, strata = (
            None if column is None else column[self.items] for column in (self.units, self.strata)
        )
        gold = self.gold[self.items]
        return Predictions(self.predicted, gold, units, strata, self.variance_inflation)


def scored_items(
    task: Task[Any], dataset: Dataset, items: NDArray[np.int64], predicted: NDArray[Any]
) -> ScoredItems:
    """The predictions of a task for some items of a dataset."""
    inflation = task.variance_inflation(dataset)
    return ScoredItems(items, predicted, dataset.gold, dataset.units, dataset.strata, inflation)


def score(
    metric: Metric, name: str, data: ScoredItems, mask: NDArray[np.bool_], rng: Generator
) -> Score:
    """A metric on a slice of the dataset, with its confidence interval."""
    used, total = int(mask[data.items].sum()), int(mask.sum())
    value = None
    try:
        if not used and not metric.all_items:
            raise Undefined("no item is covered")
        chosen, predictions = _slice_of(metric, data, mask)
        value = chosen(predictions.predicted, predictions.gold, predictions.units)
        if metric.reference:
            raise Undefined(_REFERENCE)
        low, high = confidence_interval(chosen, predictions, rng)
    except Undefined as reason:
        return Score(metric.name, name, value, None, None, used, total, str(reason))
    return Score(metric.name, name, value, low, high, used, total)


def _slice_of(
    metric: Metric, data: ScoredItems, mask: NDArray[np.bool_]
) -> tuple[Metric, Predictions]:
    """The metric and the predictions of a slice.

    The value of an item may depend on all items (a cluster's majority), so a mean over items is
    computed on the whole dataset first. With `all_items`, items that are not covered count as 0.
    """
    predictions, inside = data.predictions(), mask[data.items]
    if metric.per_item is None or (inside.all() and not metric.all_items):
        return metric, predictions.take(inside)
    values = metric.per_item(predictions.predicted, predictions.gold)
    if not metric.all_items:
        chosen = replace(predictions, predicted=values, gold=np.zeros(len(values))).take(inside)
        return mean_metric(metric.name, metric.bounds), chosen
    hits = np.zeros(len(mask))
    hits[data.items] = values
    every = data._replace(items=np.arange(len(mask)), predicted=hits, gold=np.zeros(len(mask)))
    return mean_metric(metric.name, metric.bounds), every.predictions().take(mask)


def failed(reason: str, started: float) -> Outcome:
    """The outcome of a cell that failed."""
    none = np.empty(0)
    seconds = time.perf_counter() - started
    return Outcome(none.astype(np.int64), none, (), (), (), seconds, reason)
