"""Lists of terms: one term per line, a table with a column `term`, or the index of a book."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import main_separator, text_lines

_HEADER = ("term", "terms")
_LOCATORS = re.compile(r"[,\s.]\s*\d[\d\s,;.–—-]*(?:ff?|nn?)?\.?\s*$")
_ONLY_LOCATORS = re.compile(r"[\d\s–—-]*|x{0,3}(?:ix|iv|v?i{0,3})")
_TERM_END = re.compile(r"[,;:(\[]|\s\d|\.{2,}|\.?\s+[Ss]ee also\b|\.\s*See\b")
_TAB = 4


def read_terms(path: Path | str) -> tuple[str, ...]:
    """Read a list of terms, of one or several words each.

    The file is one of:

    - one term per line;
    - a table whose header names a column `term`; other columns are ignored;
    - the index of a book, if most lines end with a page number (see `read_index`).

    Blank lines and lines that begin with # are skipped. A term that is listed twice is kept once.
    """
    path = Path(path)
    lines = _lines(path)
    separator = main_separator(lines)
    header = [field.casefold() for field in _fields(lines[0], separator)]
    column = next((index for index, name in enumerate(header) if name in _HEADER), None)
    if column is not None:
        rows = (_fields(line, separator) for line in lines[1:])
        return _distinct(path, (row[column] for row in rows if column < len(row)))
    if sum(_LOCATORS.search(line) is not None for line in lines) * 2 > len(lines):
        return read_index(path)
    return _distinct(path, (line.strip() for line in lines))


def read_index(path: Path | str) -> tuple[str, ...]:
    """Read the terms of a book's index.

    A term ends before the first comma, semicolon, colon, bracket, page number or cross-reference:
    "analytical hypotheses, 68-72, 94" is "analytical hypotheses". Lines that are indented further
    than the others (subentries) and lines that consist of page numbers are skipped.
    """
    path = Path(path)
    lines = [line.expandtabs(_TAB) for line in _lines(path)]
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    entries = (line.strip() for line in lines if not line[margin:].startswith(" "))
    heads = (_TERM_END.split(entry, maxsplit=1)[0].strip(" .\"'“”‘’") for entry in entries)
    return _distinct(path, (head for head in heads if not _ONLY_LOCATORS.fullmatch(head)))


def _lines(path: Path) -> list[str]:
    lines = [line for line in text_lines(path) if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadData(f"{path}: contains no terms.")
    return lines


def _fields(line: str, separator: str) -> list[str]:
    fields = next(csv.reader([line], delimiter=separator)) if separator else [line]
    return [field.strip() for field in fields]


def _distinct(path: Path, terms: Iterable[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(term for term in terms if term))
    if not found:
        raise BadData(f"{path}: contains no terms.")
    return found
