"""Entities and their types: a header names word, types and, optionally, frequency and split.

The types of an entity are in one field, separated by |. The files of FIGMENT are read too.
"""

from pathlib import Path
from typing import NamedTuple

from lexiscope.core.datasets.entities import TYPE_SEPARATOR, EntityTypes, entity_columns
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats import figment as _figment
from lexiscope.data.datasets.formats.columns import (
    TYPES,
    NoItems,
    column_index,
    header_names,
    number_field,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.entity import Entity, check_distinct
from lexiscope.data.datasets.formats.tables import Row

_WORD = ("word", "entity", "name")
_FREQUENCY = ("frequency", "freq", "count")
_SPLIT = ("split",)
_TRAIN, _TEST = "train", "test"


class _Layout(NamedTuple):
    word: int
    types: int
    frequency: int | None
    split: int | None


def read(path: Path, name: str) -> EntityTypes:
    """Read the entities of a file; those of the split train become the training set."""
    table = read_table(path, "entities")
    if _figment.is_figment(table):
        test, train = _figment.entities(path, table)
    else:
        test, train = _split(path, _layout(path, table[0]), table[1:])
    return EntityTypes(
        name,
        *entity_columns(test),
        EntityTypes(f"{name} train", *entity_columns(train)) if train else None,
    )


def _layout(path: Path, header: Row) -> _Layout:
    folded = [field.casefold() for field in header.fields]
    word, types = column_index(folded, _WORD), column_index(folded, TYPES)
    if word is None or types is None:
        raise BadData(
            f"{path}:{header.line}: the header does not name word and types, so these are not "
            "entities with types."
        )
    header_names(path, header)
    return _Layout(word, types, column_index(folded, _FREQUENCY), column_index(folded, _SPLIT))


def _split(path: Path, layout: _Layout, table: list[Row]) -> tuple[list[Entity], list[Entity]]:
    """The test entities, and the training entities if the file has a split."""
    if not table:
        raise NoItems(f"{path}: contains no entities.")
    parts = [_part(path, row, layout.split) for row in table]
    entities = [_entity(path, row, layout) for row in table]
    check_distinct(path, table, [entity.word for entity in entities])
    test, train = (
        [entity for entity, part in zip(entities, parts, strict=True) if part == wanted]
        for wanted in (_TEST, _TRAIN)
    )
    if not test:
        raise BadData(f"{path}: every row is in the split train, none in test.")
    if layout.split is not None and not train:
        raise BadData(f"{path}: every row is in the split test, none in train. Drop the column.")
    return test, train


def _part(path: Path, row: Row, column: int | None) -> str:
    if column is None:
        return _TEST
    found = word_field(path, row, column, "split").casefold()
    if found not in (_TRAIN, _TEST):
        raise BadData(
            f"{path}:{row.line}: expected train or test for the split, found '{shown(found, 40)}'."
        )
    return found


def _entity(path: Path, row: Row, layout: _Layout) -> Entity:
    word = word_field(path, row, layout.word, "word")
    types = word_field(path, row, layout.types, "type").split(TYPE_SEPARATOR)
    types = [each.strip() for each in types]
    if not all(types):
        raise BadData(f"{path}:{row.line}: a type is empty.")
    return Entity(word, types, _occurrences(path, row, layout.frequency))


def _occurrences(path: Path, row: Row, column: int | None) -> float:
    if column is None or column >= len(row.fields) or not row.fields[column]:
        return float("nan")
    found = number_field(path, row, column, "frequency")
    if found < 0:
        raise BadData(f"{path}:{row.line}: a frequency must be 0 or more, found {found:g}.")
    return found
