"""Test whether new embeddings are significantly worse than a baseline.

The test is paired if the baseline has predictions (`evaluation/comparison.py`), and unpaired if it
has only scores (`regression/unpaired.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.result import Comparison, Result, variant
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.comparison import EvaluationPredictions, compare, correct
from lexiscope.evaluation.load import load_evaluations
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import resolve_tasks, words_of
from lexiscope.evaluation.run import execute_in
from lexiscope.regression.baseline import (
    NEW_BASELINE,
    Baseline,
    BaselineEvaluation,
    BaselineScore,
)
from lexiscope.regression.datasets import read_datasets
from lexiscope.regression.outcome import Check, CheckedEvaluation, Verdict
from lexiscope.regression.pairing import add_baseline
from lexiscope.regression.rules import apply_rules, rule
from lexiscope.regression.unpaired import unpaired
from lexiscope.store.store import Store

Key = tuple[str, str]  # (task with its settings, dataset)
Bounds = tuple[float, float] | None  # of a metric


def check(
    vectors: Sequence[Any],
    baseline: Baseline,
    rules: Sequence[str],
    inputs: Inputs,
    execution: Execution,
    datasets: Sequence[str] = (),
    decision: DecisionRule = DEFAULT_RULE,
) -> Check:
    """Repeat the evaluations of a baseline with new embeddings, and test the differences.

    The correction covers all evaluations. `datasets` are the files of those that the baseline has
    no path for; `decision` has the level of the tests and the equivalence margin.
    """
    parsed = [rule(text) for text in rules]
    repeated = [_repeat(each) for each in baseline.evaluations]
    tasks = [(each.old.score, each.task) for each in repeated]
    items = read_datasets(baseline, tasks, inputs.local_data, datasets)
    reading = Reading(baseline.policy.limit, local_data=inputs.local_data)
    embeddings = embeddings_from(list(vectors), words_of(items, baseline.policy), reading)
    with Store(execution.store) as store:
        found = [
            evidence
            for embedding in embeddings
            for evidence in _evaluate(embedding, baseline, repeated, items, store, execution)
        ]
    evaluations = apply_rules(_compare(found, decision), parsed)
    return Check(baseline.path, baseline.embedding, tuple(rules), tuple(evaluations))


class _Repeated(NamedTuple):
    """An evaluation of the baseline, and its task in this version; None for the given reason."""

    old: BaselineEvaluation
    task: Task[Any] | None
    variant: str
    reason: str


def _repeat(old: BaselineEvaluation) -> _Repeated:
    score = old.score
    try:
        settings = [(score.task, name, value) for name, value in score.settings.items()]
        ((name, task),) = resolve_tasks([score.task], settings)
    except BadUsage as problem:
        return _Repeated(old, None, score.variant, f"{problem} {NEW_BASELINE}")
    label = variant(name, task.settings, type(task)().settings)
    if (task.version, task.metric.name) == (score.task_version, score.metric):
        return _Repeated(old, task, label, "")
    was, now = f"{score.metric} {score.task_version}", f"{task.metric.name} {task.version}"
    return _Repeated(old, None, label, f"The task has changed ({was}, now {now}). {NEW_BASELINE}")


class _Evidence(NamedTuple):
    """An evaluation before its test: the predictions of both embeddings, or only their scores."""

    checked: CheckedEvaluation
    predictions: EvaluationPredictions | None = None
    scores: tuple[Result, BaselineScore, Bounds] | None = None


def _evaluate(
    embedding: Embedding,
    baseline: Baseline,
    repeated: Sequence[_Repeated],
    items: tuple[Dataset, ...],
    store: Store,
    execution: Execution,
) -> list[_Evidence]:
    tasks: list[tuple[str, Task[Any]]] = []
    for each in repeated:
        if each.task is not None and (each.old.score.task, each.task) not in tasks:
            tasks.append((each.old.score.task, each.task))
    plan = Plan((embedding,), tuple(tasks), items, (baseline.policy,), baseline.seed)
    new = _new(plan, store, execution) if plan.pairs() else _NewResults({}, {}, {}, {})
    return [
        _evidence(embedding.name, _comparable(each, embedding, baseline), new, baseline)
        for each in repeated
    ]


def _comparable(repeated: _Repeated, embedding: Embedding, baseline: Baseline) -> _Repeated:
    """Add the reason if the task does not compare embeddings of these dimensions."""
    if repeated.task is None or not baseline.dimension:
        return repeated
    reason = repeated.task.incomparable(embedding.dimension, baseline.dimension)
    return repeated._replace(reason=reason)


class _NewResults(NamedTuple):
    """The results of the new embedding."""

    results: dict[Key, Result]
    failures: dict[Key, str]
    seconds: dict[Key, float]
    predictions: dict[Key, EvaluationPredictions]


def _new(plan: Plan, store: Store, execution: Execution) -> _NewResults:
    results = execute_in(store, plan, execution)
    cells = store.cells(results.run)
    return _NewResults(
        {(row.variant, row.dataset): row for row in results.main()},
        {(failure.task, failure.dataset): failure.reason for failure in results.failures},
        {(cell["variant"], cell["dataset_name"]): float(cell["seconds"]) for cell in cells},
        {
            (each.predictions.variant, each.predictions.dataset): each.predictions
            for each in load_evaluations(store, results.run, plan)
        },
    )


def _evidence(
    embedding: str, repeated: _Repeated, new: _NewResults, baseline: Baseline
) -> _Evidence:
    """One evaluation, with what can be compared."""
    old = repeated.old.score
    key = repeated.variant, old.dataset
    blank, result = _not_comparable(embedding, repeated), new.results.get(key)
    if repeated.reason or old.value is None:
        reason = repeated.reason or f"the baseline has no score ({old.state})"
        return _Evidence(replace(blank, reason=reason))
    if key in new.failures:
        return _Evidence(replace(blank, verdict="not evaluated", reason=new.failures[key]))
    if result is None:
        reason = f"the task no longer applies to the dataset. {NEW_BASELINE}"
        return _Evidence(replace(blank, reason=reason))
    checked = replace(blank, score=result.value, used=result.used, seconds=new.seconds[key])
    if result.value is None:
        return _Evidence(replace(checked, verdict="not evaluated", reason=result.state))
    if repeated.old.predictions is None:
        bounds = repeated.task.metric.bounds if repeated.task else None
        return _Evidence(checked, scores=(result, old, bounds))
    return _Evidence(checked, add_baseline(new.predictions[key], repeated.old, baseline))


def _not_comparable(embedding: str, repeated: _Repeated) -> CheckedEvaluation:
    old = repeated.old.score
    return CheckedEvaluation(
        embedding, repeated.variant, old.dataset, old.metric, old.value, None, old.used, 0,
        old.total, 0.0, "not comparable", repeated.reason,
    )  # fmt: skip


def _compare(found: Sequence[_Evidence], decision: DecisionRule) -> list[CheckedEvaluation]:
    """Test all differences, corrected together."""
    paired = iter(compare([f.predictions for f in found if f.predictions is not None], len(found)))
    tested = [
        next(paired) if f.predictions is not None else f.scores and unpaired(*f.scores)
        for f in found
    ]
    corrected = iter(correct([each for each in tested if each is not None], decision))
    return [
        f.checked if comparison is None else _with_verdict(f.checked, next(corrected))
        for f, comparison in zip(found, tested, strict=True)
    ]


def _with_verdict(checked: CheckedEvaluation, comparison: Comparison) -> CheckedEvaluation:
    """The outcome of the comparison, seen from the new embedding."""
    found = replace(checked, comparison=comparison, reason=comparison.state)
    if comparison.difference is None:
        return found
    if comparison.outcome == "different":
        better = comparison.difference > 0
        return replace(found, verdict="significantly better" if better else "significantly worse")
    verdict: Verdict = comparison.outcome
    return replace(found, verdict=verdict)
