"""Selectional preferences: a head, a word in one of its slots, and a typicality rating.

The typical fillers of each slot come from a separate table.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lexiscope.core.datasets import Preferences
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import (
    NoItems,
    column_index,
    header_names,
    number_field,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.tables import Row

_HEAD = ("head", "verb", "predicate", "governor")
_WORD = ("word", "dependent", "argument", "noun")
_FILLER = ("filler", "word", "dependent")
_RATING = ("rating", "score", "mean", "plausibility", "typicality")
_SLOT = ("slot", "relation", "role")
_WEIGHT = ("weight", "association", "count")
_SLOT_NAME = re.compile(r"(?<![a-z])(nsubj|dobj|amod)(?![a-z])", re.IGNORECASE)


takes_fillers = True  # `read` has a third parameter, a table of fillers


class _Layout(NamedTuple):
    head: int
    word: int
    rating: int
    slot: int | None


def read(path: Path, name: str, fillers: Path | None = None) -> Preferences:
    """Read the ratings of a file; a slot that is not in the table of fillers has none.

    Without a header the columns are head, word, rating. The slot is in a column named slot, or is
    the part nsubj, dobj or amod of the file name.
    """
    table = read_table(path, "ratings")
    layout = _layout(path, table[0])
    table = table[1:] if layout else table
    if not table:
        raise NoItems(f"{path}: contains no ratings.")
    known = _fillers(fillers) if fillers is not None else {}
    columns = layout or _Layout(0, 1, 2, None)
    slot_in_name = None if columns.slot is not None else _slot_in_name(path, name)
    items = (_item(path, row, columns, slot_in_name) for row in table)
    heads, slots, words, ratings = zip(*items, strict=True)
    filled = np.empty(len(table), object)
    filled[:] = [known.get(key, ()) for key in zip(map(str.casefold, heads), slots, strict=True)]
    head, slot, word = map(word_array, (heads, slots, words))
    return Preferences(name, head, slot, word, np.array(ratings, np.float64), filled)


def _layout(path: Path, first: Row) -> _Layout | None:
    folded = [field.casefold() for field in first.fields]
    head, word, rating = (column_index(folded, wanted) for wanted in (_HEAD, _WORD, _RATING))
    if head is None or word is None or rating is None:
        return None
    header_names(path, first)
    return _Layout(head, word, rating, column_index(folded, _SLOT))


def _slot_in_name(path: Path, name: str) -> str:
    found = _SLOT_NAME.search(path.stem) or _SLOT_NAME.search(name)
    if found is None:
        raise BadData(
            f"{path}: the slot is not given. Add a column named slot, or put nsubj, dobj or amod "
            "into the file name."
        )
    return found[1].lower()


def _item(
    path: Path, row: Row, columns: _Layout, slot_in_name: str | None
) -> tuple[str, str, str, float]:
    if len(row.fields) < 3:
        raise BadData(
            f"{path}:{row.line}: expected a head, a word and a rating, found {len(row.fields)} "
            f"field{'s' * (len(row.fields) != 1)}."
        )
    slot = slot_in_name or word_field(path, row, columns.slot or 0, "slot").lower()
    head = word_field(path, row, columns.head, "head")
    word = word_field(path, row, columns.word, "word")
    return head, slot, word, number_field(path, row, columns.rating, "rating")


def _fillers(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Fillers by head and slot, sorted by weight, or in the file's order without weights."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in _filler_rows(path):
        if len(row.fields) < 3:
            raise BadData(
                f"{path}:{row.line}: expected a head, a slot and a filler, found "
                f"{len(row.fields)} field{'s' * (len(row.fields) != 1)}."
            )
        head = word_field(path, row, 0, "head").casefold()
        slot = word_field(path, row, 1, "slot").lower()
        filler = word_field(path, row, 2, "filler")
        weight = number_field(path, row, 3, "weight") if len(row.fields) > 3 else 0.0
        found.setdefault((head, slot), {}).setdefault(filler, weight)
    return {key: tuple(sorted(each, key=lambda f: -each[f])) for key, each in found.items()}


def _filler_rows(path: Path) -> list[Row]:
    """The rows with the columns head, slot, filler and weight in this order."""
    first, *others = table = read_table(path, "fillers")
    folded = [field.casefold() for field in first.fields]
    columns = [column_index(folded, wanted) for wanted in (_HEAD, _SLOT, _FILLER, _WEIGHT)]
    if None in columns[:3]:
        return table
    header_names(path, first)
    present = [column for column in columns if column is not None]
    return [
        Row(row.line, [row.fields[column] for column in present if column < len(row.fields)])
        for row in others
    ]
