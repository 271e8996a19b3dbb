"""A cell: one embedding, one task with its settings, one dataset. The unit of work and resume."""

import hashlib
import json
import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from lexiscope.bench.align import Aligned, Covered, cover, everything, filled
from lexiscope.core.dataset import Dataset, Running, Units
from lexiscope.core.errors import LexiscopeError, Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Control, Score
from lexiscope.core.task import Answers, Findings, Label, Task
from lexiscope.stats.bootstrap import interval, mean_of


@dataclass(frozen=True)
class Cell:
    """What to ask. `embedding` is the place of the embedding in the plan."""

    embedding: int
    task_name: str
    task: Task[Any]
    dataset: Dataset
    policy: Policy
    seed: int
    control: Control = ""

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
            **({"control": self.control} if self.control else {}),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


class Known(NamedTuple):
    """Answers that were given before under another policy: the items asked, and what was said."""

    items: NDArray[np.int64]
    given: NDArray[Any]


class Outcome(NamedTuple):
    """What a cell gave: answers and scores, or the reason why not."""

    items: NDArray[np.int64]
    given: NDArray[Any]
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    scores: tuple[Score, ...]
    seconds: float
    failure: str = ""
    labels: tuple[Label, ...] = ()
    running: Running | None = None


def generator(seed: int, *names: str) -> Generator:
    """Randomness from the run's seed, the task and the dataset, never from the embedding."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    return default_rng(SeedSequence([seed, *np.frombuffer(digest, np.uint32).tolist()]))


def ask(cell: Cell, aligned: Aligned, known: Known | None = None) -> Outcome:
    """cover -> answer -> measure -> interval."""
    begun = time.perf_counter()
    try:
        return _outcome(cell, aligned, known, begun)
    except LexiscopeError as problem:
        return failed(str(problem), begun)
    except Exception as problem:  # a task's own fault: the run goes on and says so
        return failed(f"{type(problem).__name__}: {problem}", begun)


def _outcome(cell: Cell, aligned: Aligned, known: Known | None, begun: float) -> Outcome:
    names = cell.task_name, cell.dataset.fingerprint
    spelt = cell.dataset.spelt(cell.policy)
    lacking = cover(aligned, spelt) if cell.control != "none" else everything(spelt)
    whole = filled(controlled(cell, aligned), spelt, cell.policy)
    covered = lacking if cell.policy.unknown != "mean" else cover(whole, spelt)
    seen = Findings()
    if known is None:
        try:
            given = _given(cell, whole, covered.asked, generator(cell.seed, *names))
            seen = _seen(cell, whole, covered.asked, generator(cell.seed, *names, "look"))
        except Undefined as reason:
            return _undefined(cell, lacking, str(reason), begun)
        known = Known(covered.items, given)
    known = _blanks_filled(cell, known)
    scores = tuple(
        score(
            measure,
            part,
            Asked(known.items, known.given, spelt.gold, spelt.units),
            mask,
            generator(cell.seed, *names, measure.name, part),
        )
        for measure in cell.task.measures()
        if not measure.told
        for part, mask in _parts(cell.dataset)
    )
    scores += _told(cell, seen, len(known.items))
    spent = time.perf_counter() - begun
    lacks = lacking.missing, lacking.zero
    return Outcome(
        known.items, known.given, *lacks, scores, spent, labels=seen.labels, running=lacking.running
    )


def _seen(cell: Cell, aligned: Aligned, asked: Dataset, rng: Generator) -> Findings:
    """What the task sees besides its answers; nothing where nothing could be asked of vectors."""
    looks = len(asked) and not cell.control
    return cell.task.look(aligned.embedding, asked, rng) if looks else Findings()


def _told(cell: Cell, seen: Findings, used: int) -> tuple[Score, ...]:
    """The references that the task tells itself, of the whole dataset."""
    total = len(cell.dataset)
    found = []
    for name in (measure.name for measure in cell.task.measures() if measure.told):
        value = seen.references.get(name, "not worked out again for this policy")
        known = isinstance(value, float)
        state = "a reference to read the score by" if known else str(value)
        number = float(value) if known else None
        found.append(Score(name, WHOLE, number, None, None, used, total, state))
    return tuple(found)


def _undefined(cell: Cell, lacking: Covered, reason: str, begun: float) -> Outcome:
    """The outcome of a question that cannot be asked of these items: no score, and why."""
    total, none = len(cell.dataset), np.empty(0)
    scores = tuple(
        Score(measure.name, WHOLE, None, None, None, 0, total, reason)
        for measure in cell.task.measures()
    )
    spent = time.perf_counter() - begun
    empty = none.astype(np.int64)
    return Outcome(empty, none, lacking.missing, lacking.zero, scores, spent)


def again(cell: Cell, aligned: Aligned, items: NDArray[np.int64]) -> NDArray[Any]:
    """What an embedding answers when it is asked these items only."""
    spelt = cell.dataset.spelt(cell.policy)
    rng = generator(cell.seed, cell.task_name, cell.dataset.fingerprint)
    whole = filled(controlled(cell, aligned), spelt, cell.policy)
    return _given(cell, whole, spelt.take(items), rng)


def controlled(cell: Cell, aligned: Aligned) -> Aligned:
    """The embedding, or its random control: the same words with normal vectors of equal spread.

    Embeddings with the same words and dimension have the same control, but for its spread. The
    control of sparse vectors has the same ones, dealt out anew to the words.
    """
    if cell.control != "random":
        return aligned
    vectors = aligned.embedding.vectors
    rng = generator(cell.seed, "random vectors", cell.dataset.fingerprint)
    if aligned.embedding.is_sparse:
        drawn = vectors[rng.permutation(vectors.shape[0])]
    else:
        drawn = rng.standard_normal(vectors.shape, np.float32)
        drawn *= np.sqrt(np.mean(np.square(vectors, dtype=np.float64)))
    return Aligned(replace(aligned.embedding, vectors=drawn), aligned.zero)


def _parts(dataset: Dataset) -> list[tuple[str, NDArray[np.bool_]]]:
    """The whole dataset, then its slices; a slice cannot take the name of the whole."""
    whole = np.ones(len(dataset), bool)
    return [(WHOLE, whole), *((n, mask) for n, mask in dataset.slices.items() if n != WHOLE)]


def _given(cell: Cell, aligned: Aligned, asked: Dataset, rng: Generator) -> NDArray[Any]:
    if not len(asked):
        return np.empty(0)
    if cell.control == "none":
        given = cell.task.without_vectors(asked, rng).given
    else:
        given = cell.task.answer(aligned.embedding, asked, rng).given
    if len(given) != len(asked):
        raise ValueError(f"{len(given)} answers to {len(asked)} items")
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise ValueError(f"no number for item {int(np.argmax(np.isnan(given)))}")
    return given


def _blanks_filled(cell: Cell, known: Known) -> Known:
    """Every item answered, with the task's blank where it could not be asked, if so wished."""
    if cell.policy.unknown != "zero" or len(known.items) == len(cell.dataset):
        return known
    blank = cell.task.blank
    given = np.full(len(cell.dataset), blank, object if isinstance(blank, str) else np.float64)
    given[known.items] = known.given
    return Known(np.arange(len(cell.dataset)), given)


class Asked(NamedTuple):
    """What was answered, beside the gold and the units of the whole dataset."""

    items: NDArray[np.int64]
    given: NDArray[Any]
    gold: NDArray[Any]
    units: Units | None

    def answers(self) -> Answers:
        """The answers to the items that were asked."""
        units = None if self.units is None else self.units[self.items]
        return Answers(self.given, self.gold[self.items], units)


def score(
    measure: Measure, part: str, asked: Asked, mask: NDArray[np.bool_], rng: Generator
) -> Score:
    """A measure on a slice of the dataset, with its interval."""
    used, total = int(mask[asked.items].sum()), int(mask.sum())
    value = None
    try:
        if not used and not measure.all_items:
            raise Undefined("no item could be asked")
        chosen, answers = part_of(measure, asked, mask)
        value = chosen(answers.given, answers.gold, answers.units)
        if measure.reference:
            raise Undefined("a reference to read the score by")
        low, high = interval(chosen, answers, rng)
    except Undefined as reason:
        return Score(measure.name, part, value, None, None, used, total, str(reason))
    return Score(measure.name, part, value, low, high, used, total)


def part_of(measure: Measure, asked: Asked, mask: NDArray[np.bool_]) -> tuple[Measure, Answers]:
    """The measure and the answers of a part of the dataset.

    What an item is worth may depend on all items (a cluster's majority), so a mean over items is
    taken of the whole first. With `all_items`, those that could not be asked count as 0.
    """
    answers, inside = asked.answers(), mask[asked.items]
    if measure.per_item is None or (inside.all() and not measure.all_items):
        return measure, answers.take(inside)
    values = measure.per_item(answers.given, answers.gold)
    if not measure.all_items:
        chosen = replace(answers, given=values, gold=np.zeros(len(values))).take(inside)
        return mean_of(measure.name), chosen
    hits = np.zeros(len(mask))
    hits[asked.items] = values
    return mean_of(measure.name), Answers(hits, np.zeros(len(mask)), asked.units).take(mask)


def failed(reason: str, begun: float) -> Outcome:
    """The outcome of a cell that could not be finished."""
    none = np.empty(0)
    spent = time.perf_counter() - begun
    return Outcome(none.astype(np.int64), none, (), (), (), spent, reason)
