"""Words in categories: a category and a word a line, in any order when a header names them.

R's own data files (.rda) are understood too: that is how one of the sets is published.
"""

import re
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Categories
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import _r
from lexiscope.data.datasets._columns import names_of, place_of, table_of, word_in
from lexiscope.data.datasets._tables import Row, is_number

_WORD = ("word", "noun", "verb", "concept", "item", "term")
_CATEGORY = ("category", "class", "cluster", "type", "label", "concept class")
_MARK = re.compile(r"(.+)[_-][nvj]", re.IGNORECASE)


class _Layout(NamedTuple):
    word: int
    category: int


def read(path: Path, name: str) -> Categories:
    """The words of a file, each with its category; a word may stand in several."""
    table = _r.rows(path) if _r.is_r(path) else table_of(path, "words")
    layout = _layout(path, table[0])
    table = table[1:] if layout else table
    if not table:
        raise BadData(f"{path}: holds no words.")
    places = layout or _Layout(word=1, category=0)
    table = _without_ends(table, places) if layout else _of_two(path, table)
    words = [word_in(path, row, places.word, "word") for row in table]
    categories = [word_in(path, row, places.category, "category") for row in table]
    _must_differ(path, words, categories)
    return Categories(name, word_array(_unmarked(words)), word_array(categories))


def _layout(path: Path, first: Row) -> _Layout | None:
    """The columns by their names, or None when the first row is no header."""
    folded = [field.casefold() for field in first.fields]
    word, category = place_of(folded, _WORD), place_of(folded, _CATEGORY)
    if word is None or category is None:
        return None
    names_of(path, first)
    return _Layout(word, category)


def _of_two(path: Path, table: list[Row]) -> list[Row]:
    """The rows of a table without a header: a category, a word and nothing else."""
    for row in table:
        if len(row.fields) != 2:
            raise BadData(
                f"{path}:{row.line}: expected a category and a word, found {len(row.fields)} "
                f"field{'s' * (len(row.fields) != 1)}. Other columns need a header that names "
                "category and word."
            )
    return table


def _without_ends(table: list[Row], places: _Layout) -> list[Row]:
    """The rows without those that end a category with an empty word, as one published copy does."""

    def category(row: Row) -> str:
        return row.fields[places.category] if places.category < len(row.fields) else ""

    following = [*map(category, table[1:]), ""]
    return [
        row
        for row, after in zip(table, following, strict=True)
        if len(row.fields) <= places.word or row.fields[places.word] or category(row) == after
    ]


def _must_differ(path: Path, words: list[str], categories: list[str]) -> None:
    if all(map(is_number, words)):
        raise BadData(f"{path}: the words are numbers. A header names category and word.")
    if len(set(categories)) < 2:
        raise BadData(f"{path}: there is only one category, '{categories[0]}'; two are needed.")


def _unmarked(words: list[str]) -> list[str]:
    """Words without a mark of the part of speech (chicken_N), when every word has one."""
    marked = [_MARK.fullmatch(word) for word in words]
    return [found[1] for found in marked if found] if all(marked) else words
