"""Options that several commands have."""

import click

data_dir = click.option(
    "--data-dir", type=click.Path(file_okay=False), help="A folder with data files."
)
fetch = click.option("--fetch", is_flag=True, help="Fetch what is named and not at hand.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
jobs = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    envvar="LEXISCOPE_N_JOBS",
    help="How many processes work at once.",
)
run_id = click.option("--run", "run_id", metavar="ID", help="Which run; the newest by default.")
seed = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, envvar="LEXISCOPE_SEED"
)
store = click.option(
    "--store",
    type=click.Path(dir_okay=False),
    default="lexiscope.sqlite",
    show_default=True,
    help="Where answers and scores are kept.",
)
