"""Entities and their types: a header names word and types, and, where known, frequency and split.

The types of an entity stand in one field with | between them. FIGMENT's files are understood too.
"""

from pathlib import Path
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.entities import MARK, EntityTypes, columns_of
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import _figment
from lexiscope.data.datasets._columns import names_of, number_in, place_of, table_of, word_in
from lexiscope.data.datasets._entity import Entity, must_differ
from lexiscope.data.datasets._tables import Row

_WORD = ("word", "entity", "name")
_TYPES = ("types", "labels")
_FREQUENCY = ("frequency", "freq", "count")
_SPLIT = ("split",)
_TRAIN, _TEST = "train", "test"


class _Layout(NamedTuple):
    word: int
    types: int
    frequency: int | None
    split: int | None


def read(path: Path, name: str) -> EntityTypes:
    """The entities of a file; those for training become lessons."""
    table = table_of(path, "entities")
    if _figment.is_figment(table):
        asked, lessons = _figment.entities(path, table)
    else:
        asked, lessons = _split(path, _layout(path, table[0]), table[1:])
    return EntityTypes(
        name,
        *columns_of(asked),
        EntityTypes(f"{name} lessons", *columns_of(lessons)) if lessons else None,
    )


def _layout(path: Path, header: Row) -> _Layout:
    folded = [field.casefold() for field in header.fields]
    word, types = place_of(folded, _WORD), place_of(folded, _TYPES)
    if word is None or types is None:
        raise BadData(
            f"{path}:{header.line}: the header does not name word and types, so these are no "
            "entities with types."
        )
    names_of(path, header)
    return _Layout(word, types, place_of(folded, _FREQUENCY), place_of(folded, _SPLIT))


def _split(path: Path, layout: _Layout, table: list[Row]) -> tuple[list[Entity], list[Entity]]:
    """The entities to ask about, and those to learn from where the file says so."""
    if not table:
        raise BadData(f"{path}: holds no entities.")
    parts = [_part(path, row, layout.split) for row in table]
    entities = [_entity(path, row, layout) for row in table]
    must_differ(path, table, [entity.word for entity in entities])
    asked, lessons = (
        [entity for entity, part in zip(entities, parts, strict=True) if part == wanted]
        for wanted in (_TEST, _TRAIN)
    )
    if not asked:
        raise BadData(f"{path}: every row is for training, none is a test.")
    if layout.split is not None and not lessons:
        raise BadData(f"{path}: every row is a test, none is for training. Leave out the split.")
    return asked, lessons


def _part(path: Path, row: Row, place: int | None) -> str:
    if place is None:
        return _TEST
    found = word_in(path, row, place, "split").casefold()
    if found not in (_TRAIN, _TEST):
        raise BadData(
            f"{path}:{row.line}: expected train or test for the split, found '{shown(found, 40)}'."
        )
    return found


def _entity(path: Path, row: Row, layout: _Layout) -> Entity:
    word = word_in(path, row, layout.word, "word")
    types = [each.strip() for each in word_in(path, row, layout.types, "type").split(MARK)]
    if not all(types):
        raise BadData(f"{path}:{row.line}: a type is empty.")
    return Entity(word, types, _occurrences(path, row, layout.frequency))


def _occurrences(path: Path, row: Row, place: int | None) -> float:
    if place is None or place >= len(row.fields) or not row.fields[place]:
        return float("nan")
    found = number_in(path, row, place, "frequency")
    if found < 0:
        raise BadData(f"{path}:{row.line}: a frequency cannot be below 0, found {found:g}.")
    return found
