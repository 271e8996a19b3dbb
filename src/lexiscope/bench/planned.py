"""Carrying out a plan file: train these, then ask these. An experiment is data."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lexiscope.bench.planfile import OWN, POLICY, PlanFile, Table
from lexiscope.bench.recording import Training, already
from lexiscope.bench.resuming import drop, waits
from lexiscope.bench.training import (
    corpus_of,
    make,
    ordered,
    preparation_from,
    takes_vectors,
    trainer_class,
)
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.policy import Policy
from lexiscope.core.progress import Progress, silent
from lexiscope.data.library import Library


def train_all(
    plan: PlanFile,
    library: Library,
    tell: Progress = silent,
    force: bool = False,
    texts: "Texts | None" = None,
) -> Iterator[Path]:
    """Train what the plan says, in its order, and yield each file; what is there stays.

    What was interrupted goes on from its checkpoint. Plans on one text can share `texts`.
    """
    texts = texts or Texts(library)
    for step, place in zip(plan.train, plan.trained, strict=True):
        try:
            training = _training(plan, step, library)
            if force:
                drop(place)
            if force or not already(training, library, place):
                told = partial(_told, tell, step["name"])
                resume = waits(training, library, place)
                make(training, library, place, told, texts.of(training, told), resume)
        except LexiscopeError as problem:
            problem.args = (f"{plan.path}: {step['name']}: {problem}",)
            raise
        yield place


def asking(plan: PlanFile) -> Table:
    """What the plan asks, as `run` takes it; everything that was trained is asked."""
    asked = dict(plan.ask or {})
    policy = Policy(**{name: asked.pop(name) for name in POLICY if name in asked})
    vectors = [*map(str, plan.trained), *asked.pop("vectors", ())]
    return {"embeddings": vectors, "seed": plan.seed, "policy": policy, **asked}


def _told(tell: Progress, step: str, what: str, done: int, of: int) -> None:
    """Progress under the name of the step: each has bars of its own."""
    tell(f"{step}: {what}", done, of)


class Texts:
    """The corpus of the last text: trainers that follow each other share it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._last: tuple[Any, Corpus] | None = None

    def of(self, training: Training, tell: Progress) -> Corpus:
        """The corpus of a training."""
        if not training.texts:
            return corpus_of(training, self._library, tell)
        key = training.texts, training.preparation, training.on_error
        if self._last is None or self._last[0] != key:
            self._last = key, corpus_of(training, self._library, tell)
        return self._last[1]


def _training(plan: PlanFile, step: Table, library: Library) -> Training:
    kind = trainer_class(step["trainer"])
    settings = {name: value for name, value in step.items() if name not in OWN}
    earlier = {
        each["name"]: str(place) for each, place in zip(plan.train, plan.trained, strict=True)
    }
    for name, value in settings.items():
        if takes_vectors(kind, name):
            settings[name] = earlier.get(value, value)
    text = dict(step["text"])
    sources, on_error = text.pop("sources"), text.pop("on_error", "stop")
    order = ordered(
        step["trainer"],
        settings,
        sources,
        library,
        preparation=preparation_from(**text),
        seed=step["seed"],
        on_error=on_error,
        name=step["name"],
    )
    return order if order.trainer.needs_text else replace(order, texts=())
