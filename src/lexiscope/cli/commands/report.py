"""Write the report of a run again."""

import click


@click.command()
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    default="lexiscope.sqlite",
    show_default=True,
    help="Where answers and scores are kept.",
)
@click.option("--run", "run_id", metavar="ID", help="Which run; the newest by default.")
@click.option("--list", "listing", is_flag=True, help="List the runs instead.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), default="report.html", show_default=True
)
def command(store: str, run_id: str | None, listing: bool, output: str) -> None:
    """Write the report of a stored run: one HTML file that needs no network."""
    from pathlib import Path

    from lexiscope.bench.results import read
    from lexiscope.core.errors import BadData, UnknownName
    from lexiscope.report.page import write
    from lexiscope.store.store import Store

    if not Path(store).exists():
        raise BadData(f"{store}: there is no such store. 'lexiscope run' makes one.")
    if Path(store).stat().st_size == 0:  # a new database would be written into it
        raise BadData(f"{store}: is empty, no run is stored in it.")
    with Store(store) as database:
        runs = database.runs()
        if listing:
            for row in runs:
                state = f"finished {row['finished']}" if row["finished"] else "not finished"
                click.echo(f"{row['id']}  started {row['started']}  {state}")
            return
        if not runs:
            raise BadData(f"{store}: holds no run yet.")
        known = [row["id"] for row in runs]
        if run_id is not None and run_id not in known:
            raise UnknownName("run", run_id, known)
        write(read(database, run_id or known[0]), output)
    click.echo(f"Report: {output}", err=True)
