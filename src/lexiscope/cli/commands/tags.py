"""Count a word-by-tag matrix from tagged text."""

import click

from lexiscope.cli import options


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), required=True, help="The file to write."
)
@click.option(
    "--min-count",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Leave out words that occur less often.",
)
@options.as_json
def command(files: tuple[str, ...], output: str, min_count: int, as_json: bool) -> None:
    """Count the part-of-speech tags of each word in tagged text.

    The text has word/TAG separated by spaces, or a word and its tag on each line. Use the output as
    a dataset: lexiscope run VECTORS --task qvec --dataset OUTPUT.
    """
    from pathlib import Path

    from lexiscope.cli.json_output import print_json
    from lexiscope.core.errors import BadUsage
    from lexiscope.data.atomic_write import replacing
    from lexiscope.data.derived.part_of_speech import table, tag_proportions

    if Path(output).exists() and any(Path(output).samefile(f) for f in files if Path(f).exists()):
        raise BadUsage(f"{output}: is one of the texts. Choose another name for the output.")
    found = tag_proportions(map(Path, files), min_count)
    with replacing(Path(output)) as file:
        file.write(table(found))
    tags = {tag for row in found.values() for tag in row}
    click.echo(f"{output}: words {len(found):,}, tags {len(tags):,}", err=True)
    if as_json:
        print_json({"file": output, "words": len(found), "tags": len(tags)})
