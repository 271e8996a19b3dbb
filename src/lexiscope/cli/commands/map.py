"""Draw words on a plane."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.core.embedding import Embedding


@click.command()
@click.argument("vectors")
@click.argument("words", nargs=-1, metavar="[WORD...]")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    default="words.html",
    show_default=True,
    help="File to write: .html (interactive), .svg or .png.",
)
@click.option(
    "--words",
    "file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="More words, one per line.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Also the N nearest neighbours of each word.",
)
@click.option(
    "--projection",
    type=click.Choice(["pca", "tsne", "umap"]),
    default="pca",
    show_default=True,
    help="How vectors are projected; umap needs umap-learn.",
)
@click.option(
    "--frequencies",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Table of words and counts, for the colours.  [default: the counts of the vectors; "
    "without them, the order of the words]",
)
@shared.seed
@shared.offline
@shared.data_dir
@shared.on_error
@shared.as_json
def command(vectors: str, words: tuple[str, ...], **options: Any) -> None:
    """Draw the words of VECTORS on a plane: their position by meaning, their colour by frequency.

    Words that differ only in letter case are found; words that are absent are reported.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.core.display import shown
    from lexiscope.data.vectors.resolve import Reading, embeddings_from
    from lexiscope.experiments.inspection.mapped_words import mapped_words
    from lexiscope.report.word_map import write_map

    path = Path(options["output"])
    _check_ending(path)
    fetch_named([vectors], options["data_dir"])
    reading = Reading(None, options["on_error"], shared.inputs_from(options).local_data)
    (embedding,) = embeddings_from([vectors], reading=reading)
    report_repairs(embedding.name, embedding.repairs)
    chosen = _words(embedding, words, options)
    found = mapped_words(
        embedding, chosen.found, options["frequencies"], options["projection"], options["seed"]
    )
    write_map(found, path)
    if options["as_json"]:
        print_json(
            {"file": str(path), "absent": chosen.absent, "words": found.to_dict()["map"]["points"]}
        )
    for word in chosen.absent:
        click.echo(f"'{shown(word)}' is not in the vocabulary of {embedding.name}.", err=True)
    click.echo(f"{len(found.map.points)} words: {path}", err=True)


def _check_ending(path: Path) -> None:
    from lexiscope.core.errors import BadUsage

    if path.suffix.lower() not in (".html", ".svg", ".png"):
        raise BadUsage(f"{path}: the output ends with .html, .svg or .png.")


def _words(embedding: "Embedding", words: tuple[str, ...], options: dict[str, Any]) -> Any:
    from lexiscope.core.errors import BadUsage
    from lexiscope.data.term_lists import read_terms
    from lexiscope.evaluation.analysis.word_neighbours import with_neighbours

    given = [*words, *(read_terms(options["file"]) if options["file"] else ())]
    if not given:
        raise BadUsage("Give words, or a file of words with --words.")
    return with_neighbours(embedding, given, options["neighbours"])
