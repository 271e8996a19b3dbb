"""Options and output that the commands `probe` and `reproduce` have in common."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.exports import write_text

if TYPE_CHECKING:
    from lexiscope.experiments.synthetic.results import SyntheticResults
    from lexiscope.papers.reproduce import Reproduction

PLAN = ("models", "trials", "sentences", "settings", "seed")  # options of a plan


def experiment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for models, trials, execution and output."""
    execution = (shared.jobs, shared.scheduler, shared.backend, shared.store)
    for option in reversed((*_OPTIONS, shared.seed, *execution, *_OUTPUT)):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="NAME",
        help="Only this model (repeatable). On synthetic languages (s0) also any trainer.",
    ),
    click.option(
        "--trials",
        type=click.IntRange(1),
        metavar="N",
        help="Number of trials: sampled corpora, or runs of each random model.",
    ),
    click.option(
        "--sentences", type=click.IntRange(1), metavar="N", help="Sentences per sampled corpus."
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="[NAME.]FIELD=VALUE",
        help="A hyperparameter of all models, of one model or trainer (skip.learning_rate=0.05), "
        "or of a probe (subspace.cost=10).",
    ),
)
_OUTPUT = (
    shared.report,
    shared.as_json,
    click.option(
        "--markdown",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Also write the tables in Markdown.",
    ),
)


def given(options: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the options that the user gave, with parsed settings."""
    found = {name: options[name] for name in names if options[name] not in (None, ())}
    if "settings" in found:
        found["settings"] = [_setting(text) for text in found["settings"]]
    return found


def _setting(text: str) -> tuple[str, str]:
    from lexiscope.core.errors import BadUsage

    name, equals, value = text.partition("=")
    if not equals:
        raise BadUsage(f"--set takes FIELD=VALUE or NAME.FIELD=VALUE, found '{text}'.")
    return name, value


def output(found: "Reproduction | SyntheticResults", options: dict[str, Any]) -> int:
    """Print tables or JSON, write the page and Markdown if requested, and return the exit code."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.results import exit_code
    from lexiscope.papers.reproduce import Reproduction
    from lexiscope.report.papers.document import show, to_markdown, write

    if options["page"]:
        write(found, options["page"])
    if options["markdown"]:
        write_text(options["markdown"], to_markdown(found))
    if options["as_json"]:
        print_json(found.to_dict())
    else:
        show(found)
    if options["page"]:
        click.echo(f"Report: {options['page']}", err=True)
    return exit_code(found.results if isinstance(found, Reproduction) else found)
