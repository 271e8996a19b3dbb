"""Read runs from a store: their results, and the predictions of each evaluation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import msgspec

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.policy import Policy
from lexiscope.core.result import (
    WHOLE,
    Comparison,
    Coverage,
    Dimension,
    Disagreement,
    Failure,
    PolicyComparison,
    Result,
    Score,
    SharedScore,
    display_name,
)
from lexiscope.evaluation.cell import variant_of
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.results import Results
from lexiscope.stats.intervals import CONFIDENCE_LEVEL
from lexiscope.store.store import Store

T = TypeVar("T")


def load_results(store: Store, run: str) -> Results:
    """The results of a run; raises `BadData` for content that lexiscope did not write."""
    try:
        found = _load_results(store, run)
        _check_scores((*found.results, *found.other_policies, *found.breakdowns, *found.controls))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
            BadUsage) as problem:  # fmt: skip
        if run not in [known["id"] for known in store.runs()]:
            raise
        raise BadData(
            f"{store.path}: the run '{run}' is damaged or was changed by another program "
            f"({shown(str(problem), 120)}). Run it again with another store."
        ) from problem
    return found


def _check_scores(results: Iterable[Result]) -> None:
    """Raise ValueError for scores that no metric has, and that no chart could show."""
    for each in results:
        numbers = [n for n in (each.value, each.low, each.high) if n is not None]
        if not all(map(isfinite, numbers)) or not 0 <= each.used <= each.total:
            raise ValueError(f"the score of {each.embedding} on {each.dataset}: {numbers}")


def _typed(kind: type[T], rows: Iterable[Any]) -> tuple[T, ...]:
    """Rows as dataclasses, with checked types."""
    return tuple(msgspec.convert(row, kind) for row in rows)


def _load_results(store: Store, run: str) -> Results:
    stored = store.load(run)
    policy = Policy(**stored.about["policy"])
    own = [cell for cell in stored.cells if Policy(**cell["policy"]) == policy]
    others = [cell for cell in stored.cells if Policy(**cell["policy"]) != policy]
    found = stored.findings
    shared = _typed(SharedScore, found.get("shared_scores", ()))
    return Results(
        run=run,
        results=_with_shared_scores(_results(own), shared),
        comparisons=_typed(Comparison, found.get("comparisons", ())),
        coverage=_coverage(own, _computed(stored.about["manifest"])),
        failures=tuple(_failure(failure) for failure in stored.failures),
        manifest=stored.about["manifest"],
        policy=policy,
        finished=stored.about["finished"],
        other_policies=_results(others),
        breakdowns=_typed(Result, found.get("breakdowns", ())),
        disagreements=_typed(Disagreement, found.get("disagreements", ())),
        dimensions=tuple(found for cell in own for found in _dimensions(cell)),
        controls=_results(stored.controls),
        control_comparisons=_typed(Comparison, found.get("control_comparisons", ())),
        model_comparisons=_typed(Comparison, found.get("model_comparisons", ())),
        policy_comparisons=_typed(PolicyComparison, found.get("policy_comparisons", ())),
    )


def _results(cells: Sequence[dict[str, Any]]) -> tuple[Result, ...]:
    return tuple(result_of(cell, score) for cell in cells for score in cell["scores"])


def _with_shared_scores(
    results: Iterable[Result], shared: Iterable[SharedScore]
) -> tuple[Result, ...]:
    """Add the scores on shared items to the main results on whole datasets."""
    found = {(s.embedding, s.task, s.dataset): s for s in shared}

    def added(result: Result) -> Result:
        is_main = result.main and result.slice == WHOLE
        score = found.get((result.embedding, result.variant, result.dataset)) if is_main else None
        if score is None:
            return result
        return replace(
            result, shared_value=score.value, shared_low=score.low, shared_high=score.high,
            shared_items=score.items,
        )  # fmt: skip

    return tuple(map(added, results))


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


def _computed(manifest: dict[str, Any]) -> dict[tuple[str, str], int]:
    """How many vectors were computed, by embedding and dataset; runs of old versions lack it."""
    return {
        (each["name"], dataset): int(number)
        for each in manifest["embeddings"]
        for dataset, number in each.get("computed", {}).items()
    }


def _coverage(
    cells: Sequence[dict[str, Any]], computed: dict[tuple[str, str], int]
) -> tuple[Coverage, ...]:
    """One entry for each embedding and dataset."""
    found = {
        (cell["embedding_name"], cell["dataset_name"]): Coverage(
            cell["embedding_name"], cell["dataset_name"], cell["used"], cell["total"],
            tuple(cell["missing"]), tuple(cell["zero"]), cell["known_tokens"], cell["tokens"],
            computed.get((cell["embedding_name"], cell["dataset_name"]), 0),
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
    """One evaluation under a policy, with all its predictions.

    `cells` are the stored cells of the predictions, in the same order; `controls` are those of
    controls, each with its predictions.
    """

    predictions: EvaluationPredictions
    task: Task[Any]
    dataset: Dataset
    cells: Sequence[dict[str, Any]]
    controls: Sequence[tuple[dict[str, Any], EmbeddingPredictions]]
    policy: Policy


def load_evaluations(store: Store, run: str, plan: Plan) -> Iterator[LoadedEvaluation]:
    """The evaluations of a run under its own policy, one after the other."""
    stored = store.cells_and_controls(run)
    own = [c for c in stored if c["control"] or Policy(**c["policy"]) == plan.policy]
    for each in plan.pairs():
        yield load_evaluation(store, own, plan, plan.policy, each)


def load_evaluation(
    store: Store,
    cells: Iterable[dict[str, Any]],
    plan: Plan,
    policy: Policy,
    evaluated: tuple[str, Task[Any], Dataset],
) -> LoadedEvaluation:
    """One task on one dataset, from those of the stored cells that belong to it."""
    name, task, dataset = evaluated
    variant, normalised = variant_of(name, task), dataset.normalised(policy)
    here = [c for c in cells if (c["variant"], c["dataset_name"]) == (variant, dataset.name)]
    own = [cell for cell in here if not cell["control"]]
    predictions = EvaluationPredictions(
        name, variant, dataset.name, dataset.fingerprint, task.settings, task.metric,
        normalised.gold, normalised.units, [_predictions(store, cell) for cell in own],
        plan.seed, task.joint, _incomparable(task, plan), normalised.strata,
        task.variance_inflation(normalised),
    )  # fmt: skip
    controls = [(cell, _predictions(store, cell)) for cell in here if cell["control"]]
    return LoadedEvaluation(predictions, task, dataset, own, controls, policy)


def _predictions(store: Store, cell: dict[str, Any]) -> EmbeddingPredictions:
    name = display_name(cell["embedding_name"], cell["control"])
    return EmbeddingPredictions(name, *store.predictions(cell["id"]), cell["id"])


def _incomparable(task: Task[Any], plan: Plan) -> dict[frozenset[str], str]:
    """Which embeddings the task does not compare, and why."""
    return {
        frozenset((one.name, other.name)): reason
        for one, other in combinations(plan.embeddings, 2)
        if (reason := task.incomparable(one.dimension, other.dimension))
    }
