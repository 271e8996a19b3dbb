"""The elements of a page: sections with text, tables and figures."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

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
class Bar:
    """A point on a line, in per cent of the width; hollow if it is not comparable with others."""

    value: float
    low: float | None = None
    high: float | None = None
    hollow: bool = False


@dataclass(frozen=True)
class GridCell:
    """A score with its interval as a bar; `lack` is the proportion of items not covered.

    `about` has the interval and the coverage as text; `value` sorts a column.
    """

    score: str
    letters: str = ""
    bar: Bar | None = None
    best: bool = False
    lack: float = 0.0
    about: str = ""
    value: float | None = None


@dataclass(frozen=True)
class GridColumn:
    """A column of a grid; neighbours of one `group` share a heading."""

    name: str
    group: str = ""
    note: str = ""


@dataclass(frozen=True)
class GridRow:
    """A row of a grid: a name, a note, cells; neighbours of one `group` have a heading."""

    name: str
    note: str
    cells: tuple[GridCell | None, ...]
    group: str = ""


@dataclass(frozen=True)
class Grid:
    """Embeddings x datasets, sortable by column; `corner` and `note_head` head the first two."""

    caption: str
    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]
    corner: str
    note_head: str = ""


Tone = Literal["", "win", "loss", "even"]


@dataclass(frozen=True)
class MatrixCell:
    """Wins and losses of the row against the column; `share` of the datasets is its shade."""

    text: str
    tone: Tone = ""
    share: float = 0.0
    about: str = ""


@dataclass(frozen=True)
class Matrix:
    """A square table of embeddings against embeddings."""

    caption: str
    names: tuple[str, ...]
    rows: tuple[tuple[MatrixCell, ...], ...]


@dataclass(frozen=True)
class ForestRow:
    """A line of a forest plot."""

    name: str
    bar: Bar | None
    score: str
    interval: str
    letters: str = ""
    best: bool = False


@dataclass(frozen=True)
class Panel:
    """The lines of one evaluation; `ticks` are positions in per cent and their labels."""

    title: str
    note: str
    rows: tuple[ForestRow, ...]
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Forest:
    """Forest plots next to each other."""

    panels: tuple[Panel, ...]


Part = Table | Figure | Grid | Matrix | Forest


@dataclass(frozen=True)
class Section:
    """A section of a page.

    `flags` are warnings that limit a result and are always visible; `notes` are counted in one line
    and folded. `code` is BibTeX. A `folded` section shows its title and its `abstract` until it is
    opened.
    """

    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    code: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    folded: bool = False
    abstract: str = ""


def file_names(sections: Iterable[Section]) -> Iterator[tuple[str, Figure]]:
    """Each figure with a unique file name without extension."""
    figures = [(s.title, part) for s in sections for part in s.parts if isinstance(part, Figure)]
    for number, (section, figure) in enumerate(figures, 1):
        yield f"{number:02}-{slug(f'{section} {figure.title}')}", figure


def slug(text: str) -> str:
    """Lower-case ASCII letters, digits and hyphens: safe as a file name on any system."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST_NAME].strip("-")
