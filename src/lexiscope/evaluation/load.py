"""Read runs from a store: their results, and the predictions of each evaluation."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.policy import Policy
from lexiscope.core.result import (
    Comparison,
    Coverage,
    Dimension,
    Disagreement,
    Failure,
    Result,
    Score,
    display_name,
)
from lexiscope.evaluation.cell import variant_of
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.results import Results
from lexiscope.stats.bootstrap import CONFIDENCE_LEVEL
from lexiscope.store.store import Store


def load_results(store: Store, run: str) -> Results:
    """The results of a run."""
    stored = store.load(run)
    policy = Policy(**stored.about["policy"])
    own = [cell for cell in stored.cells if Policy(**cell["policy"]) == policy]
    others = [cell for cell in stored.cells if Policy(**cell["policy"]) != policy]
    found = stored.findings
    return Results(
        run=run,
        results=_results(own),
        comparisons=tuple(Comparison(**each) for each in found.get("comparisons", ())),
        coverage=_coverage(own),
        failures=tuple(_failure(failure) for failure in stored.failures),
        manifest=stored.about["manifest"],
        policy=policy,
        finished=stored.about["finished"],
        other_policies=_results(others),
        breakdowns=tuple(Result(**each) for each in found.get("breakdowns", ())),
        disagreements=tuple(Disagreement(**each) for each in found.get("disagreements", ())),
        dimensions=tuple(found for cell in own for found in _dimensions(cell)),
        controls=_results(stored.controls),
        control_comparisons=tuple(
            Comparison(**each) for each in found.get("control_comparisons", ())
        ),
    )


def _results(cells: Sequence[dict[str, Any]]) -> tuple[Result, ...]:
    return tuple(result_of(cell, score) for cell in cells for score in cell["scores"])


def result_of(cell: dict[str, Any], score: Score) -> Result:
    """A score of a stored cell as a result."""
    return Result(
        embedding=display_name(cell["embedding_name"], cell["control"]),
        task=cell["task"],
        dataset=cell["dataset_name"],
        metric=score.metric,
        slice=score.slice,
        value=score.value,
        low=score.low,
        high=score.high,
        used=score.used,
        total=score.total,
        state=score.state,
        settings=cell["settings"],
        policy=cell["policy"],
        seed=cell["seed"],
        level=CONFIDENCE_LEVEL,
        main=score.metric == cell["metric"],
        cell=cell["id"],
        task_version=cell["task_version"],
        embedding_fingerprint=cell["embedding"],
        dataset_fingerprint=cell["dataset"],
        variant=cell["variant"],
    )


def _coverage(cells: Sequence[dict[str, Any]]) -> tuple[Coverage, ...]:
    """One entry for each embedding and dataset."""
    found = {
        (cell["embedding_name"], cell["dataset_name"]): Coverage(
            cell["embedding_name"], cell["dataset_name"], cell["used"], cell["total"],
            tuple(cell["missing"]), tuple(cell["zero"]), cell["known_tokens"], cell["tokens"],
        )
        for cell in cells
    }  # fmt: skip
    return tuple(found.values())


def _failure(row: dict[str, Any]) -> Failure:
    embedding = display_name(row["embedding"], row["control"])
    return Failure(embedding, row["variant"], row["dataset"], row["reason"])


def _dimensions(cell: dict[str, Any]) -> list[Dimension]:
    embedding, task, dataset = cell["embedding_name"], cell["variant"], cell["dataset_name"]
    return [
        Dimension(embedding, task, dataset, number, name, correlation, words)
        for number, name, correlation, words in cell["labels"]
    ]


class LoadedEvaluation(NamedTuple):
    """One evaluation under the run's own policy, with all its predictions.

    `cells` are the stored cells of the predictions, in the same order; `controls` are those of
    controls, each with its predictions.
    """

    predictions: EvaluationPredictions
    task: Task[Any]
    dataset: Dataset
    cells: Sequence[dict[str, Any]]
    controls: Sequence[tuple[dict[str, Any], EmbeddingPredictions]]


def load_evaluations(store: Store, run: str, plan: Plan) -> Iterator[LoadedEvaluation]:
    """The evaluations of a run under its own policy, one after the other."""
    stored = store.cells_and_controls(run)
    cells = [c for c in stored if not c["control"] and Policy(**c["policy"]) == plan.policy]
    controls = [c for c in stored if c["control"]]
    for name, task, dataset in plan.pairs():
        variant = variant_of(name, task)
        own, of_controls = (
            [c for c in some if (c["variant"], c["dataset_name"]) == (variant, dataset.name)]
            for some in (cells, controls)
        )
        normalised = dataset.normalised(plan.policy)
        predictions = EvaluationPredictions(
            name, variant, dataset.name, dataset.fingerprint, task.settings, task.metric,
            normalised.gold, normalised.units, [_predictions(store, cell) for cell in own],
            plan.seed, task.joint, _incomparable(task, plan),
        )  # fmt: skip
        loaded = [(cell, _predictions(store, cell)) for cell in of_controls]
        yield LoadedEvaluation(predictions, task, dataset, own, loaded)


def _predictions(store: Store, cell: dict[str, Any]) -> EmbeddingPredictions:
    name = display_name(cell["embedding_name"], cell["control"])
    return EmbeddingPredictions(name, *store.predictions(cell["id"]))


def _incomparable(task: Task[Any], plan: Plan) -> dict[frozenset[str], str]:
    """Which embeddings the task does not compare, and why."""
    return {
        frozenset((one.name, other.name)): reason
        for one, other in combinations(plan.embeddings, 2)
        if (reason := task.incomparable(one.dimension, other.dimension))
    }
