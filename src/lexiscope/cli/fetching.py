"""Fetching what a command names and what is not at hand."""

from collections.abc import Iterable


def fetch_named(names: Iterable[str], folder: str | None) -> None:
    """Fetch those names that the catalogue knows; others are files."""
    from lexiscope.cli.progress import progress
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.fetching import fetch
    from lexiscope.data.library import Library

    with progress(counts_bytes=True) as tell:
        for name in names:
            if name in catalogue():
                fetch(Library(folder), catalogue()[name], tell)
