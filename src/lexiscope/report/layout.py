"""What a page is made of: sections that hold text, tables and charts."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of text; the columns in `numeric` are set to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    folded: bool = False
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A chart and the table of its data."""

    title: str
    spec: dict[str, Any]
    table: Table


@dataclass(frozen=True)
class Section:
    """A part of the page; `flags` are what a reader must not miss."""

    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Table | Figure, ...] = ()
    code: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
