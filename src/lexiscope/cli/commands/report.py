"""Write the report of a run again."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.store.store import Store


@click.command()
@options.store
@options.run_id
@click.option("--list", "listing", is_flag=True, help="List the runs instead.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), default="report.html", show_default=True
)
def command(store: str, run_id: str | None, listing: bool, output: str) -> None:
    """Write the report of a stored run: one HTML file that needs no network."""
    from lexiscope.cli.commands._stored import opened, results_of
    from lexiscope.report.page import write

    if listing:
        with opened(store) as database:
            for row in database.runs():
                click.echo(_line(database, row))
        return
    write(results_of(store, run_id), output)
    click.echo(f"Report: {output}", err=True)


def _line(store: "Store", run: dict[str, Any]) -> str:
    """A run in one line: id, when, finished or not, questions, embeddings."""
    from lexiscope.core.display import shown
    from lexiscope.report.wording import counted, moment

    asked = {(cell["variant"], cell["dataset_name"]) for cell in store.cells(run["id"])}
    names = [shown(about["name"]) for about in store.run(run["id"])["manifest"]["embeddings"]]
    parts = (
        shown(run["id"]),
        moment(run["started"]),
        "finished" if run["finished"] else "not finished",
        counted(len(asked), "question"),
        ", ".join(names),
    )
    return "  ".join(parts)
