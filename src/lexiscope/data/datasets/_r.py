"""A table in a data file of R (RDX2 or RDX3, XDR): the columns of the first data frame.

Only plain vectors are understood; nothing in the file is run.
"""

import gzip
import struct
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import Row
from lexiscope.data.unpacking import is_file

_LARGEST = 1 << 24
_LONGEST = 1 << 20
_DEEPEST = 50
_NOTHING, _MISSING_STRING = 254, 0xFFFFFFFF


class _Vector(NamedTuple):
    """Values and what is attached to them: names, levels, class."""

    values: Any
    attributes: dict[str, Any]


def is_r(path: Path) -> bool:
    """Whether a file is named as R names its data."""
    return path.suffix.casefold() in (".rda", ".rdata") and is_file(path)


def rows(path: Path) -> list[Row]:
    """The table as rows, its column names first; the lines are those of the table."""
    try:
        frame = _frame(_content(path))
        names = frame.attributes["names"].values
        columns = [_column(vector) for vector in frame.values]
        table = list(zip(*columns, strict=True))
    except (OSError, EOFError, zlib.error, struct.error, ValueError, KeyError, IndexError,
            AttributeError, TypeError, UnicodeDecodeError):  # fmt: skip
        raise BadData(
            f"{path}: holds no plain table of R. Write it as text first, for instance with "
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
    """The first object of a file: its objects are the values of a list of pairs."""
    reader = _Reader(content)
    found = next(iter(reader.pairs(reader.flags(), 0).values()), None)
    if not isinstance(found, _Vector):
        raise ValueError
    return found


def _column(vector: _Vector) -> list[Any]:
    """A column's values; those of a factor by name."""
    levels = vector.attributes.get("levels")
    if levels is None:
        return list(vector.values)
    return [levels.values[number - 1] for number in vector.values]


class _Reader:
    """Goes through a serialised value from front to back."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 2  # "X\n"
        self.symbols: list[str] = []
        version = self._integers(3)[0]
        if version == 3:
            self._take(self._integers(1)[0])  # the name of the encoding

    def flags(self) -> int:
        """The word in front of every value: its kind in the low byte."""
        return int.from_bytes(self._take(4))

    def pairs(self, flags: int, depth: int) -> dict[str, Any]:
        """A list of pairs, by tag."""
        found: dict[str, Any] = {}
        while flags & 0xFF == 2:
            if flags & 0x200:
                self.value(self.flags(), depth + 1)
            tag = self.value(self.flags(), depth + 1) if flags & 0x400 else None
            found[str(tag)] = self.value(self.flags(), depth + 1)
            flags = self.flags()
        if flags & 0xFF != _NOTHING:
            raise ValueError
        return found

    def value(self, flags: int, depth: int) -> Any:
        """Any value that a table is made of."""
        if depth > _DEEPEST:
            raise ValueError
        kind = flags & 0xFF
        if kind == _NOTHING:
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
        taken = self.content[self.place : self.place + size]
        if len(taken) != size:
            raise EOFError
        self.place += size
        return taken
