"""Names become values: files become embeddings, task names become tasks with settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from lexiscope import tasks as task_package
from lexiscope.bench.attributes import Attribute
from lexiscope.bench.settings import converted
from lexiscope.bench.sources import readable
from lexiscope.core.dataset import Dataset
from lexiscope.core.datasets import KINDS, Analogies, Preferences, Questions, WordPairs
from lexiscope.core.discovery import load as load_class
from lexiscope.core.discovery import names
from lexiscope.core.embedding import Embedding
from lexiscope.core.entities import EntityTypes
from lexiscope.core.errors import BadData, BadUsage, NotAtHand, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.properties import Properties
from lexiscope.core.task import Task
from lexiscope.core.texts import Phrases, Sentences, Texts
from lexiscope.data import datasets as readers
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.unpacking import exists, is_file


@dataclass(frozen=True)
class Plan:
    """What to ask of whom: embeddings, tasks, each task's datasets, and policies.

    The first policy is the run's own; `attributes` are what scores are broken down by, `absent`
    sentences about what could not be planned. Without `comparing`, only scores are wanted: no
    embedding is compared with another, nor with controls.
    """

    embeddings: tuple[Embedding, ...]
    tasks: tuple[tuple[str, Task[Any]], ...]
    datasets: tuple[Dataset, ...]
    policies: tuple[Policy, ...]
    seed: int
    attributes: tuple[Attribute, ...] = ()
    absent: tuple[str, ...] = ()
    comparing: bool = True

    @property
    def policy(self) -> Policy:
        """The policy that comparisons and the summary are under."""
        return self.policies[0]

    def pairs(self) -> list[tuple[str, Task[Any], Dataset]]:
        """Every task with every dataset that it can read and that has something to ask."""
        return [
            (name, task, dataset)
            for name, task in self.tasks
            for dataset in self.datasets
            if isinstance(dataset, task.reads) and task.suits(dataset.spelt(self.policy))
        ]


def task_class(name: str) -> type[Task[Any]]:
    """The task with this name."""
    return load_class(task_package, name, Task)  # type: ignore[type-abstract]


def task_names() -> list[str]:
    """All tasks."""
    return names(task_package)


def default_tasks(datasets: Sequence[Any] | None) -> list[str]:
    """The tasks of a run that names none: those that learn only where datasets are named."""
    return [name for name in task_names() if datasets or not task_class(name).learns]


def not_at_hand(tasks: Iterable[tuple[str, Task[Any]]], datasets: Sequence[Dataset]) -> list[str]:
    """A sentence for each named task that none of the datasets is for."""
    lacking = {
        name: task.reads.kind
        for name, task in tasks
        if not any(isinstance(dataset, task.reads) for dataset in datasets)
    }
    return [
        f"{name} was not run: no dataset for it is chosen or at hand. {_how_to_get(kind)}"
        for name, kind in lacking.items()
    ]


def _how_to_get(*kinds: str) -> str:
    fitting = [entry for entry in catalogue().values() if entry.kind in kinds]
    suites = list(dict.fromkeys(entry.suites[0] for entry in fitting if entry.suites))
    return f"Get some with: lexiscope data get {' '.join(suites)}" if suites else ""


def tasks_from(
    wanted: Iterable[str] | None, settings: Sequence[tuple[str, str, Any]]
) -> tuple[tuple[str, Task[Any]], ...]:
    """Tasks with their settings; a setting given several times makes several tasks.

    `settings` are (task, field, value); text values are turned into what the field holds.
    """
    chosen = list(dict.fromkeys(wanted)) if wanted else task_names()
    for task, _, _ in settings:
        if task not in chosen:
            raise UnknownName("task in this run", task, chosen)
    made: list[tuple[str, Task[Any]]] = []
    for name in chosen:
        kind = task_class(name)
        given: dict[str, list[Any]] = {}
        for task, field, value in settings:
            if task == name:
                given.setdefault(field, []).append(converted(kind, name, field, value))
        for values in product(*given.values()):
            entry = name, kind(**dict(zip(given, values, strict=True)))
            if entry not in made:
                made.append(entry)
    return tuple(made)


def datasets_from(
    wanted: Sequence[Any] | None,
    tasks: Iterable[tuple[str, Task[Any]]],
    library: Library,
    fillers: str | Path | None = None,
) -> tuple[Dataset, ...]:
    """Datasets by catalogue name, by path, or as they are; all that are at hand by default."""
    kinds = _strictest_first(task.reads for _, task in tasks)
    table = None if fillers is None else Path(fillers)
    if wanted:
        return _apart(_dataset(source, kinds, library, table) for source in wanted)
    found = tuple(
        _catalogued(entry.name, library, table)
        for entry in catalogue().values()
        if entry.kind in {kind.kind for kind in kinds} and library.has(entry)
    )
    if not found:
        raise NotAtHand(
            "No dataset for these tasks is at hand. " + _how_to_get(*(kind.kind for kind in kinds))
        )
    return found


def _strictest_first(kinds: Iterable[type[Dataset]]) -> tuple[type[Dataset], ...]:
    """The kinds in the order a file is tried as: almost anything can be read as categories."""
    strict = (
        Sentences, Texts, Phrases, EntityTypes, Preferences, WordPairs, Analogies, Questions,
        Properties,
    )  # fmt: skip
    return tuple(
        sorted(dict.fromkeys(kinds), key=lambda k: strict.index(k) if k in strict else len(strict))
    )


def _dataset(
    source: Any, kinds: Sequence[type[Dataset]], library: Library, fillers: Path | None
) -> Dataset:
    if isinstance(source, Dataset):
        return source
    text = str(source)
    if text in catalogue() and not is_file(text):
        dataset = _catalogued(text, library, fillers)
        if not isinstance(dataset, tuple(kinds)):
            raise BadUsage(f"{text} holds {dataset.kind}; none of the chosen tasks reads that.")
        return dataset
    if not exists(text) and "/" not in text and "." not in text:
        raise UnknownName(
            "dataset or file", text, [n for n, e in catalogue().items() if e.kind in KINDS]
        )
    problems = []
    for kind in kinds:
        try:
            return readers.read(kind.kind, Path(text), Path(text).stem, fillers)
        except BadData as problem:
            problems.append((kind.kind, problem))
    if len(problems) == 1 or len({str(problem) for _, problem in problems}) == 1:
        raise problems[0][1]
    reasons = " ".join(f"As {kind}: {problem}" for kind, problem in problems)
    raise BadData(f"{text}: none of the chosen tasks can read it. {reasons}")


def _catalogued(name: str, library: Library, fillers: Path | None) -> Dataset:
    entry = catalogue()[name]
    if entry.kind not in KINDS:
        raise BadUsage(f"{name} holds {entry.kind}, not a dataset that a task reads.")
    if entry.fillers and fillers is None:
        fillers = library.fillers(name)
    return readers.catalogued(entry.kind, library.files(name), name, fillers)


def words_of(datasets: Iterable[Dataset], policy: Policy) -> list[str]:
    """Every word of the datasets as the policy spells it: what an encoder is asked for."""
    return sorted({policy.spelling(word) for dataset in datasets for word in dataset.all_words})


def _apart(datasets: Iterable[Dataset]) -> tuple[Dataset, ...]:
    """Each dataset once, under a name of its own."""
    named: dict[str, Dataset] = {}
    for dataset in datasets:
        name, number = readable(dataset.name), 2
        while name in named and named[name].fingerprint != dataset.fingerprint:
            name, number = f"{readable(dataset.name)}-{number}", number + 1
        named.setdefault(name, dataset if name == dataset.name else replace(dataset, name=name))
    return tuple(named.values())


def check(plan: Plan) -> None:
    """Refuse a plan in which nothing can be asked, or a seed that is none."""
    if not 0 <= plan.seed < 1 << 63:
        raise BadUsage(f"A seed is a number from 0 to 2**63 - 1, found {plan.seed}.")
    for dataset in plan.datasets:
        if not len(dataset):
            raise BadData(f"The dataset {dataset.name} holds no items.")
    if not plan.pairs():
        fits = [d for d in plan.datasets for _, t in plan.tasks if isinstance(d, t.reads)]
        others = [f" {name} can ask {d.name}." for d in fits for name in _asking(d)]
        raise BadUsage(
            "None of the chosen tasks has anything to ask of the chosen datasets: "
            f"{', '.join(name for name, _ in plan.tasks)} / "
            f"{', '.join(dataset.name for dataset in plan.datasets)}.{''.join(others[:1])}"
        )


def _asking(dataset: Dataset) -> list[str]:
    """The tasks that have something to ask of a dataset."""
    found = {name: task_class(name)() for name in task_names()}
    return [
        n for n, task in found.items() if isinstance(dataset, task.reads) and task.suits(dataset)
    ]


def told_by(task: str) -> list[str]:
    """The references that a task tells itself, beside its score."""
    if task not in task_names():  # a stored run may be of another version
        return []
    return [m.name for m in task_class(task).beside if m.told]
