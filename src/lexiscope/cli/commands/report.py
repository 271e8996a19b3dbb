"""Write the HTML report of a stored run."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph

if TYPE_CHECKING:
    from lexiscope.store.store import Store


@click.command()
@options.store
@options.run_id
@click.option("--list", "listing", is_flag=True, help="List the stored runs instead.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    default="report.html",
    show_default=True,
    help="File to write.",
)
@options.as_json
def command(store: str, run_id: str | None, listing: bool, output: str, as_json: bool) -> None:
    """Write the report of a stored run: one HTML file that needs no network."""
    from lexiscope.cli.commands._stored_runs import opened, results_of
    from lexiscope.cli.json_output import print_json
    from lexiscope.report.page import write_report

    if listing:
        with opened(store) as database:
            runs = [_about(database, row) for row in database.runs()]
        if as_json:
            print_json(runs)
        else:
            for run in runs:
                _print_run(run)
        return
    results = results_of(store, run_id)
    write_report(results, output)
    click.echo(f"Report: {output}", err=True)
    if as_json:
        print_json({"run": results.run, "report": output})


def _about(store: "Store", run: dict[str, Any]) -> dict[str, Any]:
    evaluations = {(cell["variant"], cell["dataset_name"]) for cell in store.cells(run["id"])}
    return {
        "run": run["id"],
        "started": run["started"],
        "finished": run["finished"],
        "evaluations": sorted(evaluations),
        "embeddings": store.embedding_names(run["id"]),
    }


def _print_run(run: dict[str, Any]) -> None:
    """A run: id, time, finished or not, number of evaluations, embeddings."""
    from lexiscope.core.display import shown
    from lexiscope.report.sentences import counted, timestamp

    parts = (
        shown(run["run"]),
        timestamp(run["started"]),
        "finished" if run["finished"] else "not finished",
        counted(len(run["evaluations"]), "evaluation"),
        ", ".join(shown(name) for name in run["embeddings"]),
    )
    print_paragraph("; ".join(parts), indent=4)
