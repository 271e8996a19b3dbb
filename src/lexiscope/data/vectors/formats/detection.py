"""Detection of the format of a vector file, from its content."""

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.core.paths import is_folder
from lexiscope.data.vectors.formats import (
    arrays,
    columnar,
    fasttext_binary,
    floret,
    folders,
    native,
    text,
    text_layout,
    wink,
    word2vec_binary,
)
from lexiscope.data.vectors.formats.files import opened
from lexiscope.data.vectors.formats.gensim import models as gensim_models
from lexiscope.data.vectors.formats.stream import Settings, Source
from lexiscope.data.vectors.subwords.composition import with_composed

_MAGIC: tuple[tuple[bytes, Callable[[Source, Settings], Embedding]], ...] = (
    *((bytes([0x80, protocol]), gensim_models.read) for protocol in range(6)),
    (fasttext_binary.MAGIC, fasttext_binary.read),
    (b"\x93NUMPY", arrays.read_npy),
    (b"PK\x03\x04", arrays.read_npz),
)
_ENDINGS = re.compile(
    r"(\.(gz|bz2|xz|zip|txt|vec|bin|npy|npz|safetensors|w2v|json|words|kv|model|mdl|parquet|arrow"
    r"|feather|floret))+$",
    re.I,
)
_INNER_FOLDERS = ("", "vocab", "0_StaticEmbedding")
_LONGEST_HEADER = 100_000_000


def read(path: str, settings: Settings, name: str | None) -> Embedding:
    """Read the embedding in a file."""
    if is_folder(path):
        embedding = folders.read(path, settings)
    else:
        with opened(path) as source:
            embedding = _reader(source)(source, settings)
    name = name or embedding.name or name_of(path)
    named = replace(embedding, name=name, origin=embedding.origin or Path(path).name)
    return with_composed(named, settings.words, path)


def name_of(path: str) -> str:
    """Return a name for the embedding: the file name without its endings."""
    file = Path(path.partition("#")[2] or path)
    last = file.resolve().parent.name if file.name in _INNER_FOLDERS else file.name
    return shown(_ENDINGS.sub("", last) or last)


def _reader(source: Source) -> Callable[[Source, Settings], Embedding]:
    head, path = source.head, source.path
    if not head:
        raise BadData(f"{path}: is empty; give a vector file.")
    if _is_native(head):  # checked first: its length can look like the magic number of another
        return native.read
    for magic, reader in _MAGIC:
        if head.startswith(magic):
            return reader
    _refuse_joblib(path, head)
    _refuse_other_files(path, head)
    if head[:1] == b"{" and b'"l2NormIndex"' in head[:200]:
        return wink.read
    if columnar.looks_columnar(head) and not _is_text_row(head):
        return columnar.read
    if floret.looks_floret(head):
        return floret.read
    return word2vec_binary.read if word2vec_binary.looks_binary(source) else text.read


def _is_native(head: bytes) -> bool:
    """Whether these are the first bytes of a safetensors file: a length, then a JSON header."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") < _LONGEST_HEADER


def _refuse_joblib(path: str, head: bytes) -> None:
    if _is_zlib(head):
        raise UnsafeFormat(
            f"{path}: is a pickle of joblib, which can run code when opened. Save the vectors in "
            "the program that wrote it as .npz or .safetensors."
        )


def _is_zlib(head: bytes) -> bool:
    # A word can begin with these bytes too, so try to decompress.
    if head[:2] not in (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"):
        return False
    try:
        return bool(zlib.decompressobj().decompress(head, 1))
    except zlib.error:
        return False


_FOREIGN = (
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"%PDF", "a PDF document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"\x1f\x8b", "compressed twice"),
    (b"BZh91AY", "compressed twice"),
    (b"\xfd7zXZ", "compressed twice"),
)


def _is_text_row(head: bytes) -> bool:
    return bool(text_layout.numbers_at_the_end(head[:4096].partition(b"\n")[0], 32))


def _refuse_other_files(path: str, head: bytes) -> None:
    if _is_text_row(head):
        return  # words such as PAR1 and <html can begin a row of numbers
    for magic, what in _FOREIGN:
        if head.startswith(magic):
            raise BadData(
                f"{path}: is {what}, not a vector file. Save the vectors as text or .npz."
            )
    if head[257:262] == b"ustar":
        raise BadData(f"{path}: is a tar archive. Unpack it and give the vector file.")
    start = head[:512].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise BadData(f"{path}: is a web page; the download failed. Download the file again.")
    if start.startswith(b"version https://git-lfs"):
        raise BadData(f"{path}: is a Git LFS pointer, not the file itself. Run 'git lfs pull'.")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadData(
            f"{path}: is UTF-16 text. Convert it to UTF-8 first (iconv -f utf-16 -t utf-8)."
        )
