"""Rows of small text files: separators, comments, and the line number of each row."""

import codecs
import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.archive_members import opened

_LARGEST = 1 << 30
_LONGEST_LINE = 1 << 20
_SEPARATORS = ("\t", ";", ",")


_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


class Row(NamedTuple):
    """The fields of a line, and its number; `decimal_comma` if a comma can be in a number."""

    line: int
    fields: list[str]
    decimal_comma: bool = False

    def number(self, column: int) -> float | None:
        """The number in a column; None if there is none."""
        text = self.fields[column] if column < len(self.fields) else ""
        if self.decimal_comma and _DECIMAL_COMMA.fullmatch(text):
            text = text.replace(",", ".")
        try:
            return None if "_" in text else float(text)
        except ValueError:
            return None


def rows(path: Path) -> Iterator[Row]:
    """Return the rows of a file; blank lines and lines that begin with # are skipped."""
    return rows_of(path, text_lines(path))


def rows_of(path: Path, lines: list[str]) -> Iterator[Row]:
    """Yield the rows of lines that were read already."""
    separator = _separator(lines)
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if len(line) > _LONGEST_LINE:
            raise BadData(f"{path}:{number}: a line of more than {_LONGEST_LINE:,} characters.")
        yield Row(number, _fields(line, separator, f"{path}:{number}"), separator != ",")


def unpacked_lines(path: Path) -> list[str]:
    """Return the lines of a file, which may be compressed (.gz, .bz2, .xz)."""
    _content(path, read=False)
    with opened(path) as file:
        raw = file.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a dataset.")
    return lines_of(path, raw)


def lines_of(path: Path, raw: bytes) -> list[str]:
    """Return the lines of a text; a line ends with LF, CR LF or CR."""
    return re.split("\r\n|\r|\n", _text(path, raw))


def text_of(path: Path) -> str:
    """Return the text of a file, which must be UTF-8 and not compressed."""
    return _text(path, _content(path))


def _text(path: Path, raw: bytes) -> str:
    if not raw.strip():
        raise BadData(f"{path}: is empty.")
    if raw.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04")):
        raise BadData(f"{path}: is compressed. Unpack it first.")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # a spreadsheet's "Unicode text"
        return _utf16(path, raw)
    if b"\0" in raw:
        at = raw.index(b"\0")
        raise BadData(
            f"{path}:{raw.count(10, 0, at) + 1}: a NUL byte; this is not a text file, or it is "
            "UTF-16. Save text as UTF-8."
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise BadData(
            f"{path}:{line}: is not UTF-8 (byte {problem.start}). Convert it first, for instance "
            "with iconv -f latin1 -t utf-8."
        ) from None


def _utf16(path: Path, raw: bytes) -> str:
    try:
        text = raw.decode("utf-16")
    except UnicodeDecodeError as problem:
        raise BadData(f"{path}: is not UTF-16 (byte {problem.start}). Save it as UTF-8.") from None
    if "\0" in text:
        raise BadData(f"{path}: a NUL character; this is not a text file.")
    return text


def text_lines(path: Path) -> list[str]:
    """Return the lines of a file, which must be UTF-8 and not compressed."""
    return lines_of(path, _content(path))


def _content(path: Path, read: bool = True) -> bytes:
    try:
        if path.is_dir():
            raise BadData(f"{path}: is a folder; give a file.")
        if path.exists() and not path.is_file():
            raise BadData(f"{path}: is a device or a pipe; give a file.")
        if path.stat().st_size > _LARGEST:
            raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a dataset.")
        return path.read_bytes() if read else b""
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such file.") from None
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None


def _separator(lines: list[str]) -> str | None:
    sample = _sample(lines)
    for separator in _SEPARATORS:
        if sample and all(separator in line for line in sample):
            return separator
    return None


def main_separator(lines: list[str]) -> str:
    """Return the separator that most of the first lines contain; empty if there is none."""
    sample = _sample(lines)
    for separator in _SEPARATORS:
        if sum(separator in line for line in sample) > len(sample) / 2:
            return separator
    return ""


def _sample(lines: list[str]) -> list[str]:
    return [line for line in lines[:200] if line.strip() and not line.startswith(("#", ":"))][:20]


def _fields(line: str, separator: str | None, where: str) -> list[str]:
    if separator is None:
        return re.split("[ \t]+", line.strip(" \t"))  # other kinds of space can be part of a word
    if separator == "\t":
        return [field.strip(" ") for field in line.split("\t")]
    try:
        return [field.strip(" ") for field in next(csv.reader([line], delimiter=separator))]
    except csv.Error as problem:
        raise BadData(f"{where}: the line cannot be split into fields ({problem}).") from None


def is_number(text: str) -> bool:
    """Whether a field is a number, with a decimal point or a decimal comma."""
    try:
        float(text)
    except ValueError:
        return _DECIMAL_COMMA.fullmatch(text) is not None
    return True
