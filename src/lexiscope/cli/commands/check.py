"""Is a new embedding really worse than the one in use? For continuous integration."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.bench.checking import Errand
    from lexiscope.core.progress import Progress

_WITH_BASELINE = ("embedding", "fail_on", "junit", "as_json")


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Check against this document of --save, or of 'lexiscope run --json'.",
)
@click.option(
    "--save", type=click.Path(dir_okay=False), metavar="FILE", help="Make a baseline instead."
)
@click.option(
    "--embedding", metavar="NAME", help="Which embedding of the baseline, if it has more."
)
@click.option(
    "--fail-on",
    multiple=True,
    metavar="RULE",
    help="significant-drop (the default), any-drop, drop=NUMBER, coverage-drop (repeatable).",
)
@click.option(
    "--junit", type=click.Path(dir_okay=False), metavar="FILE", help="Also write a JUnit file."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="With --save: only this task.")
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="With --save: only this dataset. With --baseline: the file of one whose place it lacks.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep answers here, so that they are not asked again; nowhere by default.",
)
@shared.data_dir
@shared.jobs
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Ask VECTORS what a baseline was asked; ends with 1 when one is really worse.

    First make a baseline of the embedding in use with --save, then check each new one against it
    with --baseline.
    """
    from lexiscope.core.errors import BadUsage

    if (options["baseline"] is None) == (options["save"] is None):
        raise BadUsage("Give --baseline FILE to check against it, or --save FILE to make one.")
    wrong = ("tasks",) if options["save"] is None else _WITH_BASELINE
    if any(options[name] for name in wrong):
        named = {"tasks": "--task", "as_json": "--json"}
        listed = ", ".join(named.get(name, f"--{name.replace('_', '-')}") for name in wrong)
        other = "--save" if options["save"] is None else "--baseline"
        raise BadUsage(f"{listed}: only together with {other}.")
    return _check(vectors, options) if options["save"] is None else _save(vectors, options)


def _check(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.bench.baseline import read
    from lexiscope.bench.checking import check
    from lexiscope.bench.rules import rule
    from lexiscope.cli.progress import progress

    rules = options["fail_on"] or ("significant-drop",)
    for text in rules:  # a slip is told before anything is read
        rule(text)
    baseline = read(Path(options["baseline"]), options["embedding"])
    with progress() as tell:
        found = check(vectors, baseline, rules, _errand(options, tell), options["datasets"])
    if options["junit"]:
        from lexiscope.report.junit import write

        write(found, Path(options["junit"]))
    from lexiscope.report.checking import document, show

    if options["as_json"]:
        import json

        click.echo(json.dumps(document(found), indent=2))
    else:
        show(found)
    return 1 if found.failed else 0


def _save(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.bench.baseline import write
    from lexiscope.bench.saving import make
    from lexiscope.cli.progress import progress
    from lexiscope.report.terminal import show

    with progress() as tell:
        made = make(vectors, options["tasks"], options["datasets"], _errand(options, tell))
    write(Path(options["save"]), made.results.to_dict(), made.answers, made.sources)
    show(made.results)
    click.echo(f"Baseline: {options['save']}", err=True)
    return 1 if made.results.failures else 0


def _errand(options: dict[str, Any], tell: "Progress") -> "Errand":
    from lexiscope.bench.checking import Errand
    from lexiscope.data.library import Library

    store = options["store"] or ":memory:"
    return Errand(Library(options["data_dir"]), store, options["jobs"], tell)
