"""Options that several commands have."""

import os
from collections.abc import Callable
from typing import Any

import click

backend = click.option(
    "--backend",
    type=click.Choice(["serial", "processes", "dask"]),
    help="serial, or processes with --jobs above 1; dask needs the extra.",
)
data_dir = click.option(
    "--data-dir", type=click.Path(file_okay=False), help="A folder with data files."
)
fetch = click.option("--fetch", is_flag=True, help="Fetch what is named and not at hand.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
jobs = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    envvar="LEXISCOPE_N_JOBS",
    help="How many processes work at once.",
)
report = click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a report, one HTML file.",
)
run_id = click.option("--run", "run_id", metavar="ID", help="Which run; the newest by default.")
seed = click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    envvar="LEXISCOPE_SEED",
    help="Where chance begins: the same seed gives the same numbers.",
)
store = click.option(
    "--store",
    type=click.Path(dir_okay=False),
    default="lexiscope.sqlite",
    show_default=True,
    help="Where answers and scores are kept.",
)
memory = click.option(
    "--memory",
    metavar="SIZE",
    envvar="LEXISCOPE_MEMORY",
    help="Most memory for counting, such as 500M or 2G.",
)
threads = click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    envvar="LEXISCOPE_THREADS",
    help="How many threads work at once; all cores by default.",
)


def use_machine(given: dict[str, Any]) -> None:
    """Let the options decide how much of the machine is used; told at once if they are wrong."""
    from lexiscope.core import machine

    for variable in ("threads", "memory"):
        if given[variable] is not None:
            os.environ[f"LEXISCOPE_{variable.upper()}"] = str(given[variable])
    machine.threads()
    machine.memory()


def parameters(*decorators: Callable[[Any], Any]) -> list[click.Parameter]:
    """The same options as values, for a command that is made at run time."""

    def carrier() -> None:
        """Holds what click's decorators hang on a function."""

    for decorator in decorators:
        decorator(carrier)
    found: list[click.Parameter] = carrier.__click_params__  # type: ignore[attr-defined]
    return found


def chosen_backend(given: dict[str, Any]) -> str:
    """The backend that was asked for, or the one that so many jobs need."""
    return str(given["backend"] or ("processes" if given["jobs"] > 1 else "serial"))


def of_a_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where and how a run is done, and what is written; for every command that asks embeddings."""
    document = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document instead of a table."
    )
    for option in (fetch, data_dir, document, report, store, backend, jobs):
        command = option(command)
    return command
