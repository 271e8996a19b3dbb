"""An entity as files of any layout give it."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.entities import MARK
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import Row


class Entity(NamedTuple):
    """A row: an entity, its types, how often it occurs (NaN: nobody said)."""

    word: str
    types: list[str]
    frequency: float


def must_differ(path: Path, table: Iterable[Row], words: Iterable[str]) -> None:
    """Refuse an entity that stands twice: it would be learnt from and asked about."""
    lines: dict[str, int] = {}
    for row, word in zip(table, words, strict=True):
        if word in lines:
            raise BadData(
                f"{path}:{row.line}: '{shown(word, 40)}' stands in line {lines[word]} too. Put all "
                f"its types into one row, with {MARK} between them."
            )
        lines[word] = row.line
