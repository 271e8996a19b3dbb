"""Downloads of the catalogue entries that a person names."""

from collections.abc import Iterable

from lexiscope.core.paths import exists
from lexiscope.data.catalogue import Entry, catalogue, chosen, suites
from lexiscope.data.local_data import LocalData, is_offline
from lexiscope.data.vectors.resolve import split_name


def missing_entries(names: Iterable[str | None], local_data: LocalData) -> list[Entry]:
    """Return the entries among the names and suites that are not available; others are files.

    `NAME=`, what follows `@`, and the plus of a WordNet are not part of a name. The name `wordnet`
    without a version is WordNet 3.1.
    """
    named = [split_name(name)[1] for name in names if name and not exists(name)]
    bare = [name.partition("@")[0].removesuffix("+") for name in named]
    wanted = dict.fromkeys("wordnet-3.1" if name == "wordnet" else name for name in bare)
    known = [name for name in wanted if name in catalogue() or name in suites()]
    return [entry for entry in chosen(known) if not local_data.is_available(entry)]


def entries_to_download(names: Iterable[str | None], local_data: LocalData) -> list[Entry]:
    """Return the missing entries; none offline: whatever needs a missing file reports it."""
    return [] if is_offline() else missing_entries(names, local_data)


def suite_members(names: Iterable[str | None]) -> set[str]:
    """Return the names of the entries that are named only by a suite."""
    given = {split_name(name)[1] for name in names if name and not exists(name)}
    found = {entry.name for name in given & set(suites()) for entry in suites()[name]}
    return found - given
