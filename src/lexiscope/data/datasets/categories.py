"""Words in categories: a category and a word per line, in any order.

Without a header, the categories are in the column with fewer distinct values. R data files (.rda)
are read too, because one dataset is published in this format.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.datasets import Categories
from lexiscope.core.datasets.base import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats import r_data as _r
from lexiscope.data.datasets.formats import word_features as _lexicons
from lexiscope.data.datasets.formats.columns import (
    NoItems,
    column_index,
    header_names,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.tables import Row, is_number

_WORD = ("word", "noun", "verb", "concept", "item", "term")
_CATEGORY = ("category", "class", "cluster", "type", "label", "concept class")
_HEADER = "Add a header, for instance: word,label"
_POS_SUFFIX = re.compile(r"(.+)[_-][nvj]", re.IGNORECASE)


class _Layout(NamedTuple):
    word: int
    category: int


def read(path: Path, name: str) -> Categories:
    """Read the words of a file, each with its category; a word may have several."""
    table = _r.rows(path) if _r.is_r(path) else read_table(path, "words")
    layout = _layout(path, table[0])
    table = table[1:] if layout else table
    if not table:
        raise NoItems(f"{path}: contains no words.")
    if layout:
        columns, table = layout, _without_terminators(table, layout)
    else:
        columns = _layout_of_values(path, table)
    words = [word_field(path, row, columns.word, "word") for row in table]
    categories = [word_field(path, row, columns.category, "category") for row in table]
    _check_values(path, words, categories)
    return Categories(name, word_array(_without_pos_suffix(words)), word_array(categories))


def read_published(paths: Sequence[Path], name: str) -> Categories:
    """Read a published dataset; the sets of two classes are computed from lexicons of features."""
    if name not in _lexicons.RULES:
        return read(paths[0], name)
    word, label = zip(*_lexicons.labelled_words(paths[0], name), strict=True)
    return Categories(name, word_array(word), word_array(label))


def _layout(path: Path, first: Row) -> _Layout | None:
    """The columns by name, or None if the first row is not a header."""
    folded = [field.casefold() for field in first.fields]
    word, category = column_index(folded, _WORD), column_index(folded, _CATEGORY)
    if word is None or category is None:
        return None
    header_names(path, first)
    return _Layout(word, category)


def _layout_of_values(path: Path, table: list[Row]) -> _Layout:
    """The columns of a table without a header, by the numbers of distinct values."""
    _check_two_columns(path, table)
    first, second = ({row.fields[column] for row in table} for column in (0, 1))
    if len(first) == len(second) > 1:
        raise BadData(
            f"{path}: both columns have {len(first):,} distinct values, so it is not clear which "
            f"one is the label. {_HEADER}"
        )
    layout = _Layout(0, 1) if len(second) < len(first) else _Layout(1, 0)
    categories = [row.fields[layout.category] for row in table]
    if categories.count(categories[0]) == 1 < len(categories):
        raise BadData(
            f"{path}:{table[0].line}: '{shown(categories[0], 40)}' occurs once, so the first row "
            f"may be a header. {_HEADER}"
        )
    if all(map(is_number, categories)) and not all(map(str.isdecimal, categories)):
        raise BadData(f"{path}: the labels are numbers. {_HEADER}")
    if 2 * sum(len(row.fields[layout.word].split()) > 2 for row in table) > len(table):
        raise BadData(
            f"{path}: most rows have a text of several words. Texts need a header: text,label"
        )
    return layout


def _check_two_columns(path: Path, table: list[Row]) -> None:
    for row in table:
        if len(row.fields) != 2:
            raise BadData(
                f"{path}:{row.line}: expected a category and a word, found {len(row.fields)} "
                f"field{'s' * (len(row.fields) != 1)}. Other columns need a header that names "
                "category and word."
            )


def _without_terminators(table: list[Row], columns: _Layout) -> list[Row]:
    """Drop rows with an empty word at the end of a category, as in one published copy."""

    def category(row: Row) -> str:
        return row.fields[columns.category] if columns.category < len(row.fields) else ""

    following = [*map(category, table[1:]), ""]
    return [
        row
        for row, after in zip(table, following, strict=True)
        if len(row.fields) <= columns.word or row.fields[columns.word] or category(row) == after
    ]


def _check_values(path: Path, words: list[str], categories: list[str]) -> None:
    if all(map(is_number, words)):
        raise BadData(f"{path}: the words are numbers. Add a header that names category and word.")
    if len(set(categories)) < 2:
        raise BadData(
            f"{path}: there is only one category, '{categories[0]}'; at least two are needed."
        )


def _without_pos_suffix(words: list[str]) -> list[str]:
    """Words without a part-of-speech suffix (chicken_N), if every word has one."""
    matches = [_POS_SUFFIX.fullmatch(word) for word in words]
    return [found[1] for found in matches if found] if all(matches) else words
