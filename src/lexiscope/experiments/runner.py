"""Run an experiment: train its embeddings, and prepare their evaluation."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.progress import Progress, silent
from lexiscope.data.inputs import Inputs
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.config import EvaluationStep, Experiment, TrainingStep
from lexiscope.training.checkpoint import has_checkpoint, remove_checkpoint
from lexiscope.training.record import is_finished
from lexiscope.training.spec import Training, takes_vectors, trainer_class, training_from
from lexiscope.training.train import run_training


class CorpusCache:
    """The corpus of the last training, for consecutive trainings on the same text."""

    def __init__(self, local_data: LocalData) -> None:
        self._local_data = local_data
        self._last: tuple[Any, Corpus] | None = None

    def corpus(self, training: Training, progress: Progress) -> Corpus:
        """The corpus of a training, read if necessary."""
        if not training.texts:
            return training.read_corpus(self._local_data, progress)
        key = training.texts, training.preprocessing, training.on_error
        if self._last is None or self._last[0] != key:
            self._last = key, training.read_corpus(self._local_data, progress)
        return self._last[1]


def train_all(
    experiment: Experiment,
    local_data: LocalData,
    progress: Progress = silent,
    force: bool = False,
    cache: CorpusCache | None = None,
) -> Iterator[Path]:
    """Run the trainings in order, and yield each vector file.

    Finished trainings are not repeated, interrupted ones are resumed from their checkpoints.
    Experiments on the same text can share a `cache`.
    """
    cache = cache or CorpusCache(local_data)
    for step, path in zip(experiment.training, experiment.vector_paths, strict=True):
        try:
            training = training_of(experiment, step, local_data)
            _train(training, path, local_data, partial(_report, progress, step.name), force, cache)
        except LexiscopeError as error:
            error.args = (f"{experiment.path}: {step.name}: {error}",)
            raise
        yield path


def run_arguments(experiment: Experiment, data_dir: str | Path | None = None) -> dict[str, Any]:
    """The arguments of `lexiscope.run` that evaluate an experiment, with all trained vectors."""
    evaluation = experiment.evaluation or EvaluationStep()
    return {
        "embeddings": [*map(str, experiment.vector_paths), *evaluation.vectors],
        "seed": experiment.seed,
        "policy": evaluation.policy,
        "inputs": Inputs(data_dir, fillers=evaluation.fillers, frequencies=evaluation.frequencies),
        **evaluation.arguments,
    }


def _train(
    training: Training,
    path: Path,
    local_data: LocalData,
    progress: Progress,
    force: bool,
    cache: CorpusCache,
) -> None:
    if force:
        remove_checkpoint(path)
    elif is_finished(training, local_data, path):
        return
    resume = has_checkpoint(training, local_data, path)
    corpus = cache.corpus(training, progress)
    run_training(training, local_data, path, progress, corpus, resume)


def _report(progress: Progress, step: str, what: str, done: int, of: int) -> None:
    """Report progress under the name of the step, so that each step has its own bar."""
    progress(f"{step}: {what}", done, of)


def training_of(experiment: Experiment, step: TrainingStep, local_data: LocalData) -> Training:
    """The training of a step; names of earlier steps become their vector files."""
    kind = trainer_class(step.trainer)
    steps = zip(experiment.training, experiment.vector_paths, strict=True)
    trained = {each.name: str(path) for each, path in steps}
    settings = {
        name: trained.get(value, value) if takes_vectors(kind, name) else value
        for name, value in step.settings.items()
    }
    training = training_from(
        step.trainer,
        settings,
        step.text.sources,
        local_data,
        preprocessing=step.text.preprocessing,
        seed=step.seed,
        on_error=step.text.on_error,
        name=step.name,
    )
    return training if training.trainer.needs_text else replace(training, texts=())
