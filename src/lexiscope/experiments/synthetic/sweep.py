"""The trials of a synthetic experiment: sample a corpus, train every model on it, probe, store.

A batch is one corpus with all models that are still to be trained on it, so that models are
compared on the same sentences. Every finished batch is stored at once, and the same plan continues
from there.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.evaluation.backends import distribute
from lexiscope.experiments.identity import hashed
from lexiscope.experiments.models import Model
from lexiscope.experiments.synthetic.plan import Criterion, SpaceProbe, SyntheticPlan
from lexiscope.pcfg.grammar import Grammar
from lexiscope.pcfg.sampling import sample
from lexiscope.store.store import ProbeRecord, Store, TrialRecord


@dataclass(frozen=True)
class Trial:
    """One sampled corpus of a grammar."""

    grammar: Grammar
    sentences: int
    seed: int
    number: int

    @property
    def labels(self) -> tuple[str, ...]:
        """What the random generators of this trial depend on, in addition to the seed."""
        return self.grammar.fingerprint, str(self.sentences), str(self.number)


class ProbeJob(NamedTuple):
    """A probe of a trained model for a target, and the id of its predictions."""

    id: str
    target: str
    probe: SpaceProbe


class TrainingJob(NamedTuple):
    """A model to train in a trial, and its probes."""

    id: str
    model: Model
    probes: tuple[ProbeJob, ...]


@dataclass(frozen=True)
class Batch:
    """One corpus and the models that are trained on it."""

    trial: Trial
    jobs: tuple[TrainingJob, ...]


Records = list[tuple[TrialRecord, list[ProbeRecord]]]


def training_id(trial: Trial, model: Model) -> str:
    """Hash everything that a training depends on."""
    own = [model.trainer_name, model.trainer.version, model.full_settings]
    return hashed([*trial.labels, trial.seed, *own])


def probe_id(trial: Trial, model: Model, target: str, probe: SpaceProbe) -> str:
    """Hash everything that the predictions of a probe depend on."""
    own = [probe.name, probe.probe.version, probe.settings]
    return hashed([training_id(trial, model), target, *own])


def trials_at(plan: SyntheticPlan, criterion: Criterion, point: float | None) -> list[Trial]:
    """Return the trials of a criterion at a value of its sweep."""
    grammar = criterion.grammars[point]
    return [Trial(grammar, plan.sentences, plan.seed, number) for number in range(plan.trials)]


def batches(plan: SyntheticPlan) -> list[Batch]:
    """Return all work of a plan, ordered by the number of the trial."""
    found: dict[tuple[int, str], tuple[Trial, dict[str, tuple[Model, list[ProbeJob]]]]] = {}
    for criterion in plan.criteria:
        for point in criterion.points:
            for trial in trials_at(plan, criterion, point):
                key = trial.number, trial.grammar.fingerprint
                _, models = found.setdefault(key, (trial, {}))
                for model in plan.models:
                    jobs = models.setdefault(training_id(trial, model), (model, []))[1]
                    jobs += _probe_jobs(plan, criterion, trial, model)
    ordered = [found[key] for key in sorted(found, key=lambda key: key[0])]
    return [
        Batch(trial, tuple(TrainingJob(id_, m, tuple(jobs)) for id_, (m, jobs) in models.items()))
        for trial, models in ordered
    ]


def _probe_jobs(
    plan: SyntheticPlan, criterion: Criterion, trial: Trial, model: Model
) -> Iterator[ProbeJob]:
    for probe in plan.probes_of(criterion):
        id_ = probe_id(trial, model, criterion.target, probe)
        yield ProbeJob(id_, criterion.target, probe)


def run_trials(plan: SyntheticPlan, store: Store, execution: Execution) -> None:
    """Run all trials of a plan, except those that are stored already."""
    work = batches(plan)
    todo = work if execution.force else [left for b in work if (left := _missing(b, store)).jobs]
    total = sum(len(batch.jobs) for batch in work)
    done = total - sum(len(batch.jobs) for batch in todo)
    execution.progress("Trainings", done, total)
    if not todo:
        return
    with closing(distribute(run_batch, todo, execution)) as outcomes:
        for _, outcome in outcomes:
            for trial, probes in outcome:
                store.add_trial(trial, probes)
            done += len(outcome)
            execution.progress("Trainings", done, total)


def _missing(batch: Batch, store: Store) -> Batch:
    """Return the part of a batch that is not stored yet."""
    stored = store.probed(probe.id for job in batch.jobs for probe in job.probes)
    left = (
        job._replace(probes=tuple(probe for probe in job.probes if probe.id not in stored))
        for job in batch.jobs
    )
    return replace(batch, jobs=tuple(job for job in left if job.probes))


def run_batch(batch: Batch) -> Records:
    """Sample the corpus of a batch, train its models and probe them."""
    trial = batch.trial
    corpus = sample(trial.grammar, trial.sentences, _generator(trial, "corpus"))
    return [_trained(trial, corpus, job) for job in batch.jobs]


def _trained(
    trial: Trial, corpus: Corpus, job: TrainingJob
) -> tuple[TrialRecord, list[ProbeRecord]]:
    started, model, settings = time.perf_counter(), job.model, job.model.full_settings
    embedding = model.full_trainer.train(corpus, _generator(trial, "training"))
    seconds = time.perf_counter() - started
    spaces = _spaces(embedding, settings)
    record = TrialRecord(
        job.id, trial.grammar.fingerprint, dict(trial.grammar.parameters), trial.sentences,
        trial.seed, trial.number, corpus.fingerprint, model.trainer_name, model.trainer.version,
        settings, embedding.fingerprint, seconds, versions(),
    )  # fmt: skip
    return record, [_probed(trial, job.id, spaces, each) for each in job.probes]


def _probed(
    trial: Trial, training: str, spaces: dict[str, Embedding], job: ProbeJob
) -> ProbeRecord:
    probe, rng = job.probe.probe, _generator(trial, "probe", job.probe.name)
    found = probe.predict(spaces[job.probe.space], trial.grammar, job.target, rng)
    predictions = tuple(zip(found.items, found.predicted, found.gold, strict=True))
    return ProbeRecord(
        job.id, training, job.target, job.probe.space, job.probe.name, probe.version,
        probe.settings, predictions,
    )  # fmt: skip


def _spaces(embedding: Embedding, settings: dict[str, Any]) -> dict[str, Embedding]:
    """Split the vectors by space; a model with one space has the same vectors in both."""
    if settings.get("space") != "both":
        return {"input": embedding, "output": embedding}
    dimension = settings["dimension"]
    return {
        "input": replace(embedding, vectors=embedding.vectors[:, :dimension]),
        "output": replace(embedding, vectors=embedding.vectors[:, dimension:]),
    }


def _generator(trial: Trial, *labels: str) -> Generator:
    """Return a random generator that is the same for all models of a trial."""
    return generator(trial.seed, *labels, *trial.labels)
