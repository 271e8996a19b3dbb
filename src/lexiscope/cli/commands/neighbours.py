"""Print the nearest neighbours of words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.paragraphs import print_paragraph

if TYPE_CHECKING:
    from lexiscope.evaluation.analysis.word_neighbours import WordNeighbours


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
@click.option(
    "--compare",
    "others",
    multiple=True,
    metavar="VECTORS",
    help="Show the neighbours in these vectors, too, side by side (repeatable).",
)
@click.option(
    "--min-count",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Only neighbours that occur N times or more; needs vectors with counts.",
)
@click.option(
    "--stop-words",
    metavar="FILE",
    help="Leave out the words of this file, one per line, or 'english'.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Use the first N words only.")
@shared.offline
@shared.data_dir
@shared.on_error
@shared.as_json
def command(file: str, words: tuple[str, ...], others: tuple[str, ...], **options: Any) -> int:
    """Print the nearest neighbours of each WORD in FILE by cosine similarity (exact search).

    Letter case is ignored where the exact word is absent. If some words are unknown, the others are
    printed and the exit code is 1.
    """
    from lexiscope.cli.download import fetch_named

    fetch_named([file, *others], options["data_dir"])
    found = _found([file, *others], words, options)
    if options["as_json"]:
        _print_document(found, several=bool(others))
    else:
        _print_tables(words, found)
    return _reported(found)


def _found(
    sources: Sequence[str], words: Sequence[str], options: dict[str, Any]
) -> list[tuple["WordNeighbours", ...]]:
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.data.vectors.resolve import Reading, embeddings_from
    from lexiscope.evaluation.analysis.word_neighbours import stop_words_from, word_neighbours

    local_data = shared.inputs_from(options).local_data
    reading = Reading(options["limit"], options["on_error"], local_data)
    stop_words = stop_words_from(options["stop_words"]) if options["stop_words"] else frozenset()
    found = []
    for embedding in embeddings_from(list(sources), reading=reading):
        report_repairs(embedding.name, embedding.repairs)
        found.append(
            word_neighbours(embedding, words, options["number"], options["min_count"], stop_words)
        )
    return found


def _print_document(found: "list[tuple[WordNeighbours, ...]]", several: bool) -> None:
    from dataclasses import asdict

    from lexiscope.cli.json_output import print_json

    documents = [
        {one.query: [asdict(near) for near in one.neighbours] for one in each if one.matched}
        for each in found
    ]
    named = {each[0].embedding: one for each, one in zip(found, documents, strict=True)}
    print_json(named if several else documents[0])


def _print_tables(words: Sequence[str], found: "list[tuple[WordNeighbours, ...]]") -> None:
    from lexiscope.core.display import shown

    for row in zip(*found, strict=True):
        if not any(each.matched for each in row):
            continue
        names = {each.matched for each in row if each.matched}
        matched = ", ".join(shown(name) for name in sorted(names - {row[0].query}))
        click.echo(f"{shown(row[0].query)}{f' (as {matched})' if matched else ''}")
        _print_row(row)
    rows = [each for row in found for each in row]
    if any(each.duplicates or any(n.duplicates for n in each.neighbours) for each in rows):
        print_paragraph("(+n): n other words have the same vector, and are not listed.")


def _print_row(row: "tuple[WordNeighbours, ...]") -> None:
    """The neighbours of one word: a column for each embedding, under its name if there are more."""
    from itertools import zip_longest

    from rich.cells import cell_len, set_cell_size

    from lexiscope.core.display import shown

    columns = [_cells(each) for each in row]
    if len(row) > 1:
        columns = [[shown(e.embedding), *cells] for e, cells in zip(row, columns, strict=True)]
    widths = [max(map(cell_len, cells), default=0) for cells in columns]
    for line in zip_longest(*columns, fillvalue=""):
        padded = [set_cell_size(text, width) for text, width in zip(line, widths, strict=True)]
        click.echo(f"  {'   '.join(padded)}".rstrip())


def _cells(found: "WordNeighbours") -> list[str]:
    from lexiscope.core.display import shown

    if found.matched is None:
        return ["(not in the vocabulary)"]
    counts = [f"{near.count:,}" for near in found.neighbours if near.count is not None]
    width = max(map(len, counts), default=0)
    own = [f"(+{found.duplicates:,} with its vector)"] if found.duplicates else []
    return own + [
        f"{near.cosine:6.3f}  "
        + (f"{near.count:>{width},}  " if near.count is not None else "")
        + shown(near.word)
        + (f" (+{near.duplicates:,})" if near.duplicates else "")
        for near in found.neighbours
    ]


def _reported(found: "list[tuple[WordNeighbours, ...]]") -> int:
    """Report the unknown words; the exit code. Without any known word, there is no result."""
    from lexiscope.core.display import shown
    from lexiscope.core.errors import BadData

    unknown = [
        f"'{shown(one.query)}' is not in the vocabulary of {shown(one.embedding)}."
        for each in found
        for one in each
        if one.matched is None
    ]
    if len(unknown) == sum(map(len, found)):
        raise BadData(" ".join(unknown))
    for sentence in unknown:
        click.echo(sentence, err=True)
    return 1 if unknown else 0
