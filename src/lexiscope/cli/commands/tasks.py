"""What can be asked."""

import json

import click

from lexiscope.cli import options


@click.command()
@click.argument("name", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List the tasks, or explain the task NAME with its settings and datasets."""
    from lexiscope.bench.plan import task_class, task_names

    names = [name] if name else task_names()
    found = [_about(each, task_class(each)) for each in names]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for about in found:
        _print(about, in_full=name is not None)


def _about(name: str, kind: type) -> dict[str, object]:
    import sys
    from dataclasses import fields
    from inspect import getdoc
    from typing import Any, cast, get_type_hints

    from lexiscope.core.task import Task
    from lexiscope.data.catalogue import catalogue

    task = cast(type[Task[Any]], kind)
    hints = get_type_hints(task)
    return {
        "name": name,
        "summary": (getdoc(task) or "").partition("\n")[0],
        "text": getdoc(sys.modules[task.__module__]) or "",
        "version": task.version,
        "reads": task.reads.kind,
        "learns": task.learns,
        "measures": [measure.name for measure in task.measures()],
        "settings": {
            field.name: {
                "default": field.default,
                "type": str(hints[field.name])
                .removeprefix("typing.")
                .replace("<class '", "")
                .rstrip("'>"),
            }
            for field in fields(task)
        },
        "datasets": [entry.name for entry in catalogue().values() if entry.kind == task.reads.kind],
    }


def _print(about: dict[str, object], in_full: bool) -> None:
    click.echo(f"{about['name']:<15} {about['summary']}")
    if not in_full:
        return
    click.echo(f"\n{about['text']}\n")
    if about["learns"]:
        click.echo("Learns, so it is asked only where it or a dataset is named.")
    click.echo(f"Reads {about['reads']}; measures: {', '.join(about['measures'])}.")  # type: ignore[arg-type]
    for field, value in about["settings"].items():  # type: ignore[attr-defined]
        click.echo(f"  --set {about['name']}.{field}={value['default']}   ({value['type']})")
    click.echo(f"Datasets: {', '.join(about['datasets'])}, or a file of your own.")  # type: ignore[arg-type]
