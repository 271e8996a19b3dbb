"""Fail if a new embedding is significantly worse than a baseline."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.core.embedding import Embedding
    from lexiscope.data.inputs import Inputs

_ONLY_WITH_BASELINE = ("embedding", "fail_on", "junit")


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
@shared.margin
@click.option(
    "--junit", type=click.Path(dir_okay=False), metavar="FILE", help="Also write a JUnit file."
)
@shared.as_json
@click.option("--brief", is_flag=True, help="Print only the outcome.")
@shared.quiet
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
@click.option(
    "--language", metavar="TAG", help="With --save: data and letters of this language, such as fr."
)
@shared.offline
@shared.data_dir
@shared.on_error
@shared.jobs
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Test whether VECTORS are significantly worse than a baseline.

    First evaluate the current embedding with --save, then check each new one with --baseline. Each
    evaluation is significantly worse or better, equivalent within the margin, or undecided. The
    exit code is 1 if a rule of --fail-on fails.
    """
    from lexiscope.core.errors import BadUsage

    if (options["baseline"] is None) == (options["save"] is None):
        raise BadUsage("Give --baseline FILE to test against it, or --save FILE to make one.")
    wrong = ("tasks", "language") if options["save"] is None else _ONLY_WITH_BASELINE
    if any(options[name] for name in wrong):
        flags = {"tasks": "--task"}
        listed = ", ".join(
            flags.get(name, f"--{name.replace('_', '-')}") for name in wrong if options[name]
        )
        other = "--save" if options["save"] is None else "--baseline"
        raise BadUsage(f"{listed}: only together with {other}.")
    return _check(vectors, options) if options["save"] is None else _save(vectors, options)


def _check(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.progress import progress_bar
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.core.decision import DecisionRule
    from lexiscope.regression.baseline import read
    from lexiscope.regression.check import check
    from lexiscope.regression.rules import rule

    rules = options["fail_on"] or ("significant-drop",)
    for text in rules:  # report a typing error before anything is read
        rule(text)
    decision = DecisionRule(margin=options["margin"])
    baseline = read(Path(options["baseline"]), options["embedding"])
    inputs = shared.inputs_from(options)
    embeddings = _read_vectors(vectors, inputs, baseline.policy.limit)
    for embedding in embeddings if not options["quiet"] else ():
        report_repairs(embedding.name, embedding.repairs)
    with progress_bar(quiet=options["quiet"]) as progress:
        execution = shared.execution_from(options, progress)
        found = check(embeddings, baseline, rules, inputs, execution, options["datasets"], decision)
    if options["junit"]:
        from lexiscope.report.junit import write

        write(found, Path(options["junit"]))
    from lexiscope.report.regression import document, show

    if options["as_json"]:
        print_json(document(found))
    elif not options["quiet"]:
        show(found, options["brief"])
    return 1 if found.failed else 0


def _save(vectors: tuple[str, ...], options: dict[str, Any]) -> int:
    from pathlib import Path

    from lexiscope.cli.progress import progress_bar
    from lexiscope.cli.results import exit_code, show_results
    from lexiscope.regression.new_baseline import create_baseline, write_baseline

    inputs = shared.inputs_from(options)
    embeddings = _read_vectors(vectors, inputs)
    with progress_bar(quiet=options["quiet"]) as progress:
        execution = shared.execution_from(options, progress)
        found = create_baseline(
            embeddings,
            options["tasks"],
            options["datasets"],
            inputs,
            execution,
            options["language"] or "",
        )
    results = found.results
    write_baseline(Path(options["save"]), results.to_dict(), found.predictions, found.sources)
    show_results(results, options["as_json"], quiet=options["quiet"])
    if not options["quiet"]:
        click.echo(f"Baseline: {options['save']}", err=True)
    return exit_code(results)


def _read_vectors(
    vectors: tuple[str, ...], inputs: "Inputs", limit: int | None = None
) -> "tuple[Embedding, ...]":
    from lexiscope.data.vectors.resolve import Reading, embeddings_from

    reading = Reading(limit, inputs.on_error, inputs.local_data)
    return embeddings_from(list(vectors), reading=reading)
