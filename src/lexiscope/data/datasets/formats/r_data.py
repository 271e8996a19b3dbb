"""Reader of R data files (RDX2 or RDX3, XDR): the columns of the first data frame.

Only plain vectors are supported, and no code in the file is run. The decision record
0010-own-r-reader compares this reader with the package rdata.
"""

import gzip
import struct
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file
from lexiscope.data.datasets.formats.tables import Row

_LARGEST = 1 << 24  # bytes
_LONGEST = 1 << 20  # values of a vector
_DEEPEST = 50
_NULL, _MISSING_STRING = 254, 0xFFFFFFFF


class _Vector(NamedTuple):
    """The values of a vector and its attributes: names, levels, class."""

    values: Any
    attributes: dict[str, Any]


def is_r(path: Path) -> bool:
    """Whether a file has the ending of an R data file."""
    return path.suffix.casefold() in (".rda", ".rdata") and is_file(path)


def rows(path: Path) -> list[Row]:
    """Return the table as rows, with the column names first; line numbers count these rows."""
    try:
        frame = _frame(_content(path))
        names = frame.attributes["names"].values
        columns = [_column(vector) for vector in frame.values]
        table = list(zip(*columns, strict=True))
    except (OSError, EOFError, zlib.error, struct.error, ValueError, KeyError, IndexError,
            AttributeError, TypeError, UnicodeDecodeError):  # fmt: skip
        raise BadData(
            f"{path}: contains no plain R data frame. Write it as text first, for instance with "
            "write.table."
        ) from None
    lines = [names, *table]
    return [Row(number, [str(field) for field in row]) for number, row in enumerate(lines, 1)]


def _content(path: Path) -> bytes:
    with gzip.open(path) as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST or content[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
        raise ValueError
    return content[5:]


def _frame(content: bytes) -> _Vector:
    """The first object of a file, whose objects are the values of a pairlist."""
    reader = _Reader(content)
    found = next(iter(reader.pairs(reader.flags(), 0).values()), None)
    if not isinstance(found, _Vector):
        raise ValueError
    return found


def _column(vector: _Vector) -> list[Any]:
    """The values of a column; those of a factor as level names."""
    levels = vector.attributes.get("levels")
    if levels is None:
        return list(vector.values)
    return [levels.values[number - 1] for number in vector.values]


class _Reader:
    """Reads a serialised value from front to back."""

    def __init__(self, content: bytes) -> None:
        self.content, self.position = content, 2  # "X\n"
        self.symbols: list[str] = []
        version = self._integers(3)[0]
        if version == 3:
            self._take(self._integers(1)[0])  # the name of the encoding

    def flags(self) -> int:
        """Return the flags before a value; the low byte is its type."""
        return int.from_bytes(self._take(4))

    def pairs(self, flags: int, depth: int) -> dict[str, Any]:
        """Return the values of a pairlist by tag."""
        found: dict[str, Any] = {}
        while flags & 0xFF == 2:
            if flags & 0x200:
                self.value(self.flags(), depth + 1)
            tag = self.value(self.flags(), depth + 1) if flags & 0x400 else None
            found[str(tag)] = self.value(self.flags(), depth + 1)
            flags = self.flags()
        if flags & 0xFF != _NULL:
            raise ValueError
        return found

    def value(self, flags: int, depth: int) -> Any:
        """Return any value that a data frame can contain."""
        if depth > _DEEPEST:
            raise ValueError
        kind = flags & 0xFF
        if kind == _NULL:
            return None
        if kind in (1, 255):
            return self._symbol(kind, flags)
        if kind == 2:
            return self.pairs(flags, depth)
        if kind == 9:
            return self._text()
        return self._vector(kind, flags, depth)

    def _vector(self, kind: int, flags: int, depth: int) -> _Vector:
        length = self._length()
        if kind in (10, 13):
            values: Any = self._integers(length)
        elif kind == 14:
            values = struct.unpack(f">{length}d", self._take(8 * length))
        elif kind in (16, 19):
            values = [self.value(self.flags(), depth + 1) for _ in range(length)]
        else:
            raise ValueError
        return _Vector(values, self.pairs(self.flags(), depth) if flags & 0x200 else {})

    def _symbol(self, kind: int, flags: int) -> str:
        if kind == 255:
            return self.symbols[(flags >> 8 or self.flags()) - 1]
        self.flags()
        self.symbols.append(self._text())
        return self.symbols[-1]

    def _text(self) -> str:
        length = int.from_bytes(self._take(4))
        return "" if length == _MISSING_STRING else self._take(length).decode()

    def _length(self) -> int:
        length = int.from_bytes(self._take(4))
        if length > _LONGEST:
            raise ValueError
        return length

    def _integers(self, number: int) -> tuple[int, ...]:
        return struct.unpack(f">{number}i", self._take(4 * number))

    def _take(self, size: int) -> bytes:
        taken = self.content[self.position : self.position + size]
        if len(taken) != size:
            raise EOFError
        self.position += size
        return taken
