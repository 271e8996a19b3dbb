"""Trainings on a cluster: texts travel to the workers, vectors and records come back.

Texts are read here, once, and workers write nothing into the folder of an experiment. So they need
no path in common with this process. A training whose worker ends is done from its start by another
one: checkpoints are for trainings of this process.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from numpy.random import default_rng

from lexiscope.cluster.connection import connection
from lexiscope.cluster.corpora import ArrayContents, SharedCorpus, share
from lexiscope.cluster.files import SharedFile, path_of
from lexiscope.cluster.work import distributed_map
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus, empty_corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.execution import Execution
from lexiscope.core.progress import silent
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import load
from lexiscope.data.vectors.mapped_file import file_with
from lexiscope.experiments.config import Experiment, TrainingStep
from lexiscope.experiments.runner import CorpusCache, training_of
from lexiscope.training.checkpoint import remove_checkpoint
from lexiscope.training.record import Timing, command, is_finished, outcome, save_with_record
from lexiscope.training.spec import Training
from lexiscope.training.train import with_origin


@dataclass(frozen=True)
class _Work:
    """A training for a worker. Vectors among the settings of the trainer are files."""

    kind: type[Trainer]
    settings: dict[str, Any]
    training: dict[str, Any]
    corpus: SharedCorpus | None
    where: str

    def received(self) -> tuple[Training, Corpus]:
        """The training and its corpus, once the worker has all files."""
        settings = {
            name: load(path_of(value)) if isinstance(value, SharedFile) else value
            for name, value in self.settings.items()
        }
        corpus = self.corpus.mapped() if self.corpus else empty_corpus()
        return Training(self.kind(**settings), **self.training), corpus


class _Step(NamedTuple):
    """A training step that is not finished yet."""

    where: str
    training: Training
    path: Path
    identity: dict[str, Any]


def train_on_cluster(
    experiments: Sequence[Experiment],
    local_data: LocalData,
    execution: Execution,
    finished: Callable[[int], None],
) -> None:
    """Run the trainings of experiments that are not finished; `finished` receives their number.

    The first steps of all experiments come first, then the second ones, which may need the vectors
    of the first.
    """
    steps = (zip(each.training, each.vector_paths, strict=True) for each in experiments)
    with (
        connection(execution.scheduler, execution.n_jobs) as client,
        tempfile.TemporaryDirectory(prefix="lexiscope-training-") as folder,
    ):
        sender = _Sender(local_data, Path(folder))
        for at_once in zip_longest(*steps):
            wanted = [
                _step(experiment, step[0], step[1], local_data)
                for experiment, step in zip(experiments, at_once, strict=True)
                if step is not None
            ]
            left = [each for each in wanted if execution.force or not _is_done(each, local_data)]
            finished(len(wanted) - len(left))
            _train(left, sender, client, finished)


def _step(experiment: Experiment, step: TrainingStep, path: Path, local_data: LocalData) -> _Step:
    training = training_of(experiment, step, local_data)
    where = f"{experiment.path}: {step.name}"
    return _Step(where, training, path, training.identity(local_data))


def _is_done(step: _Step, local_data: LocalData) -> bool:
    return is_finished(step.training, local_data, step.path)


def _train(
    steps: list[_Step], sender: "_Sender", client: Any, finished: Callable[[int], None]
) -> None:
    trained = distributed_map(client, _trained, sender.works(steps), sender.contents.content)
    with closing(trained) as results:
        for number, (embedding, about) in results:
            step = steps[number]
            repeat = {"command": command(step.training, sender.local_data, step.path)}
            save_with_record(embedding, {**step.identity, **about, **repeat}, step.path)
            remove_checkpoint(step.path)
            finished(1)


class _Sender:
    """Corpora and vectors that trainings need, as files that workers can receive."""

    def __init__(self, local_data: LocalData, folder: Path) -> None:
        self.local_data, self.folder = local_data, folder
        self.contents = ArrayContents()
        self._corpora = CorpusCache(local_data)
        self._shared: tuple[Corpus, SharedCorpus] | None = None

    def works(self, steps: Sequence[_Step]) -> Iterator[_Work]:
        """The work of each step, one by one: a corpus is read when its first training starts."""
        for step in steps:
            training = step.training
            yield _Work(
                type(training.trainer),
                {name: self._setting(v) for name, v in training.trainer.settings.items()},
                {f.name: getattr(training, f.name) for f in fields(Training)[1:]},
                self._corpus(training) if training.texts else None,
                step.where,
            )

    def _setting(self, value: Any) -> Any:
        number = len(list(self.folder.iterdir()))
        if isinstance(value, Embedding):
            return file_with(value, self.folder / f"{number}.safetensors")
        return value

    def _corpus(self, training: Training) -> SharedCorpus:
        corpus = self._corpora.corpus(training, silent)
        if self._shared is None or self._shared[0] is not corpus:
            self._shared = corpus, share(corpus, self.contents)
        return self._shared[1]


def _trained(work: _Work) -> tuple[Embedding, dict[str, Any]]:
    """Train in a worker; returns the embedding and the description for its record."""
    training, corpus = work.received()
    start = time.perf_counter()
    try:
        found = training.trainer.train(corpus, default_rng(training.seed))
    except LexiscopeError as error:
        error.args = (f"{work.where}: {error}",)
        raise
    timing = Timing(training=time.perf_counter() - start)
    embedding = with_origin(found, training, corpus)
    return _in_memory(embedding), outcome(training, corpus, embedding, timing)


def _in_memory(embedding: Embedding) -> Embedding:
    """Without what is mapped from files of the worker, so that it can be pickled."""
    return replace(embedding, vocabulary=Vocabulary(tuple(embedding.words)))
