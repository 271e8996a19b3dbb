"""A cell: one embedding, one task with its settings, one dataset. The unit of work and resume."""

import hashlib
import json
import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from lexiscope.bench.align import Aligned, cover
from lexiscope.core.dataset import Dataset
from lexiscope.core.errors import LexiscopeError, Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Score
from lexiscope.core.task import Answers, Task
from lexiscope.stats.bootstrap import interval


@dataclass(frozen=True)
class Cell:
    """What to ask. `embedding` is the place of the embedding in the plan."""

    embedding: int
    task_name: str
    task: Task[Any]
    dataset: Dataset
    policy: Policy
    seed: int

    def key(self, embedding: str, shared: str) -> str:
        """The cell's name in the store: equal work, equal key, in any run."""
        parts = {
            "task": self.task_name,
            "version": self.task.version,
            "settings": self.task.settings,
            "embedding": embedding,
            "dataset": self.dataset.fingerprint,
            "policy": self.policy.as_dict(),
            "shared": shared,
            "seed": self.seed,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


class Outcome(NamedTuple):
    """What a cell gave: answers and scores, or the reason why not."""

    items: NDArray[np.int64]
    given: NDArray[Any]
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    scores: tuple[Score, ...]
    seconds: float
    failure: str = ""


def generator(seed: int, *names: str) -> Generator:
    """Randomness from the run's seed, the task and the dataset, never from the embedding."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    return default_rng(SeedSequence([seed, *np.frombuffer(digest, np.uint32).tolist()]))


def ask(cell: Cell, aligned: Aligned) -> Outcome:
    """cover -> answer -> measure -> interval."""
    begun = time.perf_counter()
    try:
        return _outcome(cell, aligned, begun)
    except LexiscopeError as problem:
        return _failed(str(problem), begun)
    except Exception as problem:  # a task's own fault: the run goes on and says so
        return _failed(f"{type(problem).__name__}: {problem}", begun)


def _outcome(cell: Cell, aligned: Aligned, begun: float) -> Outcome:
    covered = cover(aligned, cell.dataset, cell.policy)
    names = cell.task_name, cell.dataset.fingerprint
    answers = _answers(cell, aligned, covered.asked, generator(cell.seed, *names))
    unit = cell.dataset.unit
    if unit is not None:
        answers = replace(answers, unit=unit[covered.items])
    asked = np.zeros(len(cell.dataset), bool)
    asked[covered.items] = True
    scores = tuple(
        score(
            measure,
            part,
            answers,
            asked,
            mask,
            generator(cell.seed, *names, measure.name, part),
            unit,
        )
        for measure in cell.task.measures()
        for part, mask in _parts(cell.dataset)
    )
    spent = time.perf_counter() - begun
    return Outcome(covered.items, answers.given, covered.missing, covered.zero, scores, spent)


def _parts(dataset: Dataset) -> list[tuple[str, NDArray[np.bool_]]]:
    """The whole dataset, then its slices; a slice cannot take the name of the whole."""
    whole = np.ones(len(dataset), bool)
    return [(WHOLE, whole), *((n, mask) for n, mask in dataset.slices.items() if n != WHOLE)]


def _answers(cell: Cell, aligned: Aligned, asked: Dataset, rng: Generator) -> Answers:
    if not len(asked):
        return Answers(np.empty(0), np.empty(0))
    answers = cell.task.answer(aligned.embedding, asked, rng)
    if len(answers.given) != len(asked):
        raise ValueError(f"{len(answers.given)} answers to {len(asked)} items")
    if answers.given.dtype.kind == "f" and np.isnan(answers.given).any():
        raise ValueError(f"no number for item {int(np.argmax(np.isnan(answers.given)))}")
    return answers


def score(
    measure: Measure,
    part: str,
    answers: Answers,
    asked: NDArray[np.bool_],
    mask: NDArray[np.bool_],
    rng: Generator,
    unit: NDArray[np.int64] | None = None,
) -> Score:
    """A measure on a slice of the dataset, with its interval."""
    chosen = answers.take(mask[asked])
    used, total = len(chosen.given), int(mask.sum())
    if measure.all_items:
        measure, chosen = as_if_all(
            measure, chosen, asked[mask], None if unit is None else unit[mask]
        )
    value = None
    try:
        if not len(chosen.given):
            raise Undefined("no item could be asked")
        value = measure(chosen.given, chosen.gold)
        low, high = interval(measure, chosen, rng)
    except Undefined as reason:
        return Score(measure.name, part, value, None, None, used, total, str(reason))
    return Score(measure.name, part, value, low, high, used, total)


def as_if_all(
    measure: Measure,
    answers: Answers,
    asked: NDArray[np.bool_],
    unit: NDArray[np.int64] | None,
) -> tuple[Measure, Answers]:
    """The mean over all items, those that could not be asked counting as 0."""
    assert measure.per_item is not None
    hits = np.zeros(len(asked))
    hits[asked] = measure.per_item(answers.given, answers.gold)
    padded = Answers(hits, np.zeros(len(asked)), unit)
    return Measure(_mean, measure.name, per_item=_first_column), padded


def _mean(given: NDArray[Any], gold: NDArray[Any]) -> float:
    return float(np.mean(given))


def _first_column(given: NDArray[Any], gold: NDArray[Any]) -> NDArray[np.float64]:
    return given


def _failed(reason: str, begun: float) -> Outcome:
    none = np.empty(0)
    spent = time.perf_counter() - begun
    return Outcome(none.astype(np.int64), none, (), (), (), spent, reason)
