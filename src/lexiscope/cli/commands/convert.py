"""Convert vectors to another format."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.data.vectors import OnError


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False))
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Convert the first N words only."
)
@options.on_error
@options.as_json
def command(
    source: str, target: str, limit: int | None, on_error: "OnError", as_json: bool
) -> None:
    """Convert the vectors IN, in any supported format, to OUT.

    The ending of OUT selects the format: .safetensors (our own, memory-mapped), .vec or .txt
    (word2vec text), .glove (no header), .bin (word2vec binary), .npz, or .npy with .words. All but
    .safetensors can be followed by .gz, .bz2 or .xz.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.data.vectors import save
    from lexiscope.data.vectors.resolve import Reading, embeddings_from

    _check_not_input(source, target)
    (embedding,) = embeddings_from([source], reading=Reading(limit, on_error))
    report_repairs(embedding.name, embedding.repairs, listed_in="the JSON")
    save(embedding, target)
    click.echo(f"{target}: {len(embedding):,} words x {embedding.dimension}", err=True)
    if as_json:
        found = {"file": target, "words": len(embedding), "dimension": embedding.dimension}
        print_json({**found, "repairs": list(embedding.repairs)})


def _check_not_input(source: str, target: str) -> None:
    """Refuse to overwrite the file that is read, whichever member or part of it is meant."""
    from pathlib import Path

    from lexiscope.core.errors import BadUsage
    from lexiscope.core.paths import is_file
    from lexiscope.data.vectors.transforms import split_source

    whole, _ = split_source(source)  # FILE@first=N, ARCHIVE#MEMBER
    parts = (source, whole, source.partition("#")[0], whole.partition("#")[0])
    files = [Path(part) for part in parts if is_file(part)]
    if is_file(target) and any(Path(target).samefile(file) for file in files):
        raise BadUsage(f"{target}: is the file to convert. Choose another name for the output.")
