"""Rated word pairs: word, word, rating; a header is optional, other columns are ignored."""

from pathlib import Path

import numpy as np

from lexiscope.core.datasets import WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import NoItems
from lexiscope.data.datasets.formats.tables import Row, rows

_LEFT = {"word1", "word 1", "word_1", "w1", "left", "a"}
_RIGHT = {"word2", "word 2", "word_2", "w2", "right", "b"}
_RATING = {
    "rating",
    "score",
    "mean",
    "average",
    "similarity",
    "relatedness",
    "human (mean)",
    "simlex999",
    "gold",
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
    names = {field.casefold() for field in row.fields}
    words = not names.isdisjoint(_LEFT | _RIGHT)
    return _number(row.fields, 2) is None and words and not names.isdisjoint(_RATING)


def _columns(path: Path, header: Row) -> tuple[int, int, int]:
    names = [field.casefold() for field in header.fields]
    if len(set(names)) != len(names):
        raise BadData(f"{path}:{header.line}: two columns have the same name.")

    def find(wanted: set[str], default: int) -> int:
        return next((i for i, name in enumerate(names) if name in wanted), default)

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
    rating = _number(row.fields, columns[2])
    if rating is None or not np.isfinite(rating):
        found = shown(row.fields[columns[2]], 40)
        raise BadData(f"{where}: expected a number for the rating, found '{found}'.{hint}")
    return left, right, rating


def _number(fields: list[str], column: int) -> float | None:
    try:
        return None if "_" in fields[column] else float(fields[column])
    except (ValueError, IndexError):
        return None
