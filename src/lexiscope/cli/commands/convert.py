"""Convert vectors to another format."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lexiscope.data.vectors import OnError


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False))
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Convert the first N words only."
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "replace"]),
    default="stop",
    show_default=True,
    help="What to do about broken rows.",
)
def command(source: str, target: str, limit: int | None, on_error: "OnError") -> None:
    """Convert the vectors IN, in any supported format, to OUT.

    The ending of OUT selects the format: .safetensors (our own, memory-mapped), .vec or .txt
    (word2vec text), .glove (no header), .bin (word2vec binary), .npz, or .npy with .words. All but
    .safetensors can be followed by .gz, .bz2 or .xz.
    """
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.data.vectors import save
    from lexiscope.data.vectors.resolve import Reading, embeddings_from

    (embedding,) = embeddings_from([source], reading=Reading(limit, on_error))
    if embedding.repairs:
        report_repairs(embedding.name, list(embedding.repairs))
    save(embedding, target)
    click.echo(f"{target}: {len(embedding):,} words x {embedding.dimension}", err=True)
