"""An entity of a file, in any format."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.datasets.entities import TYPE_SEPARATOR
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import Row


class Entity(NamedTuple):
    """An entity, its types, and its corpus frequency (NaN if unknown)."""

    word: str
    types: list[str]
    frequency: float


def check_distinct(path: Path, table: Iterable[Row], words: Iterable[str]) -> None:
    """Refuse an entity that occurs twice: it could be in the training and the test set."""
    lines: dict[str, int] = {}
    for row, word in zip(table, words, strict=True):
        if word in lines:
            raise BadData(
                f"{path}:{row.line}: '{shown(word, 40)}' is in line {lines[word]} too. Put all "
                f"its types into one row, separated by {TYPE_SEPARATOR}."
            )
        lines[word] = row.line
