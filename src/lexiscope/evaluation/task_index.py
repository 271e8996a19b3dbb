"""The tasks by name, and which kind of dataset each evaluates, without importing them."""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope import tasks as task_package
from lexiscope.core.contracts.registry import TASKS, load, loadable_names, names
from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets import KINDS
from lexiscope.core.datasets.base import Dataset


class TaskEntry(NamedTuple):
    """A task by name: the class of its datasets, and whether it trains a model."""

    name: str
    dataset: type[Dataset]
    supervised: bool


def task_names() -> list[str]:
    """The names of all tasks: built in, or from installed packages."""
    return names(task_package, TASKS)


def task_class(name: str) -> type[Task[Any]]:
    """The task with this name."""
    return load(task_package, name, Task, TASKS)  # type: ignore[type-abstract]


def task_entries() -> list[TaskEntry]:
    """All tasks, but plug-ins that cannot be loaded.

    Built-in files are parsed, not imported: tasks import heavy libraries.
    """
    return [_parsed(n) or _imported(n) for n in loadable_names(task_package, Task, TASKS)]


def _imported(name: str) -> TaskEntry:
    kind = task_class(name)
    return TaskEntry(name, kind.dataset, kind.supervised)


def _parsed(name: str) -> TaskEntry | None:
    """The entry of a built-in file whose class names its dataset; None if it has to be imported."""
    kinds = {kind.__name__: kind for kind in KINDS.values()}
    for values in _class_variables(name):
        match values:
            case {"dataset": ast.Name(id=kind), **others} if kind in kinds:
                supervised = others.get("supervised", ast.Constant(False))
                return TaskEntry(name, kinds[kind], ast.literal_eval(supervised))
    return None


def _class_variables(name: str) -> Iterable[dict[str, ast.expr]]:
    """The assignments in the body of each class of a built-in file."""
    files = [Path(folder, f"{name}.py") for folder in task_package.__path__]
    source = next((file.read_bytes() for file in files if file.is_file()), b"")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            yield {
                target.id: line.value
                for line in statement.body
                if isinstance(line, ast.Assign)
                for target in line.targets
                if isinstance(target, ast.Name)
            }


def applicable_task(dataset: Dataset) -> str | None:
    """The first task that applies to a dataset."""
    fitting = (entry.name for entry in task_entries() if isinstance(dataset, entry.dataset))
    return next((name for name in fitting if task_class(name)().applies_to(dataset)), None)


def diagnostics_of(task: str) -> list[str]:
    """The references that a task computes itself, next to its score."""
    if task not in task_names():  # a stored run may have tasks that are not installed
        return []
    return [metric.name for metric in task_class(task).secondary if metric.diagnostic]
