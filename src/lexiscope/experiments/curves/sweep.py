"""Train the models of learning curves, and store their predictions.

A job is one embedding, one dataset and one repeat, with all models and training sizes that are
not stored yet. Every finished job is stored at once, and the same plan continues from there.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import isfinite
from typing import Any, NamedTuple

from lexiscope.core.contracts.learner import Family, Learner, Outcome, TrainingSet
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.evaluation.backends import distribute
from lexiscope.experiments.curves.plan import CurvePlan
from lexiscope.experiments.curves.vectors import Problem, problem
from lexiscope.experiments.identity import hashed
from lexiscope.learners.curve_splits import OuterSplit, SplitItems, training_sets
from lexiscope.learners.problems import AnalogyPairs
from lexiscope.store.store import PointRecord, Store

Missing = dict[tuple[int, int, int], list[str]]


class Key(NamedTuple):
    """A curve of one repeat: positions in the plan, and the name of the model."""

    vectors: int
    items: int
    repeat: int
    model: str


@dataclass(frozen=True, eq=False)
class CurveJob:
    """The models of one embedding, dataset and repeat that are still to be trained."""

    split_id: str
    embedding: str
    dataset: str
    family: Family
    repeat: int
    seed: int
    problem: Problem
    items: SplitItems
    split: OuterSplit
    sizes: tuple[int, ...]
    models: dict[str, Learner]
    wanted: tuple[str, ...]


def point_ids(plan: CurvePlan, key: Key, split_id: str) -> list[str]:
    """Return the ids of the points of a curve, one per training size."""
    family, vectors = plan.items[key.items].family, plan.vectors[key.vectors].fingerprint
    own = _identity(plan.models, key.model, family)
    return [hashed([split_id, vectors, size, own]) for size in plan.splits[key.items].sizes]


def _identity(models: dict[str, Learner], name: str, family: Family) -> list[Any]:
    """What the predictions of a model depend on: its settings, and those of its fallback."""
    model = models[name]
    own = [name, model.version, model.settings]
    simpler = model.fallback.get(family)
    return [*own, *_identity(models, simpler, family)] if simpler else own


def run_curves(plan: CurvePlan, store: Store, execution: Execution) -> None:
    """Train all models of a plan, except those that are stored already."""
    missing = _missing(plan, store, execution.force)
    total = len(plan.vectors) * len(plan.items) * plan.protocol.repeats
    done = total - len(missing)
    execution.progress("Learning curves", done, total)
    if not missing:
        return
    with closing(distribute(run_job, _jobs(plan, missing), execution)) as outcomes:
        for _, points in outcomes:
            store.add_points(points, execution.force)
            done += 1
            execution.progress("Learning curves", done, total)


def _jobs(plan: CurvePlan, missing: Missing) -> Iterator[CurveJob]:
    """Create the jobs one by one; all problems at once would fill the memory."""
    features = plan.protocol.pair_features
    for (items, vectors), group in groupby(missing, key=lambda key: key[:2]):
        dataset, here = plan.items[items], plan.splits[items]
        found = problem(plan.vectors[vectors], dataset, features)
        for key in group:
            repeat = key[2]
            if isinstance(found, AnalogyPairs):
                found = replace(found, partner=here.partners[repeat])
            yield CurveJob(
                plan.split_id(items, repeat), plan.vectors[vectors].fingerprint,
                dataset.fingerprint, dataset.family, repeat, plan.seed, found,
                dataset.split_items(plan.protocol.shared_words), here.splits[repeat],
                here.sizes, plan.models_of(dataset.family), tuple(missing[key]),
            )  # fmt: skip


def _missing(plan: CurvePlan, store: Store, force: bool) -> Missing:
    """The models that are not stored yet, by dataset, embedding and repeat."""
    found: Missing = {}
    for items, dataset in enumerate(plan.items):
        models, numbers = plan.models_of(dataset.family), range(plan.protocol.repeats)
        split_ids = [plan.split_id(items, repeat) for repeat in numbers]
        for vectors, repeat in product(range(len(plan.vectors)), numbers):
            for name in models:
                key = Key(vectors, items, repeat, name)
                ids = point_ids(plan, key, split_ids[repeat])
                if force or len(store.stored_points(ids)) < len(ids):
                    found.setdefault((items, vectors, repeat), []).append(name)
    return found


def run_job(job: CurveJob) -> list[PointRecord]:
    """Train the models of a job at every training size."""
    from threadpoolctl import threadpool_limits

    def of_size(size: int) -> Any:
        return generator(job.seed, "folds", job.split_id, str(size))

    sets = training_sets(job.items, job.split, job.sizes, of_size)
    with threadpool_limits(1):
        return [
            point
            for size, each in zip(job.sizes, sets, strict=True)
            for point in _points(job, size, each)
        ]


def _points(job: CurveJob, size: int, sets: TrainingSet) -> Iterator[PointRecord]:
    outcomes: dict[str, Outcome] = {}
    for name in job.wanted:
        started = time.perf_counter()
        outcome = _outcome(job, name, size, sets, outcomes)
        seconds = time.perf_counter() - started
        yield _record(job, name, size, outcome, seconds)


def _outcome(
    job: CurveJob, name: str, size: int, sets: TrainingSet, outcomes: dict[str, Outcome]
) -> Outcome:
    """Train a model, after the model that it falls back to; each once."""
    if name not in outcomes:
        model = job.models[name]
        simpler = model.fallback.get(job.family)
        fallback = _outcome(job, simpler, size, sets, outcomes) if simpler else None
        rng = generator(job.seed, "model", name, job.split_id, str(size))
        outcomes[name] = model.fit_predict(job.problem, sets, rng, fallback)
    return outcomes[name]


def _record(job: CurveJob, name: str, size: int, outcome: Outcome, seconds: float) -> PointRecord:
    model, own = job.models[name], _identity(job.models, name, job.family)
    return PointRecord(
        hashed([job.split_id, job.embedding, size, own]), job.split_id, job.embedding,
        job.dataset, job.repeat, job.seed, name, model.version, model.settings, size,
        outcome.selected, outcome.validation if isfinite(outcome.validation) else None,
        outcome.bits, seconds, versions(), outcome.predicted,
    )  # fmt: skip
