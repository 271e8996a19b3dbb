"""Train and evaluate the embeddings of an experiment file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.core.display import shown

if TYPE_CHECKING:
    from lexiscope.experiments.config import Experiment


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@shared.threads
@shared.memory
@shared.run_options
@click.option("--force", is_flag=True, help="Repeat finished trainings and evaluations.")
def command(file: str, **options: Any) -> int:
    """Run the experiment in FILE: train its [[train]] tables, then evaluate as in [evaluate].

    After an interruption the same command continues where it stopped.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.local_data import LocalData
    from lexiscope.experiments.config import read
    from lexiscope.experiments.runner import train_all
    from lexiscope.training.record import read_record

    shared.set_resources(options)
    experiment = read(Path(file))
    from lexiscope.cli.download import fetch_named

    fetch_named(experiment.sources, options["data_dir"])
    local_data = LocalData(options["data_dir"])
    with progress_bar() as progress:  # printing would disturb its bars
        paths = list(train_all(experiment, local_data, progress, options["force"]))
    for path in paths:
        click.echo(shown(f"Vectors: {path}", 1000), err=True)
    if experiment.evaluation is not None:
        return _evaluate(experiment, options)
    if options["as_json"]:
        print_json([read_record(path) for path in paths])
    return 0


def _evaluate(experiment: "Experiment", options: dict[str, Any]) -> int:
    from dataclasses import replace

    from lexiscope.cli.progress import progress_bar
    from lexiscope.cli.results import exit_code, show_results
    from lexiscope.evaluation.run import run
    from lexiscope.experiments.runner import run_arguments

    arguments = run_arguments(experiment, options["data_dir"])
    arguments["inputs"] = replace(arguments["inputs"], on_error=options["on_error"])
    with progress_bar() as progress:
        results = run(**arguments, execution=shared.execution_from(options, progress))
    show_results(results, options["as_json"], options["page"])
    return exit_code(results)
