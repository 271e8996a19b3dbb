"""Rated word pairs: word, word, rating; a header is optional, other columns are ignored."""

import re
from collections.abc import Container, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lexiscope.core.datasets import WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import (
    NoItems,
    column_index,
    folded,
    header_names,
)
from lexiscope.data.datasets.formats.tables import Row, rows

# One side of a pair: word1, "Word 1", term_a, left ...
_NOUNS = ("word", "term", "w", "item", "concept", "noun", "verb", "token", "lemma", "expression")
_LEFT = {*(f"{noun} {end}" for noun in _NOUNS for end in ("1", "a")), "left", "first", "a", "cue"}
_RIGHT = {*(f"{noun} {end}" for noun in _NOUNS for end in ("2", "b")), "right", "second", "b",
          "target"}  # fmt: skip
_SIDES = {"1": 0, "a": 0, "2": 1, "b": 1}
# Other nouns, in any language: Wort1, mot_2, "Begriff A". One letter must be set off.
_SIDE = re.compile(r"(.*[^\W\d_])(?:[\s_.-]*([12])|[\s_.-]+([AaBb])|(?<=[^\W\d_A-Z])([AB]))")
_RATING = {
    *("rating", "score", "mean", "average", "avg", "similarity", "relatedness", "sim", "gold"),
    *("human (mean)", "human", "human score", "human rating", "mean rating", "mean score"),
    *("average score", "avg score", "simlex 999", "value", "judgment", "judgement", "strength"),
    *("human mean", "mean similarity", "mean relatedness", "similarity score", "gold score"),
    *("relatedness score", "gold rating", "gold label", "label", "z score", "y"),
}
_NO_RATING = {"", "id", "index", "nr", "no", "unnamed:0", "relation", "rel", "section", "category"}


class _Columns(NamedTuple):
    """The positions of the two words and of the rating."""

    left: int
    right: int
    rating: int


def read(path: Path, name: str) -> WordPairs:
    """Read the pairs of a file, including repeated ones."""
    table = list(rows(path))
    columns = _columns_of_header(table)
    hint = "" if columns else _hint(table)  # if the first row is no pair
    if columns:
        header_names(path, table[0])
        table = table[1:]
    if not table:
        raise NoItems(f"{path}: contains no pairs.")
    used = columns or _Columns(0, 1, 2)
    pairs = [_pair(path, row, used, "" if n else hint) for n, row in enumerate(table)]
    _check_percentages(path, table, used.rating)
    left, right, rating = zip(*pairs, strict=True)
    return WordPairs(name, word_array(left), word_array(right), np.array(rating, np.float64))


def _columns_of_header(table: Sequence[Row]) -> _Columns | None:
    """The columns that the first row names; None if it is a pair."""
    if not table:
        return None
    header, *others = table
    left, right = _word_columns(table)
    rating = column_index(header.fields, _RATING)
    both, either = None not in (left, right), (left, right) != (None, None)
    if rating is None:
        # A first pair with a broken rating is not a header: it must not be lost silently.
        rating = _only_number(header, others, {left, right}) if both else None
    # Columns of single raters can be called 1, 2, 3.
    if rating is None or not (both or (either and header.number(2) is None)):
        return None
    found = _Columns(0 if left is None else left, 1 if right is None else right, rating)
    return found if len(set(found)) == len(found) else None


def _word_columns(table: Sequence[Row]) -> tuple[int | None, int | None]:
    """The columns of the words: those with known names, else the only two such as Wort1, Wort2."""
    names = table[0].fields
    known = column_index(names, _LEFT), column_index(names, _RIGHT)
    if known != (None, None):
        return known
    sides: dict[str, list[int | None]] = {}
    for column, name in enumerate(names):
        side = _SIDE.fullmatch(name)
        if side and any(_number(row, column) is None for row in table[1:]):
            position = _SIDES[next(filter(None, side.groups()[1:])).casefold()]
            sides.setdefault(folded(side[1]), [None, None])[position] = column
    pairs = [pair for pair in sides.values() if None not in pair]
    return (pairs[0][0], pairs[0][1]) if len(pairs) == 1 else (None, None)


def _only_number(header: Row, others: Sequence[Row], words: Container[int | None]) -> int | None:
    """The only named column of numbers, apart from words, row numbers and relations."""
    found = [
        column
        for column, name in enumerate(header.fields)
        if column not in words and folded(name) not in _NO_RATING
        if others and _number(header, column) is None
        if all(_number(row, column) is not None for row in others)
    ]
    return found[0] if len(found) == 1 else None


def _hint(table: Sequence[Row]) -> str:
    if table and None not in _word_columns(table):
        return " Call the column of the ratings 'rating'."
    return " A header must name word1, word2 and rating."


def _pair(path: Path, row: Row, columns: _Columns, hint: str) -> tuple[str, str, float]:
    where = f"{path}:{row.line}"
    if len(row.fields) <= max(columns):
        raise BadData(
            f"{where}: expected two words and a number, found {len(row.fields)} "
            f"field{'s' * (len(row.fields) != 1)}."
        )
    left, right = row.fields[columns.left], row.fields[columns.right]
    if not left or not right:
        raise BadData(f"{where}: a word is empty.")
    rating = _number(row, columns.rating)
    if rating is None or not np.isfinite(rating):
        found = shown(row.fields[columns.rating], 40)
        raise BadData(f"{where}: expected a number for the rating, found '{found}'.{hint}")
    return left, right, rating


def _number(row: Row, column: int) -> float | None:
    """A number or a percentage, such as 15.8%."""
    text = row.fields[column] if column < len(row.fields) else ""
    return row._replace(fields=[text.removesuffix("%").rstrip()]).number(0)


def _check_percentages(path: Path, table: Sequence[Row], column: int) -> None:
    """Percentages are on their own scale, so either all ratings are percentages or none."""
    odd = [row for row in table if row.fields[column].endswith("%")]
    if odd and len(odd) < len(table):
        raise BadData(
            f"{path}:{odd[0].line}: the rating is a percentage, but not all ratings are. Use one "
            "scale for all."
        )
