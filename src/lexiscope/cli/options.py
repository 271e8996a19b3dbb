"""Options that several commands share, and the values that follow from them."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from lexiscope.core.execution import Execution
    from lexiscope.core.progress import Progress
    from lexiscope.data.inputs import Inputs

backend = click.option(
    "--backend",
    type=click.Choice(["serial", "processes", "dask"]),
    help="Default: serial, or processes with --jobs above 1. dask needs lexiscope[dask].",
)
data_dir = click.option(
    "--data-dir",
    type=click.Path(file_okay=False),
    help="Folder with your own copies of catalogue files.",
)
fetch = click.option("--fetch", is_flag=True, help="Download missing data first.")
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document instead of tables."
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    envvar="LEXISCOPE_N_JOBS",
    help="Number of parallel processes.",
)
report = click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write an HTML report to this file.",
)
run_id = click.option("--run", "run_id", metavar="ID", help="Stored run; default: the newest.")
seed = click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    envvar="LEXISCOPE_SEED",
    help="Random seed.",
)
store = click.option(
    "--store",
    type=click.Path(dir_okay=False),
    default="lexiscope.sqlite",
    show_default=True,
    help="SQLite file that stores predictions and scores.",
)
memory = click.option(
    "--memory",
    metavar="SIZE",
    envvar="LEXISCOPE_MEMORY",
    help="Memory limit for counting, such as 500M or 2G.",
)
threads = click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    envvar="LEXISCOPE_THREADS",
    help="Number of threads; default: all cores.",
)


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every command that evaluates embeddings."""
    for option in (fetch, data_dir, as_json, report, store, backend, jobs):
        command = option(command)
    return command


def parameters(*decorators: Callable[[Any], Any]) -> list[click.Parameter]:
    """The same options as values, for a command that is created at run time."""

    def carrier() -> None:
        """Carries the parameters that click's decorators attach to a function."""

    for decorator in decorators:
        decorator(carrier)
    found: list[click.Parameter] = carrier.__click_params__  # type: ignore[attr-defined]
    return found


def execution_from(options: Mapping[str, Any], progress: "Progress") -> "Execution":
    """The execution of --store, --backend, --jobs and --force, as far as a command has them."""
    from lexiscope.core.execution import IN_MEMORY, Execution

    return Execution(
        options.get("store") or IN_MEMORY,
        options.get("backend") or "",
        options["jobs"],
        progress,
        options.get("force", False),
    )


def inputs_from(options: Mapping[str, Any]) -> "Inputs":
    """The inputs of --data-dir, --on-error, --fillers and --frequencies."""
    from lexiscope.data.inputs import Inputs

    names = ("data_dir", "on_error", "fillers", "frequencies")
    return Inputs(**{name: options[name] for name in names if name in options})


def set_resources(options: Mapping[str, Any]) -> None:
    """Apply --threads and --memory, and raise an error at once if they are invalid."""
    from lexiscope.core import machine

    for variable in ("threads", "memory"):
        if options[variable] is not None:
            os.environ[f"LEXISCOPE_{variable.upper()}"] = str(options[variable])
    machine.threads()
    machine.memory()
