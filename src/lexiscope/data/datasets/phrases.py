"""An adjective, a noun and a label on a line, under a header that names them so."""

from collections.abc import Sequence
from pathlib import Path

from lexiscope.core.dataset import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.texts import Phrases
from lexiscope.data.datasets._columns import names_of, place_of, table_of, word_in

_LABELS = ("metaphor", "literal")  # of the published set, which has a file for each


def read(path: Path, name: str) -> Phrases:
    """The phrases of a table."""
    header, *rows = table_of(path, "phrases")
    places = [place_of(names_of(path, header), (each,)) for each in ("adjective", "noun", "label")]
    if None in places:
        raise BadData(f"{path}: the first line does not name adjective, noun and label.")
    if not rows:
        raise BadData(f"{path}: holds no phrases.")
    columns = [
        [word_in(path, row, place, what) for row in rows]
        for place, what in zip(places, ("adjective", "noun", "label"), strict=True)
        if place is not None
    ]
    if len(set(columns[2])) < 2:
        raise BadData(f"{path}: all phrases have the label '{shown(columns[2][0], 40)}'.")
    adjective, noun, label = map(word_array, columns)
    return Phrases(name, adjective, noun, label)


def catalogued(paths: Sequence[Path], name: str) -> Phrases:
    """The published set: metaphors in one file, literal phrases in the other."""
    rows = [
        (*_two(path, row.line, row.fields), label)
        for path, label in zip(paths, _LABELS, strict=True)
        for row in table_of(path, "phrases")
    ]
    adjective, noun, label = map(word_array, zip(*rows, strict=True))
    return Phrases(name, adjective, noun, label)


def _two(path: Path, line: int, fields: list[str]) -> tuple[str, str]:
    if len(fields) != 2:
        raise BadData(
            f"{path}:{line}: expected an adjective and a noun, found {len(fields)} words."
        )
    return fields[0], fields[1]
