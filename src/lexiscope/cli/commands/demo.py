"""Compare real embeddings on real data and write a report."""

from pathlib import Path
from typing import Any

import click

from lexiscope.cli import options

_EMBEDDINGS = ("glove-6b-50d", "glove-6b-50d@first=100000", "glove-6b-50d@centred")


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    default="demo",
    show_default=True,
    help="Folder for the report and the predictions.",
)
@click.option("--generated", is_flag=True, help="Use generated data, even with a network.")
@options.as_json
def command(output: str, generated: bool, as_json: bool) -> int:
    """Download vectors and datasets, compare three embeddings, and write a report."""
    from lexiscope.cli.progress import progress_bar
    from lexiscope.cli.results import exit_code, show_results
    from lexiscope.core.execution import Execution
    from lexiscope.evaluation.run import run

    embeddings, datasets, by = _generated() if generated else _real()
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with progress_bar() as progress:
        results = run(
            embeddings,
            datasets=datasets,
            settings={"analogy.solver": ["3CosAdd", "3CosAvg"]},
            all_policies=True,
            by=by,
            execution=Execution(folder / "lexiscope.sqlite", progress=progress),
        )
    show_results(results, as_json, str(folder / "report.html"))
    click.echo("Next: lexiscope run YOUR-VECTORS glove-6b-50d --report mine.html", err=True)
    click.echo("      lexiscope train svd YOUR-TEXTS/ -o mine.safetensors", err=True)
    return exit_code(results)


def _real() -> tuple[Any, Any, Any]:
    from lexiscope.core.datasets import KINDS
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.vectors.catalogue_vectors import vectors_path

    local_data = LocalData()
    click.echo(
        "Downloading GloVe (85 MB), eight similarity sets, the Google analogies (28 MB), WordNet "
        "(10 MB) and concreteness norms (6 MB)...",
        err=True,
    )
    entries = chosen(("demo",))
    downloaded = [entry.name for entry in entries if _fetched(local_data, entry)]
    if entries[0].name not in downloaded:
        message = "The demo uses GENERATED data instead: its scores say nothing about language."
        click.echo(message, err=True)
        return _generated()
    click.echo("Reading the vectors...", err=True)
    vectors_path(local_data, "glove-6b-50d")
    by = ["frequency"]
    by += ["pos"] * ("wordnet-synonyms" in downloaded) + ["concreteness"] * (
        "brysbaert2014" in downloaded
    )
    datasets = [e.name for e in entries if e.kind in KINDS and e.name in downloaded]
    return list(_EMBEDDINGS), datasets, by


def _fetched(local_data: Any, entry: Any) -> bool:
    """Download an entry; report a failure and return False."""
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.download import DownloadFailed, fetch

    try:
        with progress_bar(counts_bytes=True) as progress:
            fetch(local_data, entry, progress)
    except DownloadFailed as problem:
        click.echo(f"Left out: {problem}", err=True)
        return False
    return True


def _generated() -> tuple[Any, Any, Any]:
    from lexiscope.cli.demo_data import analogies, categories, embedding, pairs, synonym_questions

    whole = embedding(0)
    embeddings = {
        "generated": whole,
        "generated, first 1,000": whole.first(1000),
        "generated, with noise": embedding(0, noise=1.5),
    }
    return embeddings, [pairs(0), analogies(0), synonym_questions(0), categories(0)], ["frequency"]
