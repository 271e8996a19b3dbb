"""Detection of the format of a vector file, from its content."""

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.data.vectors.formats import arrays, native, text, wink, word2vec_binary
from lexiscope.data.vectors.formats.files import opened
from lexiscope.data.vectors.formats.stream import Settings, Source

_ENDINGS = re.compile(r"(\.(gz|bz2|xz|zip|txt|vec|bin|npy|npz|safetensors|w2v|json|words))+$", re.I)
_LONGEST_HEADER = 100_000_000


def read(path: str, settings: Settings, name: str | None) -> Embedding:
    """Read the embedding in a file."""
    with opened(path) as source:
        embedding = _reader(source)(source, settings)
    name = name or embedding.name or name_of(path)
    return replace(embedding, name=name, origin=embedding.origin or Path(path).name)


def name_of(path: str) -> str:
    """Return a name for the embedding: the file name without its endings."""
    last = Path(path.partition("#")[2] or path).name
    return shown(_ENDINGS.sub("", last) or last)


def _reader(source: Source) -> Callable[[Source, Settings], Embedding]:
    head, path = source.head, source.path
    if not head:
        raise BadData(f"{path}: is empty; give a vector file.")
    if _is_native(head):
        return native.read
    _refuse_pickles(path, head)
    _refuse_other_files(path, head)
    if head[:6] == b"\x93NUMPY":
        return arrays.read_npy
    if head[:4] == b"PK\x03\x04":
        return arrays.read_npz
    if head[:1] == b"{" and b'"l2NormIndex"' in head[:200]:
        return wink.read
    return word2vec_binary.read if word2vec_binary.looks_binary(source) else text.read


def _is_native(head: bytes) -> bool:
    """Whether these are the first bytes of a safetensors file: a length, then a JSON header.

    This must be checked first: the length can look like the magic number of another format.
    """
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") < _LONGEST_HEADER


def _refuse_pickles(path: str, head: bytes) -> None:
    pickled = head[:1] == b"\x80" and len(head) > 1 and head[1] <= 5
    if pickled or _is_zlib(head):
        raise UnsafeFormat(
            f"{path}: is a pickle (gensim .kv or .model, joblib, PyTorch), which can run code when "
            "opened. Save the vectors in the program that wrote it, for gensim: "
            "wv.save_word2vec_format('vectors.bin', binary=True)."
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
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"%PDF", "a PDF document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"\x1f\x8b", "compressed twice"),
    (b"BZh91AY", "compressed twice"),
    (b"\xfd7zXZ", "compressed twice"),
)
_FASTTEXT = struct.pack("<i", 793_712_314)


def _refuse_other_files(path: str, head: bytes) -> None:
    if text.numbers_at_the_end(head[:4096].partition(b"\n")[0], 32):
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
    if head.startswith(_FASTTEXT):
        raise BadData(
            f"{path}: is a fastText model (.bin). Use the .vec file that comes with it, "
            "or write one with 'fasttext print-word-vectors'."
        )
