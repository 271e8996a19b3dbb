"""Long trainings can be interrupted and go on: beside the vectors to come lies a checkpoint."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from numpy.random import default_rng

from lexiscope.bench.recording import Spent, Training, differences, origin
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress
from lexiscope.core.trainer import State, Stepwise
from lexiscope.data.library import Library
from lexiscope.data.vectors import checkpoints

_EVERY = 60.0  # seconds between two checkpoints, or more:
_SHARE = 0.05  # of the time may go into writing them
_BYTES = 1e8  # that are written in a second, until one has been
_SAME = 1.0  # second, in which a second interrupt is taken for the first one, told twice


def place_of(vectors: Path) -> Path:
    """Where the checkpoint of a training lies that is to make a vector file: beside it."""
    return vectors.with_name(f"{vectors.name}.checkpoint")


def drop(vectors: Path) -> None:
    """Remove the checkpoint, if there is one."""
    place_of(vectors).unlink(missing_ok=True)


def waits(training: Training, library: Library, vectors: Path) -> bool:
    """Whether a checkpoint of this very training is there; one of another training is refused."""
    place = place_of(vectors)
    if not place.exists():
        return False
    found = checkpoints.about(place)
    other = differences(found.get("identity", {}), training.identity(library))
    if not training.trainer.repeatable and found.get("threads") != threads():
        other.append("threads")  # what a step of racing threads is depends on them
    if other:
        raise BadUsage(
            f"{place}: is the checkpoint of another training ({', '.join(other)}). Choose another "
            "name, or begin anew with --force."
        )
    return True


def spent(vectors: Path) -> Spent:
    """What went into the checkpoint that is there."""
    return Spent(*checkpoints.about(place_of(vectors))["spent"])


@dataclass(frozen=True)
class Course:
    """A training that goes in steps, on a text that has been read.

    `spent` is what went before the steps to come, in earlier processes and in this one.
    """

    training: Training
    trainer: Stepwise
    identity: dict[str, Any]
    corpus: Corpus
    checkpoint: Path
    spent: Spent

    def again(self) -> "Course":
        """The same training, to go on from its checkpoint."""
        found = checkpoints.about(self.checkpoint)
        if found.get("corpus") != self.corpus.fingerprint:  # as standard input may have another
            raise BadUsage(
                f"{self.checkpoint}: is the checkpoint of a training on another text. Choose "
                "another name, or begin anew with --force."
            )
        reading, training, parts = Spent(*found["spent"])
        return replace(self, spent=Spent(reading + self.spent.reading, training, parts + 1))

    def carried_out(self, tell: Progress) -> tuple[Embedding, Spent]:
        """The embedding after the last step, and what all parts took."""
        begun = time.perf_counter()
        state = self.trainer.begin(self.corpus, default_rng(self.training.seed))
        if self.spent.parts > 1:
            checkpoints.fill(state, self.checkpoint)
        steps = self.trainer.steps(self.corpus, state, tell)
        go_through(steps, lambda: self._keep(state, begun), sum(a.nbytes for a in state.values()))
        return self.trainer.finish(self.corpus, state), self._since(begun)

    def _since(self, begun: float) -> Spent:
        seconds = time.perf_counter() - begun
        return self.spent._replace(training=self.spent.training + seconds)

    def _keep(self, state: State, begun: float) -> None:
        found = self.trainer.finish(self.corpus, state)
        called = self.training.name or found.name
        source = f"unfinished {origin(self.training, self.corpus)}"
        about = {
            "identity": self.identity,
            "corpus": self.corpus.fingerprint,
            "threads": threads(),
            "spent": self._since(begun),
        }
        unfinished = replace(found, name=called, origin=source)
        checkpoints.write(self.checkpoint, unfinished, state, about)


def go_through(steps: Iterator[None], keep: Callable[[], None], size: int) -> None:
    """Go through the steps; keep what they have come to now and then, and at an interrupt."""
    next(steps, None)  # compiles as well, and an interrupt of that comes out as it is
    kept, took = time.perf_counter(), size / _BYTES
    with _held() as interrupted:
        for _ in steps:
            if interrupted():
                break
            begun = time.perf_counter()
            if begun - kept >= max(_EVERY, took / _SHARE):
                keep()
                kept = time.perf_counter()
                took = kept - begun
        if interrupted():
            keep()
            raise KeyboardInterrupt


@contextmanager
def _held() -> Iterator[Callable[[], bool]]:
    """Hold an interrupt back, and say whether there was one; a second one comes out at once."""
    usual, first = signal.getsignal(signal.SIGINT), list[float]()
    if usual is not signal.default_int_handler or current_thread() is not main_thread():
        yield lambda: False
        return

    def hold(*_: Any) -> None:
        if first and time.monotonic() - first[0] > _SAME:
            raise KeyboardInterrupt
        first.append(time.monotonic())

    signal.signal(signal.SIGINT, hold)
    try:
        yield lambda: bool(first)
    finally:
        signal.signal(signal.SIGINT, usual)
