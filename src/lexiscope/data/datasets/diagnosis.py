"""The error for a file that no reader accepts: what is wrong with it as the most likely kind.

The most likely kind is the one whose header the first row is, else the one that accepts most rows.
The readers themselves decide, on parts of the file.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import NoItems
from lexiscope.data.datasets.formats.tables import main_separator, text_lines

_SAMPLE = 50  # rows
_EARLIEST = 4  # line of an error from which on the rows before it suggest the kind
_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma"}

Reader = Callable[[str, Path], Any]  # reads a path as a kind


def diagnose(path: Path, problems: Mapping[str, BadData], read: Reader) -> BadData | None:
    """Return the error for the most likely kind; None if no kind is likely.

    `problems` has the error of each kind.
    """
    try:
        lines = text_lines(path)
    except BadData:  # compressed or not text: only some kinds read such files
        lines = []
    separator = main_separator(lines)
    with TemporaryDirectory(prefix="lexiscope-") as folder:
        parts = _Parts(Path(folder, path.name), lines, separator, read)
        kind = parts.likely_kind(problems) or _kind_of_last_line(path, problems)
        if not kind:
            return None
        if parts.odd_lines and parts.problem(kind) != _without_path(problems[kind], path):
            return BadData(
                f"{path}:{parts.odd_lines[0] + 1}: contains no {_NAMES[separator]}, which "
                "separates the fields of other lines."
            )
    return problems[kind]


class _Parts:
    """Parts of a file, written to a second file for the readers.

    Lines without the separator of most lines are left out: they change how all lines are split.
    """

    def __init__(self, path: Path, lines: list[str], separator: str, read: Reader) -> None:
        self._path, self._lines, self._read = path, lines, read
        rows = [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")]
        self._rows = [n for n in rows if separator in lines[n]]
        self.odd_lines = [
            n for n in rows if separator not in lines[n] and not lines[n].startswith(":")
        ]

    def likely_kind(self, kinds: Iterable[str]) -> str:
        """The kind whose header the first row is, else the kind that accepts most rows."""
        kinds = list(kinds)
        for kind in kinds:
            if isinstance(self._error(kind, self._rows[:1]), NoItems):
                return kind
        step = max(1, len(self._rows) // _SAMPLE)
        rejected = {kind: self._rejected(kind, self._rows[::step]) for kind in kinds}
        found = {kind: number for kind, number in rejected.items() if number is not None}
        return min(found, key=lambda kind: found[kind], default="")

    def problem(self, kind: str) -> str:
        """The error of a kind without the path; empty if it accepts the file."""
        found = self._error(kind, self._rows)
        return _without_path(found, self._path) if found else ""

    def _rejected(self, kind: str, rows: list[int]) -> int | None:
        """How many rows a kind rejects; None if it is half of them or the file as a whole."""
        remaining = rows
        while len(remaining) > len(rows) / 2:
            error = self._error(kind, remaining)
            if error is None:
                return len(rows) - len(remaining)
            line = _line_of(error, self._path)
            if line - 1 not in remaining:
                return None
            remaining = [row for row in remaining if row != line - 1]
        return None

    def _error(self, kind: str, rows: list[int]) -> BadData | None:
        """The error of a kind for some rows; other lines are blank, so that line numbers agree."""
        kept = set(rows)
        text = "\n".join(line if n in kept else "" for n, line in enumerate(self._lines))
        self._path.write_text(text, "utf-8", newline="\n")
        try:
            self._read(kind, self._path)
        except BadData as error:
            return error
        return None


def _kind_of_last_line(path: Path, problems: Mapping[str, BadData]) -> str:
    """The kind that reads further into the file than all others, and more than a few rows."""
    lines = {kind: _line_of(problem, path) for kind, problem in problems.items()}
    best = max(lines, key=lambda kind: lines[kind])
    alone = list(lines.values()).count(lines[best]) == 1
    return best if alone and lines[best] >= _EARLIEST else ""


def _line_of(error: BadData, path: Path) -> int:
    """The line that an error names; 0 if it names none."""
    found = re.match(rf"{re.escape(str(path))}:(\d+): ", str(error))
    return int(found[1]) if found else 0


def _without_path(error: BadData, path: Path) -> str:
    return str(error).replace(str(path), "")
