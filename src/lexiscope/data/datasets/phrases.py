"""Adjective-noun phrases: a table with a header that names adjective, noun and label."""

from collections.abc import Sequence
from pathlib import Path

from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.texts import Phrases
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import (
    PHRASE,
    NoItems,
    column_index,
    header_names,
    read_table,
    word_field,
)

_LABELS = ("metaphor", "literal")  # of the published dataset, which has a file for each


def read(path: Path, name: str) -> Phrases:
    """Read the phrases of a table."""
    header, *rows = read_table(path, "phrases")
    columns = [column_index(header_names(path, header), (each,)) for each in PHRASE]
    if None in columns:
        raise BadData(f"{path}: the header does not name adjective, noun and label.")
    if not rows:
        raise NoItems(f"{path}: contains no phrases.")
    values = [
        [word_field(path, row, column, what) for row in rows]
        for column, what in zip(columns, PHRASE, strict=True)
        if column is not None
    ]
    if len(set(values[2])) < 2:
        raise BadData(f"{path}: all phrases have the label '{shown(values[2][0], 40)}'.")
    adjective, noun, label = map(word_array, values)
    return Phrases(name, adjective, noun, label)


def read_published(paths: Sequence[Path], name: str) -> Phrases:
    """Read the published dataset: metaphors in one file, literal phrases in the other."""
    rows = [
        (*_two(path, row.line, row.fields), label)
        for path, label in zip(paths, _LABELS, strict=True)
        for row in read_table(path, "phrases")
    ]
    adjective, noun, label = map(word_array, zip(*rows, strict=True))
    return Phrases(name, adjective, noun, label)


def _two(path: Path, line: int, fields: list[str]) -> tuple[str, str]:
    if len(fields) != 2:
        raise BadData(
            f"{path}:{line}: expected an adjective and a noun, found {len(fields)} words."
        )
    return fields[0], fields[1]
