"""Train an embedding on a text."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.fields import default_shown
from lexiscope.core.display import shown

if TYPE_CHECKING:
    from lexiscope.bench.recording import Training
    from lexiscope.bench.training import Trained
    from lexiscope.data.library import Library

_STEPS = ("tokens", "sentences", "lower", "digits", "shortest", "minimum", "limit")
_OTHERS = ("texts", "preset", "on_error", "output", "name", "threads", "memory", "force", "resume")
RESERVED = (*_STEPS, *_OTHERS, "seed", "data_dir", "fetch")


class Trainers(click.Group):
    """A command for each trainer, its options made from the trainer's settings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from lexiscope import trainers
        from lexiscope.core.discovery import names

        return names(trainers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from lexiscope.bench.training import trainer_class

        return _command(cmd_name, trainer_class(cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from lexiscope import trainers
        from lexiscope.core.discovery import summary

        with formatter.section("Trainers"):
            formatter.write_dl(
                [(name, summary(trainers, name)) for name in self.list_commands(ctx)]
            )


@click.command(cls=Trainers, subcommand_metavar="NAME TEXT... -o OUT")
def command() -> None:
    """Train an embedding: NAME is a trainer, TEXT a file, a folder, - or a catalogue name.

    'lexiscope train NAME --help' lists the options of a trainer.
    """


def _command(name: str, kind: type[Any]) -> click.Command:
    from inspect import getdoc

    from lexiscope.cli.fields import fields_of, options_of

    def train(**given: Any) -> None:
        _train(name, [field.name for field in fields_of(kind)], given)

    params: list[click.Parameter] = [
        click.Argument(["texts"], nargs=-1, metavar="TEXT...", type=click.Path(allow_dash=True)),
        *options_of(fields_of(kind)),
        *_with_defaults(_text_options()),
        *_other_options(),
    ]
    return click.Command(name, params=params, callback=train, help=f"{getdoc(kind)} {kind.paper}.")


def _with_defaults(options: list[click.Option]) -> list[click.Option]:
    """The options of the text, each with what it is when no one asks."""
    from lexiscope.core.preparation import PRESETS

    usual = {**PRESETS["default"].as_dict(), "preset": "default", "on_error": "stop"}
    for option in options:
        value = usual.get(str(option.name))
        if value is not None:
            option.help = f"{option.help} [{default_shown(value)}]"
    return options


def _text_options() -> list[click.Option]:
    from lexiscope.core.preparation import PRESETS

    return [
        click.Option(
            ["--preset"],
            type=click.Choice(list(PRESETS)),
            default="default",
            help="Text as a paper prepared it; the options below change single steps.",
        ),
        click.Option(
            ["--tokens"],
            type=click.Choice(["words", "spaces"]),
            help="Runs of letters and digits, or what stands between spaces.",
        ),
        click.Option(
            ["--sentences"],
            type=click.Choice(["split", "lines", "documents"]),
            help="Sentences end at end marks, at line ends, or with the document.",
        ),
        click.Option(["--lower/--no-lower"], default=None, help="Write all in lower case."),
        click.Option(
            ["--digits"],
            type=click.Choice(["keep", "zero", "seven"]),
            help="Keep digits, write each as 0, or one-digit tokens as 7.",
        ),
        click.Option(["--shortest"], type=int, metavar="N", help="Shorter tokens are left out."),
        click.Option(["--minimum"], type=int, metavar="N", help="Rarer words are left out."),
        click.Option(["--limit"], type=int, metavar="N", help="Only the N most frequent words."),
        click.Option(
            ["--on-error"],
            type=click.Choice(["stop", "replace"]),
            default="stop",
            help="What to do about bytes that are not UTF-8.",
        ),
    ]


def _other_options() -> list[click.Parameter]:
    from lexiscope.cli.options import parameters

    return [
        click.Option(
            ["-o", "--output"],
            required=True,
            type=click.Path(dir_okay=False),
            help="Where the vectors go; the ending chooses the format, as in 'convert'.",
        ),
        click.Option(["--name"], help="What to call the embedding; the file's name by default."),
        click.Option(["--force"], is_flag=True, help="Train again, and write over what is there."),
        click.Option(
            ["--resume"], is_flag=True, help="Go on with a training that was interrupted."
        ),
        *parameters(shared.threads, shared.memory, shared.seed, shared.data_dir, shared.fetch),
    ]


def _train(name: str, fields: list[str], given: dict[str, Any]) -> None:
    from lexiscope.bench.recording import already
    from lexiscope.bench.training import make
    from lexiscope.cli.progress import progress
    from lexiscope.data.library import Library

    shared.use_machine(given)
    out = Path(given["output"])
    _check(name, out)
    if given["fetch"]:
        from lexiscope.cli.fetching import fetch_named

        settings = [given[field] for field in fields if isinstance(given[field], str)]
        fetch_named([*given["texts"], *settings], given["data_dir"])
    library = Library(given["data_dir"])
    training = _training(name, fields, given, library)
    if not given["force"] and already(training, library, out):
        told = f"{out}: is there already, trained the same way. --force trains it again."
        click.echo(shown(told, 1000), err=True)
        return
    resume = _goes_on(training, library, out, given)
    try:
        with progress() as tell:
            found = make(training, library, out, tell, resume=resume)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_interrupted(out)) from None
    _tell(found, training.name, out)


def _goes_on(training: "Training", library: "Library", out: Path, given: dict[str, Any]) -> bool:
    """Whether to go on from a checkpoint; what is there is neither used nor lost unasked."""
    from lexiscope.bench.resuming import drop, place_of, spent, waits
    from lexiscope.core.errors import BadUsage
    from lexiscope.core.trainer import Stepwise

    if given["force"] and not given["resume"]:
        drop(out)
    there = waits(training, library, out)
    if there and not given["resume"]:
        raise BadUsage(
            f"{place_of(out)}: a training that was interrupted is there. --resume goes on, "
            "--force begins anew."
        )
    if there:
        told = f"{place_of(out)}: goes on after {spent(out).training:.1f} s of training."
        click.echo(shown(told, 1000), err=True)
    if given["resume"] and not there:
        in_steps = isinstance(training.trainer, Stepwise)
        why = "there is no checkpoint" if in_steps else "this trainer goes in one piece"
        click.echo(shown(f"{out}: {why}, so that the training begins anew.", 1000), err=True)
    return there


def _interrupted(out: Path) -> str:
    from lexiscope.bench.resuming import place_of

    place = place_of(out)
    if not place.exists():
        return "Interrupted. Nothing was finished: the same command begins anew."
    return (
        f"Interrupted. The same command with --resume goes on. {place} is a vector file as well: "
        "run, convert and neighbours take it."
    )


def _check(name: str, out: Path) -> None:
    """Refuse a file that could not be written, before the work and not after it."""
    from lexiscope.bench.training import trainer_class
    from lexiscope.core.errors import BadUsage
    from lexiscope.data.vectors import check_target

    check_target(out)
    if trainer_class(name).sparse and out.suffix != ".safetensors":
        raise BadUsage(f"{out}: {name} makes sparse vectors, which only .safetensors can hold.")


def _tell(found: "Trained", name: str, out: Path) -> None:
    from lexiscope.cli.repairs import tell_repairs

    embedding, record = found
    tell_repairs(name, record["corpus"]["repairs"], "left out or changed while reading")
    tokens = record["corpus"]["tokens"]
    source = f", from {tokens:,} tokens" if tokens else ""
    seconds = sum(record["seconds"].values())
    told = f"{out}: {len(embedding):,} words x {embedding.dimension:,}{source} in {seconds:.1f} s"
    click.echo(shown(told, 1000), err=True)


def _training(name: str, fields: list[str], given: dict[str, Any], library: Any) -> "Training":
    from lexiscope.bench.sources import readable
    from lexiscope.bench.training import ordered, preparation_from

    steps = {step: given[step] for step in _STEPS if given[step] is not None}
    return ordered(
        name,
        {field: given[field] for field in fields if given[field] is not None},
        given["texts"],
        library,
        preparation=preparation_from(given["preset"], **steps),
        seed=given["seed"],
        on_error=given["on_error"],
        name=readable(given["name"] or Path(given["output"]).name.partition(".")[0]),
    )
