"""Writing embeddings in the formats that others read."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.files import replacing
from lexiscope.data.vectors import _native

_ROWS = 4096
_PACKERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb", mtime=0),
    ".bz2": lambda file: bz2.BZ2File(file, "wb"),
    ".xz": lambda file: lzma.LZMAFile(file, "wb"),
}


def write(embedding: Embedding, path: Path) -> Path:
    """Write to `path`; `.npy` gets a word list beside it."""
    packer = _PACKERS.get(path.suffix.lower())
    inner = Path(path.stem) if packer else path
    writer = _WRITERS.get(inner.suffix.lower())
    if writer is None or (packer and writer is _write_native):
        known = ", ".join(_WRITERS)
        raise BadUsage(
            f"{path}: the ending says how to write; known: {known}; "
            "all but .safetensors also with .gz, .bz2 or .xz behind."
        )
    if writer is _write_npy:
        _beside(embedding, path, packer is not None)
    with replacing(path) as file, ExitStack() as stack:
        target = stack.enter_context(packer(file)) if packer else file
        writer(embedding, target)
    return path


def _write_text(embedding: Embedding, file: Any) -> None:
    file.write(f"{len(embedding)} {embedding.dimension}\n".encode())
    _write_glove(embedding, file)


def _write_glove(embedding: Embedding, file: Any) -> None:
    for start in range(0, len(embedding), _ROWS):
        words = embedding.words[start : start + _ROWS]
        # The shortest decimal that gives the same float32 back.
        numbers = embedding.vectors[start : start + _ROWS].astype("U32").tolist()
        lines = [" ".join((_one_line(word), *row)) for word, row in zip(words, numbers, strict=True)]
        file.write(("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))


def _one_line(word: str) -> str:
    if "\n" in word or "\r" in word or word != word.strip(" ") or word.rpartition(" ")[2].replace(
        ".", ""
    ).isdigit() * (" " in word):
        raise BadData(
            f"The word '{shown(word)}' has a line end, an outer space or a number behind a space "
            "in it and cannot stand in a text file. Write .safetensors or .npz instead."
        )
    return word


def _write_binary(embedding: Embedding, file: Any) -> None:
    file.write(f"{len(embedding)} {embedding.dimension}\n".encode())
    for start in range(0, len(embedding), _ROWS):
        part = []
        for word, row in zip(
            embedding.words[start : start + _ROWS],
            embedding.vectors[start : start + _ROWS],
            strict=True,
        ):
            if " " in word or "\n" in word:
                raise BadData(
                    f"The word '{shown(word)}' holds a space or a line end and cannot stand in a "
                    "word2vec binary file. Write .safetensors or .npz instead."
                )
            part.append(word.encode("utf-8", "surrogatepass") + b" " + row.tobytes() + b"\n")
        file.write(b"".join(part))


def _write_npz(embedding: Embedding, file: Any) -> None:
    content = io.BytesIO()
    words = np.array([w.encode("utf-8", "surrogatepass") for w in embedding.words], dtype="S")
    if any(word.endswith("\0") for word in embedding.words):
        raise BadData("A word that ends with NUL cannot stand in an .npz file.")
    np.savez(content, words=words, vectors=embedding.vectors)
    file.write(content.getvalue())


def _write_npy(embedding: Embedding, file: Any) -> None:
    content = io.BytesIO()
    np.save(content, embedding.vectors, allow_pickle=False)
    file.write(content.getvalue())


def _beside(embedding: Embedding, path: Path, packed: bool) -> None:
    stem = path.with_suffix("") if packed else path
    with replacing(stem.with_suffix(".words")) as file:
        for word in embedding.words:
            if "\n" in word or "\r" in word:
                raise BadData(f"The word '{shown(word)}' holds a line end.")
            file.write(word.encode("utf-8", "surrogatepass") + b"\n")


def _write_native(embedding: Embedding, file: Any) -> None:
    _native.write(embedding, file.name)


_WRITERS: dict[str, Callable[[Embedding, Any], None]] = {
    ".safetensors": _write_native,
    ".vec": _write_text,
    ".txt": _write_text,
    ".glove": _write_glove,
    ".bin": _write_binary,
    ".npz": _write_npz,
    ".npy": _write_npy,
}
