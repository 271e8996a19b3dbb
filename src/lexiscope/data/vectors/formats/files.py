"""Opening vector files: plain, compressed, or a member of an archive, with size limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.core.paths import exists
from lexiscope.data.archives import bounded, decompressed, entry, is_zip, listed
from lexiscope.data.vectors.formats.stream import HEAD, Source


@contextmanager
def opened(source: str) -> Iterator[Source]:
    """Open a file, decompressed if needed; `path.zip#member` selects a member."""
    path, _, member = (source, "", "") if exists(source) else source.partition("#")
    _check_path(path)
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None
    with file:
        inner = _unpacked(path, file, member)
        plain = inner is file
        stream = file if plain else bounded(inner, file, path)
        head = stream.read(HEAD)
        # Only the size of a plain file is reliable; that in an archive can be wrong.
        size = Path(path).stat().st_size if plain else None
        yield Source(source, stream, head, size)


def _check_path(path: str) -> None:
    if not exists(path):
        raise BadData(
            f"{shown(path, 300)}: there is no such file. "
            "Catalogue names are listed by: lexiscope data list."
        )
    if Path(path).is_dir():
        raise BadData(f"{path}: is a folder; give a vector file.")
    if not Path(path).is_file():
        raise BadData(f"{path}: is a device or a pipe; give a vector file.")


def _unpacked(path: str, file: BinaryIO, member: str) -> Any:
    inner = decompressed(file)
    if inner is not None:
        return inner
    if is_zip(file):
        return _one_member(path, file, member)
    if member:
        raise BadData(f"{path}: is not a zip archive, so it has no member '{shown(member)}'.")
    return file


def _one_member(path: str, file: BinaryIO, wanted: str) -> Any:
    archive = listed(path, file)
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if any(name.endswith(".pkl") for name in names):
        raise UnsafeFormat(
            f"{path}: contains pickled objects (a PyTorch file?), which can run code when opened. "
            "Save the matrix as .npz or .safetensors in the program that wrote it."
        )
    if names and all(name.endswith(".npy") for name in names):
        file.seek(0)
        return file  # an .npz file: its reader needs the whole archive
    return entry(path, archive, _chosen(path, names, wanted))


def _chosen(path: str, names: list[str], wanted: str) -> str:
    if wanted and wanted not in names:
        raise BadData(f"{path}: has no member '{shown(wanted)}'. It contains: {_some(names)}.")
    if wanted or len(names) == 1:
        return wanted or names[0]
    raise BadData(
        f"{path}: contains {len(names)} files, expected one: {_some(names)}. "
        f"Select one with '{path}#NAME'."
    )


def _some(names: list[str]) -> str:
    listing = ", ".join(shown(name) for name in names[:8])
    return listing + (", ..." if len(names) > 8 else "") if names else "nothing"
