"""Where texts come from: files and folders, packed or not, standard input, the catalogue."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.data.corpora._files import (
    CHUNK,
    Document,
    files_below,
    is_text,
    of_file,
    of_files,
    texts_among,
)
from lexiscope.data.library import Library
from lexiscope.data.unpacking import exists, is_folder

Source = str | os.PathLike[str]


class Place(NamedTuple):
    """Something that holds documents; `size` is in bytes, None where no one knows."""

    name: str
    size: int | None
    documents: Callable[[list[str]], Iterator[Document]]  # takes the list of what is left out
    files: int = 1


def places(sources: Source | Sequence[Source], library: Library | None) -> list[Place]:
    """Each source as a place that is there."""
    given = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    if not given:
        raise BadUsage("No text was named: a file, a folder, - or a name of the catalogue.")
    if given.count("-") > 1:
        raise BadUsage("Standard input (-) can be read only once.")
    return [_place(source, library) for source in given]


def files_of(source: Source, library: Library | None = None) -> list[Path]:
    """The files that a source stands for, in the order of reading; none for standard input."""
    if source == "-":
        return []
    found = _entry(source)
    if found is not None:
        return (library or Library()).files(found.name)
    path = _path(source)
    return texts_among(files_below(path)) if is_folder(path) else [path]


def _place(source: Source, library: Library | None) -> Place:
    if source == "-":
        return Place("standard input", None, _of_stdin)
    found = _entry(source)
    if found is not None:
        return _of_catalogue(found, (library or Library()).files(found.name))
    path = _path(source)
    if not exists(path):
        raise _missing(os.fspath(source))
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise BadData(f"{path}: is a device or a pipe. Read it from standard input, as '-'.")
    if not is_text(path.name):
        raise BadData(
            f"{path}: a file with this ending is no plain text. "
            "Save or export it as plain text in UTF-8 first."
        )
    return Place(path.name, path.stat().st_size, partial(of_file, path, _member(source)))


def _entry(source: Source) -> Entry | None:
    """The entry of the catalogue that is meant, if it is no path."""
    text = os.fspath(source)
    if isinstance(source, os.PathLike) or exists(_outer(source)):
        return None
    if text not in catalogue():
        return None
    found = catalogue()[text]
    if found.kind != "corpus":
        raise BadData(f"{text}: is a catalogue entry of {found.kind}, not a corpus.")
    return found


def _path(source: Source) -> Path:
    """Where the file or folder is; an empty name would stand for the folder one is in."""
    outer = _outer(source)
    if not outer:
        raise BadUsage("The name of a text is empty. Name a file or folder; . is this folder.")
    return Path(outer)


def _outer(source: Source) -> str:
    """The path of a source; `archive.zip#member` has one as well."""
    text = os.fspath(source)
    return text if exists(text) else text.partition("#")[0]


def _member(source: Source) -> str:
    return os.fspath(source)[len(_outer(source)) + 1 :]


def _of_stdin(left_out: list[str]) -> Iterator[Document]:
    done = 0
    source = _standard_input()

    def chunks() -> Iterator[bytes]:
        nonlocal done
        while chunk := source.read(CHUNK):
            done += len(chunk)
            yield chunk

    yield Document("standard input", chunks(), lambda: done)


def _standard_input() -> BinaryIO:
    """Standard input without Python's buffer, whose lock would not let an interrupt through."""
    try:
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    except OSError:  # no file, as in a notebook
        return sys.stdin.buffer


def _of_catalogue(found: Entry, paths: Sequence[Path]) -> Place:
    size = sum(path.stat().st_size for path in paths)
    return Place(found.name, size, partial(_catalogued, found, paths, size), len(paths))


def _catalogued(
    found: Entry, paths: Sequence[Path], size: int, left_out: list[str]
) -> Iterator[Document]:
    from lexiscope.data.corpora._catalogued import documents

    done = 0
    for number, content in enumerate(documents(found, paths), 1):
        done = min(size, done + len(content))
        parts = (content[at : at + CHUNK] for at in range(0, len(content), CHUNK))
        yield Document(f"{found.name}, document {number:,}", parts, partial(int, done))


def _missing(text: str) -> BadData:
    known = [entry.name for entry in catalogue().values() if entry.kind == "corpus"]
    near = get_close_matches(text, known, n=1)
    meant = f" Did you mean '{near[0]}'?" if near else ""
    return BadData(
        f"{shown(text, 300)}: there is no such file or folder, nor a corpus of this name in the "
        f"catalogue.{meant} Known: {', '.join(known)}."
    )


def _of_folder(folder: Path) -> Place:
    files = files_below(folder)
    if not files:
        raise BadData(f"{folder}: holds no file that could be read.")
    # What is not read does not count, so that vectors written into the folder change nothing.
    texts = texts_among(files)
    size = sum(path.stat().st_size for path in texts)
    return Place(folder.resolve().name, size, partial(of_files, folder, files), len(texts))
