"""The main job from end to end, on real data where there is a network."""

from pathlib import Path
from typing import Any

import click

_EMBEDDINGS = ("glove-6b-50d", "glove-6b-50d@first=100000", "glove-6b-50d@centred")


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    default="demo",
    show_default=True,
    help="Where the report and the answers go.",
)
@click.option("--generated", is_flag=True, help="Use generated data, even with a network.")
def command(output: str, generated: bool) -> None:
    """Fetch real vectors and datasets, compare three embeddings, and write a report."""
    from lexiscope.bench.run import run
    from lexiscope.cli.progress import progress
    from lexiscope.report.page import write
    from lexiscope.report.terminal import show

    embeddings, datasets, by = _generated() if generated else _real()
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with progress() as tell:
        results = run(
            embeddings,
            datasets=datasets,
            settings={"analogy.solver": ["3CosAdd", "3CosAvg"]},
            policies=True,
            by=by,
            store=folder / "lexiscope.sqlite",
            progress=tell,
        )
    write(results, folder / "report.html")
    show(results)
    click.echo(f"\nLook at the report: {folder / 'report.html'}")
    click.echo("Next: lexiscope run YOUR-VECTORS glove-6b-50d --report mine.html")
    click.echo("      lexiscope train svd YOUR-TEXTS/ -o mine.safetensors")


def _real() -> tuple[Any, Any, Any]:
    from lexiscope.core.datasets import KINDS
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.library import Library

    library = Library()
    click.echo(
        "Fetching GloVe (85 MB), eight similarity sets, the Google analogies (28 MB), WordNet "
        "(10 MB) and concreteness norms (6 MB)...",
        err=True,
    )
    entries = chosen(("demo",))
    got = [entry.name for entry in entries if _fetched(library, entry)]
    if entries[0].name not in got:
        told = "The demo goes on with GENERATED data: its numbers say nothing about language."
        click.echo(told, err=True)
        return _generated()
    click.echo("Reading the vectors...", err=True)
    library.vectors("glove-6b-50d")
    by = ["frequency"]
    by += ["pos"] * ("wordnet-synonyms" in got) + ["concreteness"] * ("brysbaert2014" in got)
    datasets = [e.name for e in entries if e.kind in KINDS and e.name in got]
    return list(_EMBEDDINGS), datasets, by


def _fetched(library: Any, entry: Any) -> bool:
    """Whether an entry could be had; one that could not is said and left out."""
    from lexiscope.cli.progress import progress
    from lexiscope.data.fetching import NotFetched, fetch

    try:
        with progress(counts_bytes=True) as tell:
            fetch(library, entry, tell)
    except NotFetched as problem:
        click.echo(f"Left out: {problem}", err=True)
        return False
    return True


def _generated() -> tuple[Any, Any, Any]:
    from lexiscope.bench.generated import analogies, categories, embedding, pairs, questions

    whole = embedding(0)
    embeddings = {
        "generated": whole,
        "generated, first 1,000": whole.first(1000),
        "generated, with noise": embedding(0, noise=1.5),
    }
    return embeddings, [pairs(0), analogies(0), questions(0), categories(0)], ["frequency"]
