"""List the tasks, or describe one."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph, print_text

if TYPE_CHECKING:
    from lexiscope.core.contracts.task import Task


@click.command()
@click.argument("name", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List the tasks, or describe the task NAME with its settings and datasets."""
    from lexiscope.cli.json_output import print_json

    found = [_describe(*_named(each)) for each in ([name] if name else _names())]
    if as_json:
        print_json(found)
        return
    for description in found:
        _print(description, in_full=name is not None)


def _names() -> list[str]:
    from lexiscope import tasks
    from lexiscope.core.contracts.registry import TASKS, loadable_names
    from lexiscope.core.contracts.task import Task

    return loadable_names(tasks, Task, TASKS)


def _named(name: str) -> "tuple[str, type[Task[Any]]]":
    """The name and the class of a task, which may be the path of a Python file."""
    from lexiscope.core.contracts.settings import name_of
    from lexiscope.evaluation.resolve import task_from_file
    from lexiscope.evaluation.task_index import task_class

    if name.endswith(".py"):
        kind = task_from_file(name)
        return name_of(kind), kind
    return name, task_class(name)


def _describe(name: str, task: "type[Task[Any]]") -> dict[str, Any]:
    import sys
    from dataclasses import fields
    from inspect import getdoc
    from typing import get_type_hints

    from lexiscope.cli.options import type_name
    from lexiscope.data.catalogue import catalogue

    hints = get_type_hints(task)
    return {
        "name": name,
        "summary": (getdoc(task) or "").partition("\n")[0],
        "text": getdoc(sys.modules[task.__module__]) or "",
        "version": task.version,
        "dataset": task.dataset.kind,
        "supervised": task.supervised,
        "metrics": [metric.name for metric in task.metrics()],
        "settings": {
            field.name: {
                "default": field.default,
                "type": type_name(hints[field.name]),
                "help": field.metadata.get("help", ""),
            }
            for field in fields(task)
        },
        "datasets": [
            entry.name
            for entry in catalogue().values()
            if entry.kind == task.dataset.kind and not entry.only_for_curves
        ],
    }


def _print(task: dict[str, Any], in_full: bool) -> None:
    print_paragraph(task["summary"], f"{task['name']:<15} ")
    if not in_full:
        return
    click.echo()
    print_text(task["text"])
    click.echo()
    if task["supervised"]:
        click.echo("Trains a model, so it runs only if it or a dataset is named.")
    print_paragraph(f"Evaluates {task['dataset']}; metrics: {', '.join(task['metrics'])}.")
    for field, value in task["settings"].items():
        click.echo(f"  --set {task['name']}.{field}={value['default']}")
        print_paragraph(f"{value['help']} ({value['type']})", " " * 6)
    print_paragraph(f"Datasets: {', '.join(task['datasets'])}, or a file of your own.", indent=2)
