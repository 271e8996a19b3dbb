"""From one vector format to another."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lexiscope.data.vectors import OnError


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False))
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N words.")
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "replace"]),
    default="stop",
    show_default=True,
    help="What to do about broken rows.",
)
def command(source: str, target: str, limit: int | None, on_error: "OnError") -> None:
    """Read IN, whatever its format, and write OUT by its ending.

    .safetensors (ours, opens at once), .vec or .txt (word2vec text), .glove (no header), .bin
    (word2vec binary), .npz, .npy with .words; most also with .gz, .bz2, .xz behind.
    """
    from lexiscope.bench.sources import Reading, embeddings_from
    from lexiscope.cli.repairs import tell_repairs
    from lexiscope.data.vectors import save

    (embedding,) = embeddings_from([source], reading=Reading(limit, on_error))
    tell_repairs(embedding.name, list(embedding.repairs))
    save(embedding, target)
    click.echo(f"{target}: {len(embedding):,} words x {embedding.dimension}", err=True)
