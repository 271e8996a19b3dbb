"""Entries of the catalogue by language."""

from collections.abc import Iterable, Sequence

from lexiscope.core.errors import BadUsage, NotDownloaded
from lexiscope.core.languages import language_name, language_tag, speaks
from lexiscope.core.notices import notice
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
    if language:
        return downloaded(found, local_data)
    return [entry for entry in found if local_data.is_available(entry)]


def downloaded(entries: Sequence[Entry], local_data: LocalData) -> list[Entry]:
    """Return the entries that are available, after downloading the others if that is allowed.

    What is left out is named on standard error.
    """
    if not is_offline():
        _fetch(entries, local_data)
    available = [entry for entry in entries if local_data.is_available(entry)]
    if is_offline() and len(available) < len(entries):
        absent = ", ".join(entry.name for entry in entries if entry not in available)
        notice(f"Left out, because downloads are off and these are not downloaded: {absent}.")
    return available


def _fetch(entries: Iterable[Entry], local_data: LocalData) -> None:
    for entry in entries:
        if local_data.is_available(entry):
            continue
        try:
            local_data.paths(entry.name)
        except NotDownloaded as problem:
            notice(f"Left out: {problem}")
