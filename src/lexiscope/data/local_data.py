"""Catalogue files that are available locally: in the user's folder or in the download cache.

Every checksum is verified before a file is used.
"""

import hashlib
import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexiscope.core.errors import BadData, NotDownloaded
from lexiscope.core.paths import is_folder
from lexiscope.data.archive_members import is_gzip, unpacked_sha256, unpacked_size
from lexiscope.data.atomic_write import replacing
from lexiscope.data.catalogue import Entry, File, Origin, catalogue

if TYPE_CHECKING:
    from lexiscope.data.thesaurus import Thesaurus
    from lexiscope.data.wordnet import WordNet

_MOST_FILES = 100_000
_READ_COMPRESSED = ("corpus", "lexicon", "properties", "texts")  # kinds whose readers accept gzip


def cache_folder() -> Path:
    """Return the download cache; LEXISCOPE_CACHE_DIR names another folder."""
    named = os.environ.get("LEXISCOPE_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("lexiscope")


def is_offline() -> bool:
    """Whether LEXISCOPE_OFFLINE forbids downloads."""
    return os.environ.get("LEXISCOPE_OFFLINE", "") not in ("", "0")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def record_checksum(path: Path) -> None:
    """Write the checksum of a file of ours into a file beside it, for `is_intact`."""
    with replacing(_checksum_path(path)) as file:
        file.write(f"{sha256_of(path)}  {path.name}\n".encode())


def is_intact(path: Path) -> bool:
    """Whether a file of ours has the checksum that was recorded when it was written."""
    try:
        recorded = _checksum_path(path).read_text("utf-8", "replace")
    except OSError:
        return False
    return recorded.partition(" ")[0] == sha256_of(path)


def _checksum_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


class FileCheck(NamedTuple):
    """A cached file, and whether its checksum is the one in the catalogue."""

    path: Path
    valid: bool


class LocalData:
    """Finds the files of catalogue entries.

    Parameters
    ----------
    folder : str or Path, optional
        A folder with the user's own copies, searched before the cache. The default is the
        folder in LEXISCOPE_DATA_DIR, if it is set.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        named = folder or os.environ.get("LEXISCOPE_DATA_DIR") or None
        self.folder = Path(named) if named else None
        if self.folder is not None and not is_folder(self.folder):
            raise BadData(f"{self.folder}: the data folder does not exist.")
        self.cache = cache_folder()

    def find(self, entry: Entry) -> list[Path] | None:
        """Return the files of an entry with verified checksums; None if they are not available."""
        for candidates in (self._in_folder, self._in_cache):
            for origin in entry.sources:
                paths = [_with_checksum(candidates(entry, file), file) for file in origin.files]
                found = [path for path in paths if path is not None]
                if len(found) == len(paths):
                    return found
        return self._derived(entry)

    def is_available(self, entry: Entry) -> bool:
        """Whether an entry is available or can be derived, judged by names and sizes only."""
        return (
            any(
                all(candidates(entry, file) for file in origin.files)
                for candidates in (self._in_folder, self._in_cache)
                for origin in entry.sources
            )
            or any(
                self._has(origin.derived_from) for origin in entry.sources if origin.derived_from
            )
        ) and self._has_fillers(entry)

    def paths(self, name: str) -> list[Path]:
        """Return the files of an entry, downloaded if needed and allowed."""
        entry = catalogue()[name]
        found = self.find(entry)
        if found is not None:
            return found
        if is_offline():
            raise NotDownloaded(
                f"{name} ({entry.title}) is not downloaded, and downloads are off (--offline or "
                f"LEXISCOPE_OFFLINE). Get it with: lexiscope data get {name}, or name the folder "
                "that it is in with --data-dir."
            )
        from lexiscope.data.download import fetch  # which reads and fills the cache

        return fetch(self, entry)

    def fillers_path(self, name: str) -> Path:
        """Return the table of slot fillers of a preference dataset; derived on first use."""
        from lexiscope.data import derived
        from lexiscope.data.wordnet import load_entry

        entry = catalogue()[name]
        if entry.fillers is None:
            raise BadData(f"{name}: has no slots to fill.")
        path = self._fillers_of(entry)
        if path.is_file() and sha256_of(path) == entry.fillers.sha256:
            return path
        items, corpus = self.paths(name)[0], self.paths(entry.fillers.corpus)
        wordnet = load_entry(entry.fillers.wordnet, self.paths(entry.fillers.wordnet))
        content = derived.fillers_table(items, name, corpus, wordnet)
        return _write_derived(path, content, entry.fillers.sha256)

    def cached_paths(self, entry: Entry, origin: Origin) -> list[Path]:
        """Return where the cache stores the files of one source, present or not."""
        return [self.cache / entry.name / file.name for file in origin.files]

    def converted_path(self, entry: Entry) -> Path:
        """Return where the cache stores the vectors of an entry in our own format."""
        return self.cache / entry.name / f"{entry.name}.safetensors"

    def verify(self, entry: Entry) -> list[FileCheck]:
        """Check every file of an entry that is in the cache."""
        checks: list[FileCheck] = []
        for origin in entry.sources:
            for path, file in zip(self.cached_paths(entry, origin), origin.files, strict=True):
                if path.exists() and path not in [check.path for check in checks]:
                    wanted = {
                        f.sha256 for o in entry.sources for f in o.files if f.name == file.name
                    }
                    checks.append(FileCheck(path, sha256_of(path) in wanted))
        path = self._fillers_of(entry)
        if entry.fillers is not None and path.is_file():
            checks.append(FileCheck(path, sha256_of(path) == entry.fillers.sha256))
        path = self.converted_path(entry)
        if entry.kind == "vectors" and path.is_file():
            checks.append(FileCheck(path, is_intact(path)))
        return checks

    def _derived(self, entry: Entry) -> list[Path] | None:
        """The file of an entry, derived from another entry that is available."""
        from lexiscope.data import derived

        for origin in entry.sources:
            source = self.find(catalogue()[origin.derived_from]) if origin.derived_from else None
            if source is not None:
                (file,) = origin.files
                content = derived.dataset(origin.recipe, _read(origin.derived_from, source))
                return [_write_derived(self.cache / entry.name / file.name, content, file.sha256)]
        return None

    def _has(self, name: str) -> bool:
        return self.is_available(catalogue()[name])

    def _has_fillers(self, entry: Entry) -> bool:
        if entry.fillers is None or self._fillers_of(entry).is_file():
            return True
        return self._has(entry.fillers.corpus) and self._has(entry.fillers.wordnet)

    def _fillers_of(self, entry: Entry) -> Path:
        return self.cache / entry.name / "fillers.tsv"

    def _in_folder(self, entry: Entry, file: File) -> list[Path]:
        paths = self._by_size.get(file.size, [])
        compressed = entry.kind in _READ_COMPRESSED
        return [path for path in paths if compressed or path.stat().st_size == file.size]

    def _in_cache(self, entry: Entry, file: File) -> list[Path]:
        path = self.cache / entry.name / file.name
        return [path] if path.is_file() and path.stat().st_size == file.size else []

    @cached_property
    def _by_size(self) -> dict[int, list[Path]]:
        """The user's files by size, gzip files also by the size of their content.

        Files are identified by checksum, so their names do not matter.
        """
        sizes: dict[int, list[Path]] = {}
        wanted = {f.size for e in catalogue().values() for o in e.sources for f in o.files}
        for path in _walk(self.folder):
            for size in _sizes(path) & wanted:
                sizes.setdefault(size, []).append(path)
        return sizes


def _read(name: str, paths: list[Path]) -> "WordNet | Thesaurus":
    """The WordNet or the thesaurus of an entry, from its files."""
    from lexiscope.data import thesaurus
    from lexiscope.data.wordnet import load_entry

    is_thesaurus = catalogue()[name].kind == "thesaurus"
    return thesaurus.read(paths[0]) if is_thesaurus else load_entry(name, paths)


def _sizes(path: Path) -> set[int]:
    """The size of a file, and that of its content if it is gzip; none if it is unreadable."""
    try:
        unpacked = {unpacked_size(path)} if path.suffix == ".gz" else set()
        return {path.stat().st_size} | unpacked
    except OSError:
        return set()


def _with_checksum(paths: list[Path], file: File) -> Path | None:
    """The first of these files that has the right checksum."""
    return next((path for path in paths if _checksum(path, file) == file.sha256), None)


def _checksum(path: Path, file: File) -> str:
    """The checksum of a file, or of its content if only that has the right size."""
    if path.stat().st_size == file.size or not is_gzip(path):
        return sha256_of(path)
    try:
        return unpacked_sha256(path, file.size)
    except BadData:  # broken, so it is not the file
        return ""


def _write_derived(path: Path, content: bytes, sha256: str) -> Path:
    """Write a derived file, if its checksum is the one in the catalogue."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise BadData(
            f"{path}: the derived file is not the one that the catalogue describes (SHA-256 "
            f"{found}, not {sha256}), so results would not be comparable. This is a bug in "
            "lexiscope; please report it."
        )
    with replacing(path) as file:
        file.write(content)
    return path


def _walk(folder: Path | None) -> Iterable[Path]:
    if folder is None:
        return
    seen = 0
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            seen += 1
            if seen > _MOST_FILES:
                raise BadData(
                    f"{folder}: holds more than {_MOST_FILES:,} files; name a smaller folder."
                )
            path = Path(root, name)
            if path.is_file():
                yield path
