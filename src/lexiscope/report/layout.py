"""The elements of a page: sections with text, tables and figures."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of text; the columns in `numeric` are aligned to the right."""

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
    """A section of the page; `flags` are warnings in red, `notes` in yellow, `code` is BibTeX."""

    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Table | Figure, ...] = ()
    code: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
