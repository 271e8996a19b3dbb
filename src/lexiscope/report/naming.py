"""File names that say what is in a figure, whatever its title holds."""

import re
from collections.abc import Iterable, Iterator

from lexiscope.report.layout import Figure, Section

_LONGEST = 80


def file_names(sections: Iterable[Section]) -> Iterator[tuple[str, Figure]]:
    """Every figure with a name of its own, without an ending."""
    figures = [(s.title, part) for s in sections for part in s.parts if isinstance(part, Figure)]
    for place, (section, figure) in enumerate(figures, 1):
        yield f"{place:02}-{plain(f'{section} {figure.title}')}", figure


def plain(text: str) -> str:
    """Lower-case ASCII letters, digits and hyphens: safe as a file name on any system."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")
