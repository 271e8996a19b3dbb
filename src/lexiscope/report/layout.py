"""The elements of a page: sections with text, tables and figures."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_LONGEST_NAME = 80


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


def file_names(sections: Iterable[Section]) -> Iterator[tuple[str, Figure]]:
    """Each figure with a unique file name without extension."""
    figures = [(s.title, part) for s in sections for part in s.parts if isinstance(part, Figure)]
    for number, (section, figure) in enumerate(figures, 1):
        yield f"{number:02}-{slug(f'{section} {figure.title}')}", figure


def slug(text: str) -> str:
    """Lower-case ASCII letters, digits and hyphens: safe as a file name on any system."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST_NAME].strip("-")
