"""Train what a plan file says, then ask what it says."""

from pathlib import Path
from typing import Any

import click

from lexiscope.cli import options as shared
from lexiscope.core.display import shown


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@shared.threads
@shared.memory
@shared.of_a_run
@click.option("--force", is_flag=True, help="Train and ask again what is there already.")
def command(file: str, **options: Any) -> int:
    """Carry out the plan in FILE: [[train]] tables are trained, then [ask] is asked of them.

    The same command after an interruption goes on where it stopped.
    """
    from lexiscope.bench.planfile import read
    from lexiscope.bench.planned import train_all
    from lexiscope.cli.progress import progress
    from lexiscope.data.library import Library

    shared.use_machine(options)
    plan = read(Path(file))
    if options["fetch"]:
        from lexiscope.cli.fetching import fetch_named

        fetch_named(plan.named, options["data_dir"])
    with progress() as tell:  # nothing may be printed among its bars
        places = list(train_all(plan, Library(options["data_dir"]), tell, options["force"]))
    for place in places:
        click.echo(shown(f"Vectors: {place}", 1000), err=True)
    return 0 if plan.ask is None else _ask(plan, options)


def _ask(plan: Any, options: dict[str, Any]) -> int:
    from lexiscope.bench.planned import asking
    from lexiscope.bench.run import run
    from lexiscope.cli.progress import progress
    from lexiscope.cli.results import show_results

    with progress() as tell:
        results = run(
            **asking(plan),
            store=options["store"],
            backend=shared.chosen_backend(options),
            jobs=options["jobs"],
            data_dir=options["data_dir"],
            progress=tell,
            force=options["force"],
        )
    show_results(results, options["as_json"], options["page"])
    return 1 if results.failures else 0
