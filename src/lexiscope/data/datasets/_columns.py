"""Columns by name: which of a header's fields holds what, and numbers in fields."""

from collections.abc import Collection
from math import isfinite
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import Row, rows


def table_of(path: Path, what: str) -> list[Row]:
    """The rows of a file, at least one."""
    table = list(rows(path))
    if not table:
        raise BadData(f"{path}: holds no {what}.")
    return table


def names_of(path: Path, header: Row) -> list[str]:
    """The names in a header, in small letters; no two may be the same."""
    names = [field.casefold() for field in header.fields]
    if len(set(names)) != len(names):
        raise BadData(f"{path}:{header.line}: two columns have the same name.")
    return names


def place_of(names: list[str], wanted: Collection[str]) -> int | None:
    """The first column that has one of these names."""
    return next((place for place, name in enumerate(names) if name in wanted), None)


def word_in(path: Path, row: Row, place: int, what: str) -> str:
    """A field that must hold a word."""
    found = row.fields[place] if place < len(row.fields) else ""
    if not found:
        raise BadData(f"{path}:{row.line}: the {what} is missing.")
    return found


def number_in(path: Path, row: Row, place: int, what: str) -> float:
    """A field that must hold a finite number."""
    text = row.fields[place] if place < len(row.fields) else ""
    try:
        number = float("nan") if "_" in text else float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise BadData(
            f"{path}:{row.line}: expected a number for the {what}, found '{shown(text, 40)}'."
        )
    return number
