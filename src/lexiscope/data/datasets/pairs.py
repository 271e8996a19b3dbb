"""Rated word pairs: word, word, rating; a header is optional, other columns are ignored."""

from pathlib import Path

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
_RATING = {
    *("rating", "score", "mean", "average", "avg", "similarity", "relatedness", "sim", "gold"),
    *("human (mean)", "human", "human score", "human rating", "mean rating", "mean score"),
    *("average score", "avg score", "simlex 999", "value", "judgment", "judgement", "strength"),
}


def read(path: Path, name: str) -> WordPairs:
    """Read the pairs of a file, including repeated ones."""
    table = list(rows(path))
    columns = (0, 1, 2)
    hint = " A header must name word1, word2 and rating."  # if the first row is no pair
    if table and _is_header(table[0]):
        columns, hint = _columns(path, table[0]), ""
        table = table[1:]
    if not table:
        raise NoItems(f"{path}: contains no pairs.")
    pairs = [_pair(path, row, columns, "" if n else hint) for n, row in enumerate(table)]
    left, right, rating = zip(*pairs, strict=True)
    return WordPairs(name, word_array(left), word_array(right), np.array(rating, np.float64))


def _is_header(row: Row) -> bool:
    # A first pair with a broken rating is not a header: it must not be lost silently.
    names = set(map(folded, row.fields))
    left, right = not names.isdisjoint(_LEFT), not names.isdisjoint(_RIGHT)
    # Columns of single raters can be called 1, 2, 3.
    is_named = (left and right) or ((left or right) and row.number(2) is None)
    return is_named and not names.isdisjoint(_RATING)


def _columns(path: Path, header: Row) -> tuple[int, int, int]:
    names = header_names(path, header)

    def find(wanted: set[str], default: int) -> int:
        found = column_index(names, wanted)
        return default if found is None else found

    return find(_LEFT, 0), find(_RIGHT, 1), find(_RATING, 2)


def _pair(path: Path, row: Row, columns: tuple[int, int, int], hint: str) -> tuple[str, str, float]:
    where = f"{path}:{row.line}"
    if len(row.fields) <= max(columns):
        raise BadData(
            f"{where}: expected two words and a number, found {len(row.fields)} "
            f"field{'s' * (len(row.fields) != 1)}."
        )
    left, right = row.fields[columns[0]], row.fields[columns[1]]
    if not left or not right:
        raise BadData(f"{where}: a word is empty.")
    rating = row.number(columns[2])
    if rating is None or not np.isfinite(rating):
        found = shown(row.fields[columns[2]], 40)
        raise BadData(f"{where}: expected a number for the rating, found '{found}'.{hint}")
    return left, right, rating
