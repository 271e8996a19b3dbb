"""Layout of text vectors: header, dimension and separator, from the first lines."""

from collections import Counter
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.vectors.formats.stream import HEAD, MOST_DIMENSIONS, Source, check_shape

_BOM = b"\xef\xbb\xbf"
_SAMPLE = 50  # lines
_SPACE, _TAB = 32, 9


class Layout(NamedTuple):
    """The layout of a text file; `rows` is the number in the header, if there is one."""

    start: int
    first_line: int
    rows: int | None
    dimension: int
    separator: int


def detect_layout(source: Source) -> Layout:
    """Detect header, dimension and separator from the first lines."""
    start = len(_BOM) if source.head.startswith(_BOM) else 0
    lines = _first_lines(source, start)
    header = header_of(lines[0])
    body = lines[1:] if header else lines
    separator = max((_SPACE, _TAB), key=lambda each: _usual_dimension(body, each))
    dimension = _usual_dimension(body, separator)
    if header is None or _is_first_row(header, dimension, body):
        return _without_header(source, start, lines, separator)
    size = source.head.find(b"\n", start) + 1 or len(source.head)
    # The last line may lack its line end.
    capacity = None if source.size is None else source.size - size + 1
    check_shape(source.path, *header, capacity, 2 * header[1] + 1)
    if dimension not in (0, header[1]):
        raise BadData(
            f"{source.path}:2: the header announces {header[1]:,} numbers for each word, "
            f"found {dimension:,}. The header is wrong, or this is not a vector file."
        )
    return Layout(size, 2, *header, separator)


def _without_header(source: Source, start: int, lines: list[bytes], separator: int) -> Layout:
    dimension = _usual_dimension(lines, separator)
    if not dimension:
        raise BadData(
            f"{source.path}:1: expected a word and numbers, found '{excerpt(lines[0])}'. "
            "Is this a vector file?"
        )
    if dimension > MOST_DIMENSIONS:
        raise BadData(
            f"{source.path}:1: {dimension:,} numbers; the maximum is {MOST_DIMENSIONS:,}."
        )
    return Layout(start, 1, None, dimension, separator)


def _first_lines(source: Source, start: int) -> list[bytes]:
    lines = source.head[start:].split(b"\n", _SAMPLE + 1)[: _SAMPLE + 1]
    if len(source.head) >= HEAD:
        if len(lines) == 1:
            raise BadData(
                f"{source.path}:1: no line ends within {HEAD:,} bytes: not a vector file."
            )
        lines = lines[:-1]  # the last one may be incomplete
    return [line.rstrip(b"\r") for line in lines]


def header_of(line: bytes) -> tuple[int, int] | None:
    """Return the two integers of a header line, or None for another line."""
    fields = line.split()
    if len(fields) == 2 and all(_is_integer(field) for field in fields):
        return int(fields[0]), int(fields[1])
    return None


def _is_integer(field: bytes) -> bool:
    return len(field) <= 100 and field.removeprefix(b"-").isdigit()


def _is_first_row(header: tuple[int, int], dimension: int, body: list[bytes]) -> bool:
    # "1990 3" before rows of one number each is a word and its number, unless it counts the rows.
    return dimension == 1 != header[1] and header[0] != sum(map(bool, body))


def _usual_dimension(lines: list[bytes], separator: int) -> int:
    """The most common number of numbers at the end of the first lines; ties go to the first."""
    found = [number for line in lines if (number := numbers_at_the_end(line, separator))]
    return Counter(found).most_common(1)[0][0] if found else 0


def numbers_at_the_end(line: bytes, separator: int) -> int:
    """Return how many numbers are at the end of a line, after the first field."""
    return count_numbers(fields(line, separator))


def fields(line: bytes, separator: int) -> list[bytes]:
    """Return the fields of a line, without separators at its end."""
    return line.rstrip(b" \t\r").split(bytes([separator]))


def count_numbers(fields: list[bytes]) -> int:
    """Return how many of the last fields are numbers; the first field is a word."""
    odd = (n for n, field in enumerate(reversed(fields[1:])) if value_of(field) is None)
    return next(odd, len(fields) - 1)


def value_of(field: bytes) -> float | None:
    """Return the number in a field, or None."""
    if b"_" in field or field != field.strip():
        return None
    try:
        return float(field)
    except ValueError:
        return None


def excerpt(raw: bytes) -> str:
    """Return the beginning of a line or field for a message."""
    return shown(raw[:200].decode("utf-8", "replace"), 40)
