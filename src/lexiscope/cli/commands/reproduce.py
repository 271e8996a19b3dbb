"""Reproduce the experiment of a paper."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.experiment_options import PLAN, experiment_options, given, output
from lexiscope.cli.paragraphs import print_paragraph

if TYPE_CHECKING:
    from lexiscope.core.errors import BadUsage
    from lexiscope.papers.reproduce import OptionDoesNotApply, Reproduction


@click.command()
@click.argument("paper")
@click.option(
    "--scale",
    default="small",
    show_default=True,
    metavar="NAME",
    help="small: a sample that takes minutes; paper: the paper's size, as far as the data allows.",
)
@click.option(
    "--criterion",
    "criteria",
    multiple=True,
    metavar="NAME",
    help="s0: only this criterion (repeatable).",
)
@click.option(
    "--dimension",
    "dimensions",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="s1, s3: only this dimensionality (repeatable).",
)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="SOURCE",
    help="s1 to s4: train on this instead: a file, a folder or a catalogue name (repeatable).",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    help="s1 to s4: folder for trained vectors.  [default: vectors]",
)
@click.option(
    "--study",
    "studies",
    multiple=True,
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="s1: a study file with judgments of people (repeatable).",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="EVALUATION=FILE",
    help="s1, s3: the paper's dataset of an evaluation that has a substitute, such as toefl=FILE "
    "(repeatable).",
)
@shared.data_dir
@shared.fetch
@shared.offline
@experiment_options
def command(paper: str, **options: Any) -> int:
    """Reproduce the experiment of PAPER (s0 to s4) and judge its printed numbers.

    Every finished trial is stored. After an interruption, the same command continues.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.papers.reproduce import OptionDoesNotApply, reproduce

    scale, chosen = options["scale"], given(options, *PLAN, "criteria", "dimensions", "texts")
    if options["datasets"]:
        chosen["datasets"] = dict(map(_dataset, options["datasets"]))
    try:
        chosen |= given(options, "folder", "studies")
        if options["data_dir"]:
            from lexiscope.data.inputs import Inputs

            chosen["inputs"] = Inputs(options["data_dir"])
        with progress_bar() as progress:
            execution = shared.execution_from(options, progress)
            found = reproduce(paper, scale, execution=execution, **chosen)
    except OptionDoesNotApply as problem:
        raise _with_flags(problem) from None
    code = output(found, options)
    _report_missing(found, options["data_dir"])
    return code


def _dataset(text: str) -> tuple[str, str]:
    """Parse EVALUATION=FILE."""
    from lexiscope.core.errors import BadUsage
    from lexiscope.core.paths import is_file

    name, equals, path = text.partition("=")
    if not equals or not is_file(path):
        raise BadUsage(f"--dataset takes EVALUATION=FILE with a file that exists, found '{text}'.")
    return name, path


def _with_flags(problem: "OptionDoesNotApply") -> "BadUsage":
    """The same error with the options of the command line instead of those of Python."""
    from lexiscope.core.errors import BadUsage

    known = ", ".join(sorted(map(_flag, problem.known)))
    return BadUsage(
        f"{_flag(problem.name)} does not apply to {problem.paper}. Its options: {known}."
    )


def _flag(name: str) -> str:
    """The option of the command line that sets an option of a paper."""
    parameter = "data_dir" if name == "inputs" else name
    return next(each.opts[0] for each in command.params if each.name == parameter)


def _report_missing(found: "Reproduction", folder: str | None) -> None:
    """Report which data are missing, and the command that gets them."""
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.named_entries import missing_entries

    names = getattr(found.results.plan, "downloads", [])
    missing = [entry.name for entry in missing_entries(names, LocalData(folder))]
    if missing:
        print_paragraph(
            f"Missing data: lexiscope data get {' '.join(missing)}. Then repeat the command.",
            indent=2,
            err=True,
        )
