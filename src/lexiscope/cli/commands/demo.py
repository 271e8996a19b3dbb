"""Compare real embeddings on real data and write a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.evaluation.results import Results
    from lexiscope.report.layout import Section

_DOWNLOADED = ("glove-6b-50d", "glove-6b-100d", "googlenews-subset")
_TEXT = "wikitext-2"
_TRAINED = ("skipgram", "svd")  # trained on the text, in this order
# The recommendation rests on the datasets that all embeddings cover.
_DECISIVE = ("ws353", "men", "simlex999", "simverb3500", "wordnet-categories")
# Groups of words that all vectors of the demo have.
_MAP = [
    *("king", "queen", "prince", "woman", "man", "girl", "boy", "dog", "cat", "horse", "bird"),
    *("car", "train", "ship", "plane", "bread", "cheese", "wine", "beer", "apple", "red", "green"),
    *(
        "blue",
        "music",
        "film",
        "song",
        "book",
        "war",
        "army",
        "soldier",
        "river",
        "sea",
        "mountain",
    ),
    *("doctor", "nurse", "teacher", "lawyer", "hand", "head", "heart", "money", "price", "bank"),
]


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    default="demo",
    show_default=True,
    help="Folder for the report, the trained vectors and the predictions.",
)
@click.option("--generated", is_flag=True, help="Use generated data, even with a network.")
@options.offline
@options.as_json
def command(output: str, generated: bool, as_json: bool) -> int:
    """Compare downloaded vectors with two trained on the spot, and write a report.

    GloVe with 50 and 100 dimensions, word2vec of GoogleNews, and skip-gram and SVD trained on
    WikiText-2, on similarity, analogies, synonyms, categories and QVEC.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.cli.results import exit_code, show_results
    from lexiscope.core.decision import DecisionRule
    from lexiscope.core.execution import Execution
    from lexiscope.evaluation.run import run

    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    embeddings, datasets, by = _generated() if generated else _real(folder)
    with progress_bar() as progress:
        results = run(
            embeddings,
            datasets=datasets,
            by=by,
            decision=DecisionRule(primary={name: 1.0 for name in _DECISIVE if name in datasets}),
            execution=Execution(folder / "lexiscope.sqlite", progress=progress),
        )
    maps = []
    if all(isinstance(source, str) for source in embeddings.values()):  # not generated ones
        maps = [_drawn_map(results, embeddings, folder / "words.svg")]
    show_results(results, as_json, str(folder / "report.html"), brief=True, more=maps)
    click.echo("Next: lexiscope run YOUR-VECTORS glove-6b-50d --report mine.html", err=True)
    click.echo("      lexiscope train skipgram YOUR-TEXTS/ -o mine.safetensors", err=True)
    return exit_code(results)


def _real(folder: Path) -> tuple[Any, Any, Any]:
    """The embeddings, the datasets and the attributes that could be had."""
    from lexiscope.core.datasets import KINDS
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.download import download_size
    from lexiscope.data.local_data import LocalData

    local_data, entries = LocalData(), chosen(("demo",))
    missing = [entry for entry in entries if not local_data.is_available(entry)]
    if missing:
        size = sum(download_size(entry.sources[0]) for entry in missing) / 1e6
        click.echo(f"Downloading {len(missing)} vectors, texts and datasets, about {size:,.0f} MB, "
                   "once...", err=True)  # fmt: skip
    downloaded = [entry.name for entry in entries if _fetched(local_data, entry)]
    embeddings = _embeddings(downloaded, folder)
    if len(embeddings) < 2:
        message = "The demo uses GENERATED data instead: its scores say nothing about language."
        click.echo(message, err=True)
        return _generated()
    known = {"pos": "wordnet-synonyms", "concreteness": "brysbaert2014"}
    by = ["frequency", *(name for name, source in known.items() if source in downloaded)]
    datasets = [e.name for e in entries if e.kind in KINDS and e.name in downloaded]
    return embeddings, datasets, by


def _embeddings(downloaded: list[str], folder: Path) -> dict[str, str]:
    """Downloaded vectors, and vectors trained here if there is a text, by name."""
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.vectors import save
    from lexiscope.training.train import train

    found = {name: name for name in _DOWNLOADED if name in downloaded}
    for name in _TRAINED if _TEXT in downloaded else ():
        path = folder / f"{name}.safetensors"
        if not path.exists():
            click.echo(f"Training {name} on {_TEXT} (2 million tokens)...", err=True)
            with progress_bar() as progress:
                save(train(name, _TEXT, progress=progress), path)
        found[f"{name} on {_TEXT}"] = str(path)
    return found


def _drawn_map(results: "Results", embeddings: dict[str, str], path: Path) -> "Section":
    """Draw some words of the recommended embedding on a plane; return the map for the report."""
    from lexiscope.data.vectors.resolve import embeddings_from
    from lexiscope.experiments.inspection.mapped_words import mapped_words
    from lexiscope.report.word_map import map_section, write_map

    name = [*results.recommendation.embeddings, *results.leaderboard.embeddings][0]
    (chosen,) = embeddings_from({name: embeddings[name]})
    found = mapped_words(chosen, _MAP, projection="tsne")
    write_map(found, path)
    click.echo(f"Map of {len(found.map.points)} words of {name}: {path}", err=True)
    return map_section(found)


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
