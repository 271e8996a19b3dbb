"""Run a correlation experiment: train, evaluate, correlate the evaluations over models.

Trained vectors are stored in a folder with their records, predictions in the store. The same plan
continues from there.
"""

import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.execution import Execution
from lexiscope.data.inputs import Inputs
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.backends import distribute
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import resolve_datasets, resolve_tasks, words_of
from lexiscope.evaluation.results import Results
from lexiscope.evaluation.run import execute_in
from lexiscope.experiments.cluster_training import train_on_cluster
from lexiscope.experiments.config import Experiment
from lexiscope.experiments.correlation.analysis import analyse
from lexiscope.experiments.correlation.availability import available
from lexiscope.experiments.correlation.plan import CorrelationPlan, trainings
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.experiments.runner import CorpusCache, train_all
from lexiscope.store.store import Store


def run(
    plan: CorrelationPlan,
    folder: str | Path = "vectors",
    inputs: Inputs | None = None,
    execution: Execution | None = None,
) -> CorrelationResults:
    """Train and evaluate what is not stored yet, and correlate the evaluations.

    Vectors are stored in a subfolder of `folder` for each combination of corpus, seed and
    hyperparameters.
    """
    execution, inputs = execution or Execution(), inputs or Inputs()
    possible = available(plan, inputs.local_data)
    vectors = train_models(possible, folder, inputs, execution)
    with Store(execution.store) as store:
        found = {d: _evaluate(possible, vectors, d, store, inputs, execution)
                 for d in plan.dimensions}  # fmt: skip
    return analyse(possible, found, vectors)


def train_models(
    plan: CorrelationPlan, folder: str | Path, inputs: Inputs, execution: Execution
) -> Path:
    """Train the models of a plan that are not trained yet, and return the folder of vectors."""
    vectors = Path(folder) / f"{plan.name}-{plan.fingerprint}"
    _train(trainings(plan, vectors), inputs, execution)
    return vectors


class _Job(NamedTuple):
    """A model to train, with the models that change its vectors.

    `number` identifies the call, because corpus files may change before the next one.
    """

    chain: Experiment
    data_dir: str | None
    force: bool
    number: str


@lru_cache(maxsize=1)
def _shared(data_dir: str | None, number: str) -> tuple[LocalData, CorpusCache]:
    """Return the local data and the last corpus, which the trainings of one process share."""
    local_data = LocalData(data_dir)
    return local_data, CorpusCache(local_data)


def _train(chains: Sequence[Experiment], inputs: Inputs, execution: Execution) -> None:
    total, done = sum(len(chain.training) for chain in chains), 0

    def report(finished: int) -> None:
        nonlocal done
        done += finished
        execution.progress("Trainings", done, total)

    report(0)
    if execution.backend == "dask":
        train_on_cluster(chains, inputs.local_data, execution, report)
        return
    folder = None if inputs.data_dir is None else str(inputs.data_dir)
    number = uuid.uuid4().hex
    jobs = [_Job(chain, folder, execution.force, number) for chain in chains]
    with closing(distribute(_train_chain, jobs, execution)) as outcomes:
        for _, finished in outcomes:
            report(finished)


def _train_chain(job: _Job) -> int:
    """Train a model and those that change its vectors; return the number of trainings."""
    local_data, cache = _shared(job.data_dir, job.number)
    return len(list(train_all(job.chain, local_data, force=job.force, cache=cache)))


def _evaluate(
    plan: CorrelationPlan,
    folder: Path,
    dimension: int,
    store: Store,
    inputs: Inputs,
    execution: Execution,
) -> Results:
    """Run every evaluation on the embeddings of a dimensionality."""
    parts = [part for evaluation in plan.evaluations for part in evaluation.parts]
    tasks = resolve_tasks([task for task, _ in parts])
    names = list(dict.fromkeys(dataset for _, dataset in parts))
    kinds, policy = [task.dataset for _, task in tasks], plan.policy
    datasets = resolve_datasets(names, kinds, inputs.local_data)
    paths = [str(folder / f"{name}.safetensors") for name in plan.embeddings(dimension)]
    reading = Reading(local_data=inputs.local_data)
    embeddings = embeddings_from(paths, words_of(datasets, policy), reading)
    evaluations = Plan(
        embeddings, tasks, datasets, (policy,), plan.seed, comparing=False,
        without_vectors=plan.without_vectors,
    )  # fmt: skip

    def progress(what: str, done: int, of: int) -> None:
        execution.progress(f"{what}, {dimension} dimensions", done, of)

    return execute_in(store, evaluations, replace(execution, progress=progress))
