"""Learn the vectors of all terms with a model, and store them."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import Configurable
from lexiscope.core.contracts.term_model import Background, Sample, TermModel
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.experiments.identity import ID_LENGTH, hashed
from lexiscope.store.store import Store, TermVectorRecord

_BATCH = 25  # terms; finished ones are stored together


class TermJob(NamedTuple):
    """A term with its samples, and what distinguishes them, such as their size."""

    term: str
    kind: str
    samples: tuple[Sample, ...]


class Setup(NamedTuple):
    """What the vectors depend on, apart from the term: fingerprints, the split and the seed."""

    text: str
    background: str
    split: str
    seed: int


@dataclass(frozen=True, eq=False)
class Learning:
    """Learns vectors of terms over a frozen background, and stores them.

    Parameters
    ----------
    background : Background
        The frozen space.
    setup : Setup
        What the vectors depend on, apart from model and term.
    store : Store
        Where vectors are kept.
    execution : Execution
        How progress is reported, and whether stored vectors are learned again.
    """

    background: Background
    setup: Setup
    store: Store
    execution: Execution

    def with_seed(self, seed: int) -> "Learning":
        """Return the same with another seed."""
        return replace(self, setup=self.setup._replace(seed=seed))

    def vectors(self, name: str, model: TermModel, jobs: Sequence[TermJob]) -> list[Floats]:
        """Return the vectors of each job (samples, dimension), learned now or stored before."""
        ids = [_id(name, model, job, self.setup) for job in jobs]
        found = {} if self.execution.force else self.store.term_vectors(ids)
        todo = [index for index, each in enumerate(ids) if each not in found]
        what, done = f"Learning {name}", len(jobs) - len(todo)
        self.execution.progress(what, done, len(jobs))
        for start in range(0, len(todo), _BATCH):
            batch = [(ids[k], jobs[k]) for k in todo[start : start + _BATCH]]
            records = _records(name, model, batch, self.background, self.setup)
            self.store.add_term_vectors(records)
            found |= {record.id: record.vectors for record in records}
            done += len(batch)
            self.execution.progress(what, done, len(jobs))
        return [found[each] for each in ids]


def _records(
    name: str,
    model: TermModel,
    batch: Sequence[tuple[str, TermJob]],
    background: Background,
    setup: Setup,
) -> list[TermVectorRecord]:
    started = time.perf_counter()
    flat = [(job, number) for _, job in batch for number in range(len(job.samples))]
    samples = [job.samples[number] for job, number in flat]
    vectors = model.vectors(samples, background, _generators(flat, setup))
    seconds = (time.perf_counter() - started) / len(batch)
    ends = np.cumsum([len(job.samples) for _, job in batch])[:-1]
    return [
        TermVectorRecord(
            each, setup.text, setup.background, name, model.version, hashed_settings(model),
            setup.split, setup.seed, job.term, seconds, versions(), part,
        )
        for (each, job), part in zip(batch, np.split(vectors, ends), strict=True)
    ]  # fmt: skip


def _generators(flat: Sequence[tuple[TermJob, int]], setup: Setup) -> Callable[[int], Generator]:
    """The generator of a sample: the same for all models, whatever else is in the batch."""

    def of(index: int) -> Generator:
        job, number = flat[index]
        return generator(setup.seed, "term", setup.text, job.term, job.kind, str(number))

    return of


def _id(name: str, model: TermModel, job: TermJob, setup: Setup) -> str:
    """Hash everything that the vectors depend on."""
    digest = hashlib.sha256()
    own = [
        name,
        model.version,
        hashed_settings(model),
        *setup,
        job.term,
        job.kind,
        len(job.samples),
    ]
    digest.update(json.dumps(own, sort_keys=True).encode("utf-8", "surrogatepass"))
    for part in _bytes(job.samples):
        digest.update(part)
    return digest.hexdigest()[:ID_LENGTH]


def _bytes(samples: Sequence[Sample]) -> Iterator[bytes]:
    for sample in samples:
        for sentence in sample:
            yield np.asarray(sentence, "<i8").tobytes() + b"\0"
        yield b"\1"


def hash_of_samples(samples: Sequence[tuple[Sample, ...]]) -> str:
    """Hash the samples of all terms."""
    digest = hashlib.sha256()
    for drawn in samples:
        for part in _bytes(drawn):
            digest.update(part)
        digest.update(b"\2")
    return digest.hexdigest()[:ID_LENGTH]


def joint_id(
    name: str, trainer: Configurable, term: str, context: Sequence[str], setup: Setup
) -> str:
    """Hash what the vectors of a joint model depend on; `context` is the same for all terms."""
    version = getattr(trainer, "version", 1)
    own = [
        "joint with general term",
        name,
        version,
        hashed_settings(trainer),
        *setup,
        term,
        list(context),
    ]
    return hashed(own)


def hashed_settings(model: Configurable) -> dict[str, Any]:
    """The settings as plain values; a matrix by its hash."""
    simple = (str, int, float, bool, type(None))
    return {
        name: value if isinstance(value, simple) else _hashed(value)
        for name, value in model.settings.items()
    }


def _hashed(value: Any) -> str:
    matrix = np.asarray(getattr(value, "matrix", 0.0), "<f8")
    return hashlib.sha256(matrix.tobytes()).hexdigest()[:ID_LENGTH]
