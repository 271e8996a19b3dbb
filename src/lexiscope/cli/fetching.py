"""Fetching what a command names and what is not at hand."""

from collections.abc import Iterable


def fetch_named(names: Iterable[str], folder: str | None) -> None:
    """Fetch those names that the catalogue knows; others are files.

    A change behind @ is no part of a name, nor is the plus of a WordNet; any WordNet will do for
    the name without a number.
    """
    from lexiscope.cli.progress import progress
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.fetching import fetch
    from lexiscope.data.library import Library

    plain = [name.partition("@")[0].removesuffix("+") for name in names]
    wanted = dict.fromkeys("wordnet-3.1" if name == "wordnet" else name for name in plain)
    with progress(counts_bytes=True) as tell:
        for name in wanted:
            if name in catalogue():
                fetch(Library(folder), catalogue()[name], tell)
