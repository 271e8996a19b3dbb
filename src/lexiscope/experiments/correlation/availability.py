"""Which models and evaluations of a plan can be run with the data that is available locally."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lexiscope.core.errors import LexiscopeError, NotDownloaded
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData
from lexiscope.data.wordnet import find as find_wordnet
from lexiscope.evaluation.task_index import task_names
from lexiscope.experiments.correlation.plan import CorrelationPlan, Evaluation, NotRun
from lexiscope.experiments.models import Model


def available(plan: CorrelationPlan, local_data: LocalData) -> CorrelationPlan:
    """Return the plan without what lacks data; that is listed with the reason."""
    models, no_models = _available_models(plan.models, local_data)
    evaluations: list[Evaluation] = []
    missing: list[NotRun] = []
    for each in sorted(plan.evaluations, key=lambda each: bool(each.members)):
        known = [one.name for one in evaluations]
        found, lacking = _available_evaluation(each, local_data, known)
        evaluations += found
        missing += lacking
    order = [each.name for each in plan.evaluations]
    evaluations.sort(key=lambda each: order.index(each.name))
    if not evaluations:
        raise NotDownloaded(f"No evaluation can be run. {missing[0].what}: {missing[0].why}")
    not_run = (*no_models, *missing)
    return replace(plan, models=tuple(models), evaluations=tuple(evaluations), not_run=not_run)


def _available_models(
    models: Sequence[Model], local_data: LocalData
) -> tuple[list[Model], list[NotRun]]:
    reasons = {model.name: _missing_lexicon(model, local_data) for model in models}
    missing = [NotRun(name, reason) for name, reason in reasons.items() if reason]
    return [model for model in models if not reasons[model.name]], missing


def _available_evaluation(
    evaluation: Evaluation, local_data: LocalData, known: Sequence[str]
) -> tuple[list[Evaluation], list[NotRun]]:
    """Return the evaluation with the parts that are used, if any, and what is missing.

    `known` are the names of the other evaluations that can be run.
    """
    absent = [name for name in evaluation.members if name not in known]
    if absent:
        return [], [NotRun(evaluation.name, f"There is no score for {', '.join(absent)}.")]
    reasons = [_missing_part(*part, local_data) for part in evaluation.parts]
    missing = [reason for reason in reasons if reason]
    if evaluation.alternatives and "" in reasons:
        index = reasons.index("")
        chosen = evaluation.parts[index]
        skipped = [
            NotRun(f"{task} on {dataset}", f"{reason} Instead: {chosen[1]}.")
            for (task, dataset), reason in zip(evaluation.parts[:index], reasons, strict=False)
        ]
        return [replace(evaluation, parts=(chosen,), alternatives=False)], skipped
    if missing:
        return [], [NotRun(evaluation.name, missing[0])]
    return [evaluation], []


def _missing_lexicon(model: Model, local_data: LocalData) -> str:
    """Return why the lexicon of a model is not available; empty if it is, or if there is none."""
    name = model.lexicon.removesuffix("+")
    if not name or Path(model.lexicon).is_file():
        return ""
    if name != "wordnet":
        return _missing(name, local_data)
    try:
        find_wordnet(local_data)
    except LexiscopeError as problem:
        return str(problem)
    return ""


def _missing_part(task: str, dataset: str, local_data: LocalData) -> str:
    if task not in task_names():
        return f"This version has no task {task}."
    return _missing(dataset, local_data)


def _missing(name: str, local_data: LocalData) -> str:
    if Path(name).is_file():
        return ""
    if name not in catalogue():
        return f"The catalogue has no entry {name}."
    if local_data.is_available(catalogue()[name]):
        return ""
    return (
        f"{name} is not downloaded. Get it with: lexiscope data get {name}, or give the folder "
        "that contains it with --data-dir."
    )
