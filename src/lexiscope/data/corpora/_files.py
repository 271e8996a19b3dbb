"""Texts in files and folders, possibly compressed."""

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lexiscope.core.contracts.trainer import RECORD_FORMAT
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.archives import bounded, decompressed, entry, is_zip, listed, tar_members
from lexiscope.data.corpora.gutenberg import without_licence

CHUNK = 1 << 18  # bytes to read at once

_COMPRESSED = (".gz", ".bz2", ".xz")
_NOT_TEXT = frozenset(
    """
    7z avi avif bin bmp checkpoint class db dll doc docx dylib epub exe feather flac gif glove h5
    heic hdf5 ico jar jpeg jpg key kv m4a mkv mobi mov mp3 mp4 mpeg mpg npy npz numbers o ods odp
    odt ogg opus otf pages parquet pdf pickle pkl png ppt pptx psd pt pyc rar rtf safetensors so
    sqlite sqlite-shm sqlite-wal sqlite3 svgz tar tgz tif tiff ttf vec w2v wasm wav webm webp wmv
    woff woff2 xls xlsx zst
    """.split()  # noqa: SIM905 - a list of strings would be a page long
)
_RECORD = re.compile(rb'\s*\{\s*"format"\s*:\s*"%b"' % RECORD_FORMAT.encode())
_WITH_WORD_LIST = (".npy", ".npy.gz", ".npy.bz2", ".npy.xz")


class Document(NamedTuple):
    """A text: its label for messages, its bytes, and how many bytes of its file were read."""

    label: str
    chunks: Iterator[bytes]
    done: Callable[[], int]


def files_below(folder: Path) -> list[Path]:
    """Return all files in a folder, recursively, without hidden ones, sorted by path."""
    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=_refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(root, name) for name in names if not name.startswith(".")]
    files = [path for path in found if path.is_file()]
    return sorted(files, key=lambda path: path.relative_to(folder).as_posix())


def texts_among(files: list[Path]) -> list[Path]:
    """Return the files that may be plain text and were not written by lexiscope."""
    return [path for path in files if not _reason_to_skip(path)]


def _reason_to_skip(path: Path) -> str:
    """Why a file in a folder is skipped; "" if it may be a text."""
    if not is_source(path.name):
        return "not plain text, by its ending"
    return "written by lexiscope, with trained vectors" if _is_ours(path) else ""


def _is_ours(path: Path) -> bool:
    """Whether it is the record of a training, vectors with a record, or their word list."""
    if path.suffix == ".words":
        return any(path.with_suffix(ending).is_file() for ending in _WITH_WORD_LIST)
    return _is_record(path) or _is_record(path.with_name(f"{path.name}.json"))


def _is_record(path: Path) -> bool:
    if path.suffix != ".json":
        return False
    try:
        with path.open("rb") as file:
            return _RECORD.match(file.read(200)) is not None
    except OSError:  # missing or unreadable: reported when it is read
        return False


def _refused(problem: OSError) -> None:
    raise BadData(f"{problem.filename}: cannot be read ({problem.strerror}).") from None


def folder_documents(folder: Path, files: list[Path], left_out: list[str]) -> Iterator[Document]:
    """Yield the texts in the files of a folder; skipped files are added to `left_out`."""
    before, texts = 0, 0
    for path in files:
        if why := _reason_to_skip(path):
            left_out.append(f"{path}: {why}. Left out.")
            continue
        for document in file_documents(path, "", left_out):
            texts += 1
            yield document._replace(done=partial(_sum, before, document.done))
        before += path.stat().st_size
    if not texts:
        raise BadData(
            f"{folder}: none of its {len(files):,} files is plain text, such as "
            f"{shown(files[0].name)}. Save or export them as plain text in UTF-8 first."
        )


def _sum(before: int, done: Callable[[], int]) -> int:
    return before + done()


def file_documents(path: Path, member: str, left_out: list[str]) -> Iterator[Document]:
    """Yield the text of a file, or those of an archive; `member` selects one.

    The licence of Project Gutenberg is left out, and noted in `left_out`.
    """
    try:
        file = path.open("rb")
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None
    with file:
        if is_zip(file):
            yield from _of_zip(path, file, member, left_out)
            return
        inner = decompressed(file)
        stream = file if inner is None else bounded(inner, file, str(path))
        if is_tar_name(path.name):
            yield from _of_tar(path, stream, file, member, left_out)
            return
        if member:
            raise BadData(
                f"{path}: is not a zip or tar archive, so it has no member '{shown(member)}'."
            )
        yield _document(str(path), stream, file, left_out)


def _of_zip(path: Path, file: BinaryIO, member: str, left_out: list[str]) -> Iterator[Document]:
    archive = listed(str(path), file)
    names = sorted(info.filename for info in archive.infolist() if not info.is_dir())
    if member and member not in names:
        raise BadData(f"{path}: has no member '{shown(member)}'.")
    texts = [member] if member else [name for name in names if not _is_hidden(name)]
    for name in texts:
        label = f"{path}#{shown(name, 200)}"
        if not is_text(name):
            left_out.append(f"{label}: not plain text, by its ending. Left out.")
        else:
            stream = bounded(entry(str(path), archive, name), file, label)
            yield _document(label, stream, file, left_out)


def _of_tar(
    path: Path, stream: BinaryIO, file: BinaryIO, member: str, left_out: list[str]
) -> Iterator[Document]:
    """Yield the texts of a tar archive in its order, which is read once."""
    found = False
    for name, content in tar_members(str(path), stream):
        if (member and name != member) or (not member and _is_hidden(name)):
            continue
        found = True
        label = f"{path}#{shown(name, 200)}"
        if is_text(name) or member:
            yield _document(label, content, file, left_out)
        else:
            left_out.append(f"{label}: not plain text, by its ending. Left out.")
    if not found:
        what = f"no member '{shown(member)}'" if member else "no file"
        raise BadData(f"{path}: has {what}.")


def _document(label: str, stream: BinaryIO, file: BinaryIO, notes: list[str]) -> Document:
    """A text, without the licence of Project Gutenberg; `file` says how much was read."""
    return Document(label, without_licence(_chunks(stream, label), label, notes), file.tell)


def _is_hidden(name: str) -> bool:
    """Whether a member of an archive is hidden or was added by macOS."""
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def is_tar_name(name: str) -> bool:
    """Whether a file is a tar archive, possibly compressed, by its name."""
    return name.lower().endswith((".tar", ".tgz", *(f".tar{ending}" for ending in _COMPRESSED)))


def is_source(name: str) -> bool:
    """Whether a file may be plain text, or a tar archive of texts, by its name."""
    return is_tar_name(name) or is_text(name)


def is_text(name: str) -> bool:
    """Whether a file may be plain text, possibly compressed, by its name."""
    inner = Path(name)
    if inner.suffix.lower() in _COMPRESSED:
        inner = Path(inner.stem)
    return inner.suffix.lower()[1:] not in _NOT_TEXT


def _chunks(stream: BinaryIO, label: str) -> Iterator[bytes]:
    try:
        while chunk := stream.read(CHUNK):
            yield chunk
    except OSError as problem:
        raise BadData(f"{label}: cannot be read ({problem.strerror}).") from None
