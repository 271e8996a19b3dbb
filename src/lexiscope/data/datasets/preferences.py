"""Typicality ratings: a head, a word in one of its slots, and how typical people find that.

The words that typically fill each slot come from a table of their own.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Preferences
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._columns import names_of, number_in, place_of, table_of, word_in
from lexiscope.data.datasets._tables import Row

_HEAD = ("head", "verb", "predicate", "governor")
_WORD = ("word", "dependent", "argument", "noun")
_FILLER = ("filler", "word", "dependent")
_RATING = ("rating", "score", "mean", "plausibility", "typicality")
_SLOT = ("slot", "relation", "role")
_WEIGHT = ("weight", "association", "count")
_NAMED = re.compile(r"(?<![a-z])(nsubj|dobj|amod)(?![a-z])", re.IGNORECASE)


class _Layout(NamedTuple):
    head: int
    word: int
    rating: int
    slot: int | None


def read(path: Path, name: str, fillers: Path | None = None) -> Preferences:
    """The ratings of a file; a slot that the table of fillers lacks has none.

    Without a header the columns are head, word, rating. The slot is a column so named, or nsubj,
    dobj or amod in the name of the file.
    """
    table = table_of(path, "ratings")
    layout = _layout(path, table[0])
    table = table[1:] if layout else table
    if not table:
        raise BadData(f"{path}: holds no ratings.")
    known = _fillers(fillers) if fillers is not None else {}
    places = layout or _Layout(0, 1, 2, None)
    named = None if places.slot is not None else _slot_in_name(path, name)
    items = (_item(path, row, places, named) for row in table)
    heads, slots, words, ratings = zip(*items, strict=True)
    filled = np.empty(len(table), object)
    filled[:] = [known.get(key, ()) for key in zip(map(str.casefold, heads), slots, strict=True)]
    head, slot, word = map(word_array, (heads, slots, words))
    return Preferences(name, head, slot, word, np.array(ratings, np.float64), filled)


def _layout(path: Path, first: Row) -> _Layout | None:
    folded = [field.casefold() for field in first.fields]
    head, word, rating = (place_of(folded, wanted) for wanted in (_HEAD, _WORD, _RATING))
    if head is None or word is None or rating is None:
        return None
    names_of(path, first)
    return _Layout(head, word, rating, place_of(folded, _SLOT))


def _slot_in_name(path: Path, name: str) -> str:
    found = _NAMED.search(path.stem) or _NAMED.search(name)
    if found is None:
        raise BadData(
            f"{path}: which slot is rated? Add a column named slot, or put nsubj, dobj or amod "
            "into the name of the file."
        )
    return found[1].lower()


def _item(path: Path, row: Row, places: _Layout, named: str | None) -> tuple[str, str, str, float]:
    if len(row.fields) < 3:
        raise BadData(
            f"{path}:{row.line}: expected a head, a word and a rating, found {len(row.fields)} "
            f"field{'s' * (len(row.fields) != 1)}."
        )
    slot = named or word_in(path, row, places.slot or 0, "slot").lower()
    head = word_in(path, row, places.head, "head")
    word = word_in(path, row, places.word, "word")
    return head, slot, word, number_in(path, row, places.rating, "rating")


def _fillers(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Fillers by head and slot, the heaviest first, or in the file's order without weights."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in _filler_rows(path):
        if len(row.fields) < 3:
            raise BadData(
                f"{path}:{row.line}: expected a head, a slot and a filler, found "
                f"{len(row.fields)} field{'s' * (len(row.fields) != 1)}."
            )
        head = word_in(path, row, 0, "head").casefold()
        slot = word_in(path, row, 1, "slot").lower()
        filler = word_in(path, row, 2, "filler")
        weight = number_in(path, row, 3, "weight") if len(row.fields) > 3 else 0.0
        found.setdefault((head, slot), {}).setdefault(filler, weight)
    return {key: tuple(sorted(each, key=lambda f: -each[f])) for key, each in found.items()}


def _filler_rows(path: Path) -> list[Row]:
    """The rows with head, slot, filler and weight in this order, whatever the header's order."""
    first, *others = table = table_of(path, "fillers")
    folded = [field.casefold() for field in first.fields]
    places = [place_of(folded, wanted) for wanted in (_HEAD, _SLOT, _FILLER, _WEIGHT)]
    if None in places[:3]:
        return table
    names_of(path, first)
    kept = [place for place in places if place is not None]
    return [
        Row(row.line, [row.fields[place] for place in kept if place < len(row.fields)])
        for row in others
    ]
