"""Entries of the catalogue by language."""

import sys
from collections.abc import Iterable, Sequence

from lexiscope.core.errors import BadUsage, NotDownloaded
from lexiscope.core.languages import language_name, language_tag, speaks
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.data.local_data import LocalData, is_offline

ENGLISH = "en"


def entries_in(language: str, entries: Iterable[Entry] | None = None) -> list[Entry]:
    """Return the entries in a language, of the whole catalogue by default; an error if none is."""
    tag, known = language_tag(language), list(catalogue().values() if entries is None else entries)
    found = [entry for entry in known if speaks(entry.language, tag)]
    if not found:
        tags = sorted({entry.language for entry in known})
        raise BadUsage(
            f"The catalogue has no such data in {language_name(tag)} ({tag}). "
            f"Languages: {', '.join(tags)}."
        )
    return found


def available_in(entries: Sequence[Entry], language: str, local_data: LocalData) -> list[Entry]:
    """Return the entries in a language that are available, after downloading the others.

    Without a language, only what is available locally in English. What cannot be downloaded is
    named on standard error.
    """
    found = entries_in(language or ENGLISH, entries)
    if language and not is_offline():
        _fetch(found, local_data)
    return [entry for entry in found if local_data.is_available(entry)]


def _fetch(entries: Iterable[Entry], local_data: LocalData) -> None:
    for entry in entries:
        if local_data.is_available(entry):
            continue
        print(f"Downloading {entry.name} ({entry.title}).", file=sys.stderr, flush=True)
        try:
            local_data.paths(entry.name)
        except NotDownloaded as problem:
            print(f"Left out: {problem}", file=sys.stderr, flush=True)
