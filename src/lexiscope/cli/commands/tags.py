"""A matrix of words and parts of speech."""

import click


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), required=True, help="Where the matrix goes."
)
@click.option(
    "--fewest",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How often a word must be tagged.",
)
def command(files: tuple[str, ...], output: str, fewest: int) -> None:
    """Count the tags of each word in tagged text: word/TAG, or a word and its tag on each line.

    What is written can be asked at once: lexiscope run VECTORS --task qvec --dataset OUTPUT.
    """
    from pathlib import Path

    from lexiscope.core.errors import BadUsage
    from lexiscope.data.files import replacing
    from lexiscope.data.making.tags import shares, table

    if Path(output).exists() and any(Path(output).samefile(f) for f in files if Path(f).exists()):
        raise BadUsage(f"{output}: is one of the texts. Choose another name for the matrix.")
    found = shares(map(Path, files), fewest)
    with replacing(Path(output)) as file:
        file.write(table(found))
    tags = {tag for row in found.values() for tag in row}
    click.echo(f"{output}: words {len(found):,}, tags {len(tags):,}", err=True)
