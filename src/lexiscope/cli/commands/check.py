"""Fail if a new embedding is significantly worse than a baseline."""

from typing import Any

import click

from lexiscope.cli import options as shared

_ONLY_WITH_BASELINE = ("embedding", "fail_on", "junit", "as_json")


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Baseline to test against: a file of --save or of 'lexiscope run --json'.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Evaluate VECTORS and write a baseline instead.",
)
@click.option("--embedding", metavar="NAME", help="Embedding of the baseline, if it has several.")
@click.option(
    "--fail-on",
    multiple=True,
    metavar="RULE",
    help="significant-drop (default), any-drop, drop=NUMBER or coverage-drop (repeatable).",
)
@click.option(
    "--junit", type=click.Path(dir_okay=False), metavar="FILE", help="Also write a JUnit file."
)
@shared.as_json
@click.option(
    "--task",
    "tasks",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="With --save: only this task (repeatable).",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="With --save: only this dataset. With --baseline: the file of a dataset (repeatable).",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="SQLite file that stores predictions and scores; default: none.",
)
@shared.data_dir
@shared.jobs
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Test whether VECTORS are significantly worse than a baseline.

    First evaluate the current embedding with --save, then check each new one with --baseline. The
    exit code is 1 if a rule of --fail-on fails.
    """
    from lexiscope.core.errors import BadUsage

    if (options["baseline"] is None) == (options["save"] is None):
        raise BadUsage("Give --baseline FILE to test against it, or --save FILE to make one.")
    wrong = ("tasks",) if options["save"] is None else _ONLY_WITH_BASELINE
    if any(options[name] for name in wrong):
        flags = {"tasks": "--task", "as_json": "--json"}
        listed = ", ".join(flags.get(name, f"--{name.replace('_', '-')}") for name in wrong)
        other = "--save" if options["save"] is None else "--baseline"
        raise BadUsage(f"{listed}: only together with {other}.")
    return _check(vectors, options) if options["save"] is None else _save(vectors, options)


def _check(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.cli.progress import progress_bar
    from lexiscope.regression.baseline import read
    from lexiscope.regression.check import check
    from lexiscope.regression.rules import rule

    rules = options["fail_on"] or ("significant-drop",)
    for text in rules:  # report a typing error before anything is read
        rule(text)
    baseline = read(Path(options["baseline"]), options["embedding"])
    with progress_bar() as progress:
        execution = shared.execution_from(options, progress)
        inputs = shared.inputs_from(options)
        found = check(vectors, baseline, rules, inputs, execution, options["datasets"])
    if options["junit"]:
        from lexiscope.report.junit import write

        write(found, Path(options["junit"]))
    from lexiscope.report.regression import document, show

    if options["as_json"]:
        import json

        click.echo(json.dumps(document(found), indent=2))
    else:
        show(found)
    return 1 if found.failed else 0


def _save(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.cli.progress import progress_bar
    from lexiscope.regression.creation import create_baseline, write_baseline
    from lexiscope.report.terminal import show

    with progress_bar() as progress:
        execution = shared.execution_from(options, progress)
        found = create_baseline(
            vectors, options["tasks"], options["datasets"], shared.inputs_from(options), execution
        )
    results = found.results
    write_baseline(Path(options["save"]), results.to_dict(), found.predictions, found.sources)
    show(results)
    click.echo(f"Baseline: {options['save']}", err=True)
    return 0 if results.succeeded else 1
