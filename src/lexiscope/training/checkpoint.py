"""Checkpoints: an interrupted training can be resumed.

The checkpoint of a training is next to the vector file that it will write.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from numpy.random import default_rng

from lexiscope.core.contracts.trainer import State, Stepwise
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import checkpoints
from lexiscope.training.record import Timing, differences, origin
from lexiscope.training.spec import Training

_INTERVAL = 60.0  # minimum number of seconds between two checkpoints
_MAX_SHARE = 0.05  # maximum fraction of the time that is spent on writing them
_BYTES_PER_SECOND = 1e8  # assumed speed of writing, until one has been written
_SAME_INTERRUPT = 1.0  # seconds within which a second interrupt counts as the first one


def checkpoint_path(path: Path) -> Path:
    """The checkpoint of the training that writes a vector file."""
    return path.with_name(f"{path.name}.checkpoint")


def remove_checkpoint(path: Path) -> None:
    """Remove the checkpoint of a vector file, if there is one."""
    checkpoint_path(path).unlink(missing_ok=True)


def has_checkpoint(training: Training, local_data: LocalData, path: Path) -> bool:
    """Whether there is a checkpoint of this training; an error if it is of another training."""
    checkpoint = checkpoint_path(path)
    if not checkpoint.exists():
        return False
    found = checkpoints.about(checkpoint)
    differing = differences(found.get("identity", {}), training.identity(local_data))
    if not training.trainer.repeatable and found.get("threads") != threads():
        differing.append("threads")  # the steps of hogwild threads depend on their number
    if differing:
        listed = ", ".join(differing)
        raise BadUsage(
            f"{checkpoint}: is the checkpoint of a training that differs in {listed}. "
            "Choose another name, or start from scratch with --force."
        )
    return True


def checkpoint_timing(path: Path) -> Timing:
    """The time spent until the checkpoint of a vector file."""
    return Timing(*checkpoints.about(checkpoint_path(path))["timing"])


@dataclass(frozen=True)
class StepwiseTraining:
    """A training in steps, with a corpus that has been read.

    `timing` is the time spent before these steps, in this process and in earlier ones.
    """

    training: Training
    trainer: Stepwise
    identity: dict[str, Any]
    corpus: Corpus
    checkpoint: Path
    timing: Timing

    def resumed(self) -> "StepwiseTraining":
        """The same training, continued from its checkpoint."""
        found = checkpoints.about(self.checkpoint)
        if found.get("corpus") != self.corpus.fingerprint:  # standard input may have changed
            raise BadUsage(
                f"{self.checkpoint}: is the checkpoint of a training on another text. Choose "
                "another name, or start from scratch with --force."
            )
        reading, training, interruptions = Timing(*found["timing"])
        total = Timing(reading + self.timing.reading, training, interruptions + 1)
        return replace(self, timing=total)

    def run(self, progress: Progress) -> tuple[Embedding, Timing]:
        """Run all remaining steps; returns the embedding and the total time."""
        start = time.perf_counter()
        state = self.trainer.begin(self.corpus, default_rng(self.training.seed))
        if self.timing.interruptions:
            checkpoints.fill(state, self.checkpoint)
        steps = self.trainer.steps(self.corpus, state, progress)
        size = sum(array.nbytes for array in state.values())
        run_steps(steps, lambda: self._write(state, start), size)
        return self.trainer.finish(self.corpus, state), self._timing_since(start)

    def _timing_since(self, start: float) -> Timing:
        seconds = time.perf_counter() - start
        return self.timing._replace(training=self.timing.training + seconds)

    def _write(self, state: State, start: float) -> None:
        found = self.trainer.finish(self.corpus, state)
        about = {
            "identity": self.identity,
            "corpus": self.corpus.fingerprint,
            "threads": threads(),
            "timing": self._timing_since(start),
        }
        unfinished = replace(
            found,
            name=self.training.name or found.name,
            origin=f"unfinished {origin(self.training, self.corpus)}",
        )
        checkpoints.write(self.checkpoint, unfinished, state, about)


def run_steps(steps: Iterator[None], write: Callable[[], None], size: int) -> None:
    """Run the steps; write a checkpoint at intervals and at an interrupt.

    `size` is the size of the state in bytes.
    """
    next(steps, None)  # compiles as well, so an interrupt is raised at once
    last, duration = time.perf_counter(), size / _BYTES_PER_SECOND
    with _deferred_interrupt() as interrupted:
        for _ in steps:
            if interrupted():
                break
            start = time.perf_counter()
            if start - last >= max(_INTERVAL, duration / _MAX_SHARE):
                write()
                last = time.perf_counter()
                duration = last - start
        if interrupted():
            write()
            raise KeyboardInterrupt


@contextmanager
def _deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Defer an interrupt, and yield a function that detects it; a second one is raised at once."""
    usual, first = signal.getsignal(signal.SIGINT), list[float]()
    if not callable(usual) or current_thread() is not main_thread():
        yield lambda: False
        return

    def defer(*_: Any) -> None:
        if first and time.monotonic() - first[0] > _SAME_INTERRUPT:
            raise KeyboardInterrupt
        first.append(time.monotonic())

    signal.signal(signal.SIGINT, defer)
    try:
        yield lambda: bool(first)
    finally:
        signal.signal(signal.SIGINT, usual)
