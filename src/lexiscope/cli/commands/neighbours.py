"""Print the nearest neighbours of words."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.data.vectors import OnError


@click.command()
@click.argument("file")
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Number of neighbours.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Use the first N words only.")
@options.on_error
@options.as_json
def command(
    file: str,
    words: tuple[str, ...],
    number: int,
    limit: int | None,
    on_error: "OnError",
    as_json: bool,
) -> None:
    """Print the nearest neighbours of each WORD by cosine similarity (exact search)."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.core.display import shown
    from lexiscope.data.vectors.resolve import Reading, embeddings_from
    from lexiscope.linalg.neighbours import neighbours

    (embedding,) = embeddings_from([file], reading=Reading(limit, on_error))
    report_repairs(embedding.name, embedding.repairs)
    found = neighbours(embedding, words, number)
    if as_json:
        print_json({word: [n._asdict() for n in near] for word, near in found.items()})
        return
    for word, near in found.items():
        click.echo(shown(word))
        for neighbour in near:
            click.echo(f"  {neighbour.cosine:6.3f}  {shown(neighbour.word)}")
