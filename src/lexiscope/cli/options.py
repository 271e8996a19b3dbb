"""Options that several commands share or that settings become, and the values that follow."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click

if TYPE_CHECKING:
    from lexiscope.core.decision import DecisionRule
    from lexiscope.core.execution import Execution
    from lexiscope.core.progress import Progress
    from lexiscope.data.inputs import Inputs

backend = click.option(
    "--backend",
    type=click.Choice(["serial", "processes", "dask"]),
    help="Default: serial, or processes with --jobs above 1. dask needs lexiscope[dask].",
)
scheduler = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Scheduler of a dask cluster, such as tcp://10.0.0.1:8786; default: LEXISCOPE_DASK.",
)
data_dir = click.option(
    "--data-dir",
    type=click.Path(file_okay=False),
    help="Folder with your own copies of catalogue files.",
)


def _forbid_downloads(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        os.environ["LEXISCOPE_OFFLINE"] = "1"


def _silence(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value:
        os.environ["LEXISCOPE_QUIET"] = "1"  # also for downloads, far below the command line
    return value


# Naming a paper is enough; the option of earlier versions is accepted.
fetch = click.option("--fetch", is_flag=True, expose_value=False, hidden=True)
offline = click.option(
    "--offline",
    is_flag=True,
    expose_value=False,
    callback=_forbid_downloads,
    help="Do not download the data that you name; LEXISCOPE_OFFLINE=1 does the same.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on standard output."
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    envvar="LEXISCOPE_N_JOBS",
    help="Number of parallel processes.",
)
language = click.option(
    "--language",
    metavar="TAG",
    help="Data and letters of this language, such as fr or de-CH.",
)
margin = click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    default=0.05,
    show_default=True,
    metavar="X",
    help="Equivalence margin: scores are equivalent if the true difference is below it.",
)
min_coverage = click.option(
    "--min-coverage",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    metavar="P",
    help="Proportion of a dataset's items that two embeddings must share for it to count.",
)
on_error = click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "replace"]),
    default="stop",
    show_default=True,
    help="Broken rows of a vector file: stop, skip them, or skip them and replace invalid "
    "characters.",
)
primary = click.option(
    "--primary",
    multiple=True,
    metavar="DATASET[=WEIGHT]",
    help="Recommend by this dataset only, with a weight (repeatable). Default: every dataset.",
)
report = click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write an HTML report to this file.",
)
brief = click.option("--brief", is_flag=True, help="Print only one grid of scores and the verdict.")
quiet = click.option(
    "--quiet",
    is_flag=True,
    callback=_silence,
    help="No progress and no tables: only --json, files and the exit code.",
)
run_id = click.option("--run", "run_id", metavar="ID", help="Stored run; default: the newest.")
same_model = click.option(
    "--same-model",
    multiple=True,
    metavar="PATTERN",
    help="Embeddings with such names (cbow-*) are runs of one model (repeatable).",
)
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
    for option in (offline, data_dir, as_json, report, store, backend, scheduler, jobs, on_error):
        command = option(command)
    return command


def decision_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how comparisons become a recommendation."""
    for option in (same_model, primary, min_coverage, margin):
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
        options.get("scheduler") or "",
    )


def inputs_from(options: Mapping[str, Any]) -> "Inputs":
    """The inputs of --data-dir, --on-error, --fillers and --frequencies."""
    from lexiscope.data.inputs import Inputs

    names = ("data_dir", "on_error", "fillers", "frequencies")
    return Inputs(**{name: options[name] for name in names if name in options})


def decision_from(options: Mapping[str, Any]) -> "DecisionRule":
    """The decision rule of --margin, --min-coverage and --primary."""
    from lexiscope.core.decision import DecisionRule

    primary = dict(_weighted(text) for text in options["primary"])
    return DecisionRule(options["margin"], options["min_coverage"], primary)


def _weighted(text: str) -> tuple[str, float]:
    """A dataset and its weight; 1 if there is none, because a path may contain "=" too."""
    name, _, weight = text.rpartition("=")
    try:
        return (name, float(weight)) if name else (text, 1.0)
    except ValueError:
        return text, 1.0


def set_resources(options: Mapping[str, Any]) -> None:
    """Apply --threads and --memory, and raise an error at once if they are invalid."""
    from lexiscope.core import machine

    for variable in ("threads", "memory"):
        if options[variable] is not None:
            os.environ[f"LEXISCOPE_{variable.upper()}"] = str(options[variable])
    machine.threads()
    machine.memory()


class Field(NamedTuple):
    """A setting as it is shown on the command line. A default of None means that it is required."""

    name: str
    type: str
    default: Any
    help: str
    choices: tuple[str, ...]


def fields_of(kind: type[Any]) -> list[Field]:
    """The settings of a task or trainer."""
    hints = get_type_hints(kind)
    return [
        Field(
            each.name,
            type_name(hints[each.name]),
            None if each.default is MISSING else each.default,
            each.metadata.get("help", ""),
            get_args(hints[each.name]) if get_origin(hints[each.name]) is Literal else (),
        )
        for each in fields(kind)
    ]


def options_of(settings: Iterable[Field]) -> list[click.Option]:
    """One option per setting. Options that are not given are None, so that defaults apply."""
    return [_option(setting) for setting in settings]


def _option(setting: Field) -> click.Option:
    dashed = setting.name.replace("_", "-")
    text = setting.help
    if setting.default is not None:
        text = f"{text} [{format_default(setting.default)}]".strip()
    if setting.type == "bool":
        return click.Option([f"--{dashed}/--no-{dashed}"], default=None, help=text)
    kind: Any = click.Choice(setting.choices) if setting.choices else _TYPES.get(setting.type)
    return click.Option([f"--{dashed}"], type=kind, default=None, help=text)


_TYPES: dict[str, Any] = {"int": click.INT, "float": click.FLOAT}


def type_name(hint: Any) -> str:
    """The type or the choices of a setting, for a help text."""
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    if isinstance(hint, type):
        return hint.__name__
    plain = [each for each in get_args(hint) if each is not type(None)]
    return " | ".join(each.__name__ for each in plain)


def format_default(value: Any) -> str:
    """Format a default value for a help text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
