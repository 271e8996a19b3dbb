"""Columns of tables: header names, required words and numbers, with errors that name the line."""

import re
from collections.abc import Collection, Sequence
from math import isfinite
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import Row, rows

# Names of columns that a file of the kind must have, each under one of several names.
TEXT = ("text", "sentence", "review", "document")
LABEL = ("label", "class", "category", "sentiment")
TYPES = ("types", "labels")
PHRASE = ("adjective", "noun", "label")


class NoItems(BadData):
    """A file without items: it is empty but for comments, or has nothing but a header."""


def read_table(path: Path, what: str) -> list[Row]:
    """Return the rows of a file; an empty file is an error."""
    table = list(rows(path))
    if not table:
        raise NoItems(f"{path}: contains no {what}.")
    return table


def header_names(path: Path, header: Row) -> list[str]:
    """Return the names in a header, case-folded; two equal names are an error."""
    names = [field.casefold() for field in header.fields]
    if len(set(names)) != len(names):
        raise BadData(f"{path}:{header.line}: two columns have the same name.")
    return names


def column_index(names: Sequence[str], wanted: Collection[str]) -> int | None:
    """Return the index of the first column with one of these names, or None.

    Letter case, how the parts of a name are joined, and a remark in brackets do not matter: Word1,
    word_1 and WORD 1 are one name, and Similarity (0-10) is similarity. Of several columns that
    only differ in the remark, none is chosen.
    """
    known = set(map(folded, wanted))
    exact = [index for index, name in enumerate(names) if folded(name) in known]
    bare = [index for index, name in enumerate(names) if folded(_REMARK.sub("", name)) in known]
    return exact[0] if exact else bare[0] if len(bare) == 1 else None


_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def folded(name: str) -> str:
    """Return a column name in lower case, with its parts joined.

    >>> folded("Word_1"), folded("word1"), folded("wordA"), folded("Human (Mean)")
    ('word1', 'word1', 'worda', 'human(mean)')
    """
    return re.sub(r"[\s_.-]+", "", name.casefold())


def word_field(path: Path, row: Row, column: int, what: str) -> str:
    """Return a field that must not be empty."""
    found = row.fields[column] if column < len(row.fields) else ""
    if not found:
        raise BadData(f"{path}:{row.line}: the {what} is missing.")
    return found


def number_field(path: Path, row: Row, column: int, what: str) -> float:
    """Return a field that must be a finite number."""
    number = row.number(column)
    if number is None or not isfinite(number):
        text = row.fields[column] if column < len(row.fields) else ""
        raise BadData(
            f"{path}:{row.line}: expected a number for the {what}, found '{shown(text, 40)}'."
        )
    return number
