"""What is at hand: the user's own folder, then the cache; every checksum looked at before use."""

import hashlib
import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.errors import BadData, NotAtHand
from lexiscope.data.catalogue import Entry, File, Origin, catalogue
from lexiscope.data.files import replacing
from lexiscope.data.packed import is_gzip, unpacked_sha256, unpacked_size
from lexiscope.data.unpacking import is_folder

_MOST_FILES = 100_000
_READ_PACKED = ("corpus", "lexicon", "properties", "texts")  # kinds whose readers know gzip


def cache_folder() -> Path:
    """Where fetched files are kept; LEXISCOPE_CACHE_DIR names another place."""
    named = os.environ.get("LEXISCOPE_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("lexiscope")


def is_offline() -> bool:
    """Whether LEXISCOPE_OFFLINE forbids every fetch."""
    return os.environ.get("LEXISCOPE_OFFLINE", "") not in ("", "0")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class State(NamedTuple):
    """What `verify` found: the file, and whether it is what the catalogue says."""

    path: Path
    good: bool


class Library:
    """Finds the files of catalogue entries. A folder the user names comes before the cache."""

    def __init__(self, folder: str | Path | None = None) -> None:
        named = folder or os.environ.get("LEXISCOPE_DATA_DIR") or None
        self.folder = Path(named) if named else None
        if self.folder is not None and not is_folder(self.folder):
            raise BadData(f"{self.folder}: the data folder does not exist.")
        self.cache = cache_folder()

    def find(self, entry: Entry) -> list[Path] | None:
        """The files of an entry, checked, or None when they are not at hand."""
        for candidates in (self._own, self._kept):  # whichever copy the user has comes first
            for origin in entry.sources:
                places = [_checked(candidates(entry, file), file) for file in origin.files]
                found = [place for place in places if place is not None]
                if len(found) == len(places):
                    return found
        return self._made(entry)

    def has(self, entry: Entry) -> bool:
        """Whether an entry seems to be at hand, or can be made (by names and sizes only)."""
        return (
            any(
                all(candidates(entry, file) for file in origin.files)
                for candidates in (self._own, self._kept)
                for origin in entry.sources
            )
            or any(self._has(origin.made_from) for origin in entry.sources if origin.made_from)
        ) and self._has_fillers(entry)

    def files(self, name: str) -> list[Path]:
        """The files of an entry; says how to get them when they are not at hand."""
        entry = catalogue()[name]
        found = self.find(entry)
        if found is None:
            raise NotAtHand(
                f"{name} ({entry.title}) is not at hand. Get it with: lexiscope data get {name}, "
                "or name the folder that it is in with --data-dir."
            )
        return found

    def vectors(self, name: str) -> Path:
        """An entry's vectors in our own format, which opens at once; made when first asked for."""
        from lexiscope.data.vectors import _native, load, save

        entry = catalogue()[name]
        prepared = self.cache / name / f"{name}.safetensors"
        sums = {origin.files[0].sha256 for origin in entry.sources}
        if prepared.exists() and _native.metadata_of(prepared).get("origin", "")[-64:] in sums:
            return prepared
        raw = self.files(name)[0]
        from dataclasses import replace

        origin = f"{raw.name} sha256 {sha256_of(raw)}"
        save(replace(load(raw, name=name), origin=origin), prepared)
        return prepared

    def fillers(self, name: str) -> Path:
        """The table of what fills the slots of a preference set; made when first asked for."""
        from lexiscope.data import making
        from lexiscope.data.wordnet import catalogued

        entry = catalogue()[name]
        if entry.fillers is None:
            raise BadData(f"{name}: has no slots to fill.")
        place = self._fillers_of(entry)
        if place.is_file() and sha256_of(place) == entry.fillers.sha256:
            return place
        items, corpus = self.files(name)[0], self.files(entry.fillers.corpus)
        wordnet = catalogued(entry.fillers.wordnet, self.files(entry.fillers.wordnet))
        content = making.fillers_of(items, name, corpus, wordnet)
        return _keep_made(place, content, entry.fillers.sha256)

    def kept(self, entry: Entry, origin: Origin) -> list[Path]:
        """Where the cache keeps (or will keep) the files of one source."""
        return [self.cache / entry.name / file.name for file in origin.files]

    def verify(self, entry: Entry) -> list[State]:
        """Look at every file of an entry that is in the cache."""
        states: list[State] = []
        for origin in entry.sources:
            for path, file in zip(self.kept(entry, origin), origin.files, strict=True):
                if path.exists() and path not in [state.path for state in states]:
                    wanted = {
                        f.sha256 for o in entry.sources for f in o.files if f.name == file.name
                    }
                    states.append(State(path, sha256_of(path) in wanted))
        place = self._fillers_of(entry)
        if entry.fillers is not None and place.is_file():
            states.append(State(place, sha256_of(place) == entry.fillers.sha256))
        return states

    def _made(self, entry: Entry) -> list[Path] | None:
        """An entry's file, made from another entry that is at hand."""
        from lexiscope.data import making
        from lexiscope.data.wordnet import catalogued

        for origin in entry.sources:
            source = self.find(catalogue()[origin.made_from]) if origin.made_from else None
            if source is not None:
                (file,) = origin.files
                content = making.dataset(origin.maker, catalogued(origin.made_from, source))
                return [_keep_made(self.cache / entry.name / file.name, content, file.sha256)]
        return None

    def _has(self, name: str) -> bool:
        return self.has(catalogue()[name])

    def _has_fillers(self, entry: Entry) -> bool:
        if entry.fillers is None or self._fillers_of(entry).is_file():
            return True
        return self._has(entry.fillers.corpus) and self._has(entry.fillers.wordnet)

    def _fillers_of(self, entry: Entry) -> Path:
        return self.cache / entry.name / "fillers.tsv"

    def _own(self, entry: Entry, file: File) -> list[Path]:
        places = self._by_size.get(file.size, [])
        packed = entry.kind in _READ_PACKED
        return [place for place in places if packed or place.stat().st_size == file.size]

    def _kept(self, entry: Entry, file: File) -> list[Path]:
        place = self.cache / entry.name / file.name
        return [place] if place.is_file() and place.stat().st_size == file.size else []

    @cached_property
    def _by_size(self) -> dict[int, list[Path]]:
        """The user's files by size, of gzip's the content's too; checksums decide, not names."""
        sizes: dict[int, list[Path]] = {}
        wanted = {f.size for e in catalogue().values() for o in e.sources for f in o.files}
        for place in _walk(self.folder):
            for size in _sizes(place) & wanted:
                sizes.setdefault(size, []).append(place)
        return sizes


def _sizes(place: Path) -> set[int]:
    """How long a file is, and how long what is packed in it; one that may not be read has none."""
    try:
        unpacked = {unpacked_size(place)} if place.suffix == ".gz" else set()
        return {place.stat().st_size} | unpacked
    except OSError:
        return set()


def _checked(places: list[Path], file: File) -> Path | None:
    """The first of these files that has the right checksum."""
    return next((place for place in places if _sum(place, file) == file.sha256), None)


def _sum(place: Path, file: File) -> str:
    """The checksum of a file, or of what is in it when only that can be the file looked for."""
    if place.stat().st_size == file.size or not is_gzip(place):
        return sha256_of(place)
    try:
        return unpacked_sha256(place, file.size)
    except BadData:  # broken, so it is not the file
        return ""


def _keep_made(place: Path, content: bytes, sha256: str) -> Path:
    """Keep a made file, if it is what the catalogue says it must be."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise BadData(
            f"{place}: what was made is not what the catalogue describes (SHA-256 {found}, not "
            f"{sha256}), so results would not compare. This is a fault of lexiscope; report it."
        )
    with replacing(place) as file:
        file.write(content)
    return place


def _walk(folder: Path | None) -> Iterable[Path]:
    if folder is None:
        return
    seen = 0
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            seen += 1
            if seen > _MOST_FILES:
                raise BadData(
                    f"{folder}: holds more than {_MOST_FILES:,} files; name a smaller one."
                )
            place = Path(root, name)
            if place.is_file():
                yield place
