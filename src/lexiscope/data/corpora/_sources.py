"""Sources of texts: files, folders, archives, standard input and the catalogue."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.paths import exists
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.data.corpora._files import (
    CHUNK,
    Document,
    file_documents,
    files_below,
    folder_documents,
    is_source,
    texts_among,
)
from lexiscope.data.local_data import LocalData

Source = str | os.PathLike[str]


class Location(NamedTuple):
    """A source of documents; `size` is in bytes, or None if it is unknown."""

    name: str
    size: int | None
    documents: Callable[
        [list[str]], Iterator[Document]
    ]  # parameter: list to which skipped files are added
    files: int = 1


def locate(sources: Source | Sequence[Source], local_data: LocalData | None) -> list[Location]:
    """Return the location of each source; a missing source is an error."""
    given = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    if not given:
        raise BadUsage("No text is given: give a file, a folder, - or a name of the catalogue.")
    if given.count("-") > 1:
        raise BadUsage("Standard input (-) can be read only once.")
    return [_location(source, local_data) for source in given]


def files_of(source: Source, local_data: LocalData | None = None) -> list[Path]:
    """Return the files of a source in the order of reading; none for standard input."""
    if source == "-":
        return []
    found = _entry(source)
    if found is not None:
        return (local_data or LocalData()).paths(found.name)
    path = _path(source)
    return texts_among(files_below(path)) if path.is_dir() else [path]


def _location(source: Source, local_data: LocalData | None) -> Location:
    if source == "-":
        return Location("standard input", None, _from_stdin)
    found = _entry(source)
    if found is not None:
        return _from_catalogue(found, (local_data or LocalData()).paths(found.name))
    path = _path(source)
    if not exists(path):
        raise _missing(os.fspath(source))
    if path.is_dir():
        return _from_folder(path)
    if not path.is_file():
        raise BadData(f"{path}: is a device or a pipe. Read it from standard input, as '-'.")
    if not is_source(path.name):
        raise BadData(
            f"{path}: a file with this ending is not plain text. "
            "Save or export it as plain text in UTF-8 first."
        )
    return Location(path.name, path.stat().st_size, partial(file_documents, path, _member(source)))


def _entry(source: Source) -> Entry | None:
    """The catalogue entry of a source, or None if it is a path."""
    text = os.fspath(source)
    if isinstance(source, os.PathLike) or exists(_outer(source)):
        return None
    if text not in catalogue():
        return None
    found = catalogue()[text]
    if found.kind != "corpus":
        raise BadData(f"{text}: is a catalogue entry of the kind {found.kind}, not a corpus.")
    return found


def _path(source: Source) -> Path:
    """The path of a file or folder; an empty name would mean the current folder."""
    outer = _outer(source)
    if not outer:
        raise BadUsage(
            "The name of a text is empty. Give a file or folder; . is the current folder."
        )
    return Path(outer)


def _outer(source: Source) -> str:
    """The path of a source, without the member in `archive.zip#member`."""
    text = os.fspath(source)
    return text if exists(text) else text.partition("#")[0]


def _member(source: Source) -> str:
    return os.fspath(source)[len(_outer(source)) + 1 :]


def _from_stdin(left_out: list[str]) -> Iterator[Document]:
    done = 0
    source = _standard_input()

    def chunks() -> Iterator[bytes]:
        nonlocal done
        while chunk := source.read(CHUNK):
            done += len(chunk)
            yield chunk

    yield Document("standard input", chunks(), lambda: done)


def _standard_input() -> BinaryIO:
    """Standard input without Python's buffer, whose lock would block interrupts."""
    try:
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    except OSError:  # not a file, as in a notebook
        return sys.stdin.buffer


def _from_catalogue(found: Entry, paths: Sequence[Path]) -> Location:
    size = sum(path.stat().st_size for path in paths)
    return Location(found.name, size, partial(_documents, found, paths, size), len(paths))


def _documents(
    found: Entry, paths: Sequence[Path], size: int, left_out: list[str]
) -> Iterator[Document]:
    from lexiscope.data.corpora.published import documents

    done = 0
    for number, content in enumerate(documents(found, paths), 1):
        done = min(size, done + len(content))
        parts = (content[at : at + CHUNK] for at in range(0, len(content), CHUNK))
        yield Document(f"{found.name}, document {number:,}", parts, partial(int, done))


def _missing(text: str) -> BadData:
    known = [entry.name for entry in catalogue().values() if entry.kind == "corpus"]
    near = get_close_matches(text, known, n=1)
    suggestion = f" Did you mean '{near[0]}'?" if near else ""
    return BadData(
        f"{shown(text, 300)}: there is no file, folder or catalogue corpus of this "
        f"name.{suggestion} Available: {', '.join(known)}."
    )


def _from_folder(folder: Path) -> Location:
    files = files_below(folder)
    if not files:
        raise BadData(f"{folder}: contains no readable file.")
    # Only texts count, so that vectors written into the folder change nothing.
    texts = texts_among(files)
    size = sum(path.stat().st_size for path in texts)
    return Location(
        folder.resolve().name, size, partial(folder_documents, folder, files), len(texts)
    )
