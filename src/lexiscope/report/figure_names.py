"""File names of figures, safe whatever the titles contain."""

import re
from collections.abc import Iterable, Iterator

from lexiscope.report.layout import Figure, Section

_LONGEST = 80


def file_names(sections: Iterable[Section]) -> Iterator[tuple[str, Figure]]:
    """Each figure with a unique file name without extension."""
    figures = [(s.title, part) for s in sections for part in s.parts if isinstance(part, Figure)]
    for number, (section, figure) in enumerate(figures, 1):
        yield f"{number:02}-{slug(f'{section} {figure.title}')}", figure


def slug(text: str) -> str:
    """Lower-case ASCII letters, digits and hyphens: safe as a file name on any system."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")
