"""Tables and JSON lines that studies are exchanged in.

Words are untrusted text: cells that a spreadsheet would run as a formula get an apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lexiscope.core.display import guarded
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.datasets.formats.tables import text_of

MAX_BYTES = 256 << 20
MAX_ROWS = 2_000_000
_SEPARATORS = ",;\t"


def csv_bytes(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, bom: bool = False
) -> bytes:
    """Return a table as CSV in UTF-8; `bom` makes spreadsheets read it as such."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return text.getvalue().encode("utf-8-sig" if bom else "utf-8", "replace")


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def json_lines(rows: Iterable[Any]) -> bytes:
    """Return one JSON object per line."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def checked_text(path: Path) -> str:
    """Return the text of a file of bounded size."""
    if path.is_file() and path.stat().st_size > MAX_BYTES:
        raise TooLarge(f"{path}: more than {MAX_BYTES:,} bytes.")
    return text_of(path)


def read_csv(path: Path, needed: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of a table with a header, each with its file and line."""
    text = checked_text(path)
    head = text.split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=head.count), strict=True
    )
    columns = [name.strip() for name in _next(reader, path) or []]
    missing = [name for name in needed if name not in columns]
    if missing or len(set(columns)) < len(columns):
        problem = f"no column '{missing[0]}'" if missing else "two columns with the same name"
        raise BadData(f"{path}:1: the table has {problem}.")
    number = 0
    while (fields := _next(reader, path)) is not None:
        where = f"{path}:{reader.line_num}"
        if not any(field.strip() for field in fields):
            continue
        if len(fields) > len(columns) and any(fields[len(columns) :]):
            raise BadData(f"{where}: {len(fields)} fields in a table of {len(columns)} columns.")
        number += 1
        if number > MAX_ROWS:
            raise TooLarge(f"{where}: more than {MAX_ROWS:,} rows.")
        padded = [*fields, *[""] * (len(columns) - len(fields))]
        yield where, {name: field.strip() for name, field in zip(columns, padded, strict=False)}


def _next(reader: Any, path: Path) -> list[str] | None:
    try:
        fields: list[str] | None = next(reader, None)
    except csv.Error as problem:
        raise BadData(f"{path}:{reader.line_num}: is not valid CSV ({problem}).") from None
    return fields


def read_json_lines(path: Path, text: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a file with one per line, each with its file and line."""
    given = checked_text(path) if text is None else text
    for number, line in enumerate(given.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        if number > MAX_ROWS:
            raise TooLarge(f"{where}: more than {MAX_ROWS:,} lines.")
        yield where, json_object(line, where)


def json_object(text: str, where: str) -> dict[str, Any]:
    """Return a JSON object."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise BadData(f"{where}: is not JSON ({problem}).") from None
    if not isinstance(found, dict):
        raise BadData(f"{where}: expected a JSON object.")
    return found
