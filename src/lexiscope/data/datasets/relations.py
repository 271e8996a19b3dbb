"""Word pairs in named relations: source, target, relation.

Without a header, a line has two words and the name of their relation. A table that names source
and target and has no other column is one relation without a name.
"""

from pathlib import Path
from typing import NamedTuple

from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.relations import Relations
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import (
    NoItems,
    column_index,
    header_names,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.tables import Row, is_number

_SOURCE = ("source", "head", "word1", "word 1", "word_1", "w1", "left", "a")
_TARGET = ("target", "tail", "word2", "word 2", "word_2", "w2", "right", "b")
_RELATION = ("relation", "rel", "section", "category")
_ONE_RELATION = (["source", "target"], ["target", "source"], ["head", "tail"], ["tail", "head"])
_ANALOGIES = {"c", "d", "answer", "a_prime", "b_prime"}  # columns of analogy questions


class _Layout(NamedTuple):
    source: int
    target: int
    relation: int | None


def read(path: Path, name: str) -> Relations:
    """Read the pairs of a file, each with its relation; repeated pairs are kept."""
    table = read_table(path, "pairs")
    layout = _layout(path, table[0])
    table = table[1:] if layout else table
    if not table:
        raise NoItems(f"{path}: contains no pairs.")
    columns = layout or _Layout(0, 1, 2)
    if layout is None:
        _check_fields(path, table)
    sources = [word_field(path, row, columns.source, "source") for row in table]
    targets = [word_field(path, row, columns.target, "target") for row in table]
    relations = [
        "" if columns.relation is None else word_field(path, row, columns.relation, "relation")
        for row in table
    ]
    _check_words(path, sources, targets, relations)
    if layout is None:
        _check_relations(path, table[0].line, relations)
    return Relations(name, *map(word_array, (sources, targets, relations)))


def _layout(path: Path, first: Row) -> _Layout | None:
    """The columns by name, or None if the first row is not a header."""
    names = [field.casefold() for field in first.fields]
    found = [column_index(names, wanted) for wanted in (_SOURCE, _TARGET, _RELATION)]
    source, target, relation = found
    if source is None or target is None or not _ANALOGIES.isdisjoint(names):
        return None
    if relation is None and names not in _ONE_RELATION:
        return None
    header_names(path, first)
    return _Layout(source, target, relation)


def _check_fields(path: Path, table: list[Row]) -> None:
    for row in table:
        if len(row.fields) != 3:
            raise BadData(
                f"{path}:{row.line}: expected two words and a relation, found {len(row.fields)} "
                f"field{'s' * (len(row.fields) != 1)}. Other columns need a header that names "
                "source, target and relation."
            )


def _check_words(path: Path, *columns: list[str]) -> None:
    """Refuse a table with a column of numbers: rated pairs are not relations."""
    for what, column in zip(("source", "target", "relation"), columns, strict=True):
        if sum(map(is_number, column)) > len(column) / 2:
            raise BadData(
                f"{path}: the column of the {what} contains numbers, so these are not pairs in a "
                "relation. Rated pairs are word, word, rating."
            )


def _check_relations(path: Path, line: int, relations: list[str]) -> None:
    """Refuse three columns of words if few pairs have the same relation."""
    hint = "A header must name source, target and relation."
    if 2 * len(set(relations)) > len(relations) > 1:
        raise BadData(
            f"{path}: the third column has {len(set(relations)):,} values in {len(relations):,} "
            f"rows, so it does not name relations. {hint}"
        )
    if relations.count(relations[0]) == 1 < len(relations):
        raise BadData(
            f"{path}:{line}: '{shown(relations[0], 40)}' occurs once, so the first row may be a "
            f"header. {hint}"
        )
