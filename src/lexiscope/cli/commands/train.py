"""Train an embedding on a corpus."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.options import format_default
from lexiscope.core.display import shown

if TYPE_CHECKING:
    from lexiscope.data.local_data import LocalData
    from lexiscope.training.spec import Training

_PREPROCESSING = ("tokens", "sentences", "lower", "digits", "min_length", "min_count", "limit")
_OTHERS = ("texts", "preset", "on_error", "output", "name", "threads", "memory", "force", "resume")
RESERVED = (*_PREPROCESSING, *_OTHERS, "seed", "data_dir", "offline", "as_json", "json",
            "backend", "scheduler")  # fmt: skip


class Trainers(click.Group):
    """One command per trainer, with options for its settings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from lexiscope import trainers
        from lexiscope.core.contracts.registry import TRAINERS, names

        return names(trainers, TRAINERS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from lexiscope.training.spec import trainer_class

        return _command(cmd_name, trainer_class(cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from lexiscope import trainers
        from lexiscope.core.contracts.registry import TRAINERS, loadable_names, summary
        from lexiscope.core.contracts.trainer import Trainer
        from lexiscope.training.trainer_groups import grouped

        known = loadable_names(trainers, Trainer, TRAINERS)
        width = max(map(len, known))
        for title, group in grouped(known).items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), summary(trainers, name, TRAINERS)) for name in group]
                )


@click.command(cls=Trainers, subcommand_metavar="TRAINER TEXT... -o OUT")
def command() -> None:
    """Train an embedding on one or several texts.

    TRAINER is a name from the list below, or a Python file that defines a trainer. TEXT is a file,
    a folder, a catalogue name, or - for standard input.

    'lexiscope train TRAINER --help' lists the options of a trainer.
    """


def _command(name: str, kind: type[Any]) -> click.Command:
    from inspect import getdoc

    from lexiscope.cli.options import fields_of, options_of

    settings = fields_of(kind)

    def train(**given: Any) -> None:
        _train(name, [setting.name for setting in settings], given)

    params: list[click.Parameter] = [
        click.Argument(["texts"], nargs=-1, metavar="TEXT...", type=click.Path(allow_dash=True)),
        *options_of(settings),
        *_with_defaults(_text_options()),
        *_other_options(),
    ]
    return click.Command(name, params=params, callback=train, help=f"{getdoc(kind)} {kind.paper}.")


def _with_defaults(options: list[click.Option]) -> list[click.Option]:
    """Append the defaults to the help texts of the text options."""
    from lexiscope.core.preprocessing import PRESETS

    defaults = {**vars(PRESETS["default"]), "preset": "default", "on_error": "stop"}
    for option in options:
        value = defaults.get(str(option.name))
        if value is not None:
            option.help = f"{option.help} [{format_default(value)}]"
    return options


def _text_options() -> list[click.Option]:
    from lexiscope.core.preprocessing import PRESETS

    return [
        click.Option(
            ["--preset"],
            type=click.Choice(list(PRESETS)),
            default="default",
            help="Preprocessing of a paper; the options below change single settings.",
        ),
        click.Option(
            ["--tokens"],
            type=click.Choice(["words", "spaces"]),
            help="Tokens: runs of letters and digits, or separated by spaces.",
        ),
        click.Option(
            ["--sentences"],
            type=click.Choice(["split", "lines", "documents"]),
            help="Sentences end at end marks, at line ends, or with the document.",
        ),
        click.Option(["--lower/--no-lower"], default=None, help="Convert to lower case."),
        click.Option(
            ["--digits"],
            type=click.Choice(["keep", "zero", "seven"]),
            help="Keep digits, replace each by 0, or replace one-digit tokens by 7.",
        ),
        click.Option(["--min-length"], type=int, metavar="N", help="Discard shorter tokens."),
        click.Option(
            ["--min-count"], type=int, metavar="N", help="Discard words with fewer occurrences."
        ),
        click.Option(
            ["--limit"], type=int, metavar="N", help="Keep only the N most frequent words."
        ),
        click.Option(
            ["--on-error"],
            type=click.Choice(["stop", "replace"]),
            default="stop",
            help="Stop at invalid UTF-8, or replace it.",
        ),
    ]


def _other_options() -> list[click.Parameter]:
    from lexiscope.cli.options import parameters

    return [
        click.Option(
            ["-o", "--output"],
            required=True,
            type=click.Path(dir_okay=False),
            help="Vector file to write; the extension determines the format, as in 'convert'.",
        ),
        click.Option(["--name"], help="Name of the embedding; by default the name of the file."),
        click.Option(["--force"], is_flag=True, help="Train again, and overwrite the file."),
        click.Option(["--resume"], is_flag=True, help="Continue an interrupted training."),
        click.Option(
            ["--backend"],
            type=click.Choice(["serial", "dask"]),
            help="dask: the workers of a cluster count contexts and train shards. Same vectors.",
        ),
        *parameters(
            shared.scheduler,
            shared.as_json,
            shared.threads,
            shared.memory,
            shared.seed,
            shared.data_dir,
            shared.offline,
        ),
    ]


def _train(name: str, settings: list[str], given: dict[str, Any]) -> None:
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.local_data import LocalData
    from lexiscope.training.record import is_finished, read_record
    from lexiscope.training.train import run_training

    shared.set_resources(given)
    path = Path(given["output"])
    _check_output(name, path)
    from lexiscope.cli.download import fetch_named

    values = [given[field] for field in settings if isinstance(given[field], str)]
    fetch_named([*given["texts"], *values], given["data_dir"])
    local_data = LocalData(given["data_dir"])
    training = _training(name, settings, given, local_data)
    if not given["force"] and is_finished(training, local_data, path):
        _echo(f"{path}: exists already, from the same training. --force trains it again.")
        _print_record(read_record(path) or {}, given)
        return
    resume = _resumes(training, local_data, path, given)
    try:
        with progress_bar() as progress, _cluster(given) as client:
            found = run_training(training, local_data, path, progress, resume=resume, client=client)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_interrupted(path)) from None
    _report(found.record, training.name, path)
    _print_record(found.record, given)


def _cluster(given: dict[str, Any]) -> AbstractContextManager[Any]:
    """A client of the cluster of --backend and --scheduler; None without."""
    from lexiscope.cluster.connection import connection
    from lexiscope.core.execution import Execution
    from lexiscope.core.machine import threads

    execution = Execution(backend=given["backend"] or "", scheduler=given["scheduler"] or "")
    if execution.backend != "dask":
        return nullcontext()
    return connection(execution.scheduler, threads())


def _resumes(
    training: "Training", local_data: "LocalData", path: Path, given: dict[str, Any]
) -> bool:
    """Whether to resume from a checkpoint. One is neither used nor removed without an option."""
    from lexiscope.core.contracts.trainer import Stepwise
    from lexiscope.core.errors import BadUsage
    from lexiscope.training.checkpoint import (
        checkpoint_path,
        checkpoint_timing,
        has_checkpoint,
        remove_checkpoint,
    )

    if given["force"] and not given["resume"]:
        remove_checkpoint(path)
    found = has_checkpoint(training, local_data, path)
    if found and not given["resume"]:
        raise BadUsage(
            f"{checkpoint_path(path)}: is the checkpoint of an interrupted training. --resume "
            "continues it, --force starts from scratch."
        )
    if found:
        seconds = checkpoint_timing(path).training
        _echo(f"{checkpoint_path(path)}: resuming after {seconds:.1f} s of training.")
    if given["resume"] and not found:
        stepwise = isinstance(training.trainer, Stepwise)
        why = "there is no checkpoint" if stepwise else "this trainer cannot be resumed"
        _echo(f"{path}: {why}, so the training starts from scratch.")
    return found


def _interrupted(path: Path) -> str:
    from lexiscope.training.checkpoint import checkpoint_path

    checkpoint = checkpoint_path(path)
    if not checkpoint.exists():
        return "Interrupted. There is no checkpoint yet: the same command starts from scratch."
    return (
        f"Interrupted. The same command with --resume continues. {checkpoint} is a vector file as "
        "well: run, convert and neighbours accept it."
    )


def _check_output(name: str, path: Path) -> None:
    """Refuse a file that cannot be written, before the training."""
    from lexiscope.core.errors import BadUsage
    from lexiscope.data.vectors import check_target
    from lexiscope.training.spec import trainer_class

    check_target(path)
    if trainer_class(name).sparse and path.suffix != ".safetensors":
        raise BadUsage(f"{path}: {name} gives sparse vectors, which only .safetensors can store.")


def _report(record: dict[str, Any], name: str, path: Path) -> None:
    from lexiscope.cli.repairs import report_repairs

    repairs = record["corpus"]["repairs"]
    report_repairs(name, repairs, "left out or changed while reading", "the record")
    tokens, embedding = record["corpus"]["tokens"], record["embedding"]
    report_repairs(name, embedding.get("repairs", ()), "notes of the training", "the record")
    source = f", from {tokens:,} tokens" if tokens else ""
    seconds = sum(record["seconds"].values())
    shape = f"{embedding['words']:,} words x {embedding['dimension']:,}"
    _echo(f"{path}: {shape}{source} in {seconds:.1f} s")


def _print_record(record: dict[str, Any], given: dict[str, Any]) -> None:
    from lexiscope.cli.json_output import print_json

    if given["as_json"]:
        print_json(record)


def _echo(message: str) -> None:
    click.echo(shown(message, 1000), err=True)


def _training(
    name: str, settings: list[str], given: dict[str, Any], local_data: "LocalData"
) -> "Training":
    from lexiscope.core.display import readable
    from lexiscope.training.spec import preprocessing_from, training_from

    output_name = readable(given["name"] or Path(given["output"]).name.partition(".")[0])
    changes = {field: given[field] for field in _PREPROCESSING if given[field] is not None}
    return training_from(
        name,
        {field: given[field] for field in settings if given[field] is not None},
        given["texts"],
        local_data,
        preprocessing=preprocessing_from(given["preset"], **changes),
        seed=given["seed"],
        on_error=given["on_error"],
        name=output_name,
    )
