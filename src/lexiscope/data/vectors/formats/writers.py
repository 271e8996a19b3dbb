"""Writers of vector files in common formats."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.paths import is_file
from lexiscope.data.atomic_write import replacing
from lexiscope.data.vectors.formats import native
from lexiscope.data.vectors.formats.arrays import listed_words
from lexiscope.data.vectors.formats.stream import finite_rows, word_error
from lexiscope.data.vectors.formats.text_layout import value_of

_ROWS = 4096
_COMPRESSORS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile("", "wb", fileobj=file, mtime=0),
    ".bz2": lambda file: bz2.BZ2File(file, "wb"),
    ".xz": lambda file: lzma.LZMAFile(file, "wb"),  # noqa: SIM115 - closed by `write`
}


def write(embedding: Embedding, path: Path) -> Path:
    """Write to `path`; for `.npy`, also write a word list."""
    writer, compressor = output_format(path)
    if embedding.is_sparse and writer is not _write_native:
        raise BadUsage(
            f"{path}: the vectors of {shown(embedding.name)} are sparse, and this format would "
            "store every zero. Write .safetensors, or train svd for dense vectors."
        )
    _check_words(embedding)
    is_npy = writer is _write_npy
    words = _word_list(embedding, path, compressor is not None) if is_npy else None
    with _committed(words, path) if words else nullcontext(), replacing(path) as file:
        with ExitStack() as stack:
            target = stack.enter_context(compressor(file)) if compressor else file
            writer(embedding, target)
        if words:
            file.flush()
            os.fsync(file.fileno())  # only then nothing but renaming is left
            _replace_word_list(words, path)
    return path


def move(written: Path, path: Path) -> None:
    """Move a file that `write` has written to `path`, with its word list if it has one.

    A kill between two steps leaves a missing file, never vectors with the words of others.
    """
    words = _written_word_list(written, path)
    with _committed(words, path) if words else nullcontext():
        if words:
            _replace_word_list(words, path)
        written.replace(path)


class OutputFormat(NamedTuple):
    """The writer of a format, and the compressor, if any."""

    writer: Callable[[Embedding, Any], None]
    compressor: Callable[[BinaryIO], Any] | None


def output_format(path: Path) -> OutputFormat:
    """Return the format for the ending of a path."""
    compressor = _COMPRESSORS.get(path.suffix.lower())
    inner = Path(path.stem) if compressor else path
    writer = _WRITERS.get(inner.suffix.lower())
    if writer is None or (compressor and writer is _write_native):
        known = ", ".join(_WRITERS)
        raise BadUsage(
            f"{path}: the ending must select a format: {known}; "
            "all but .safetensors can be followed by .gz, .bz2 or .xz."
        )
    return OutputFormat(writer, compressor)


def _check_words(embedding: Embedding) -> None:
    """Refuse words and vectors that no reader would accept."""
    for word, finite in zip(embedding.words, finite_rows(embedding.vectors).tolist(), strict=True):
        problem = word_error(word) or (
            "" if finite else f"the vector of '{shown(word)}' is not finite"
        )
        if problem:
            raise BadData(f"This embedding cannot be written: {problem}.")


def _write_text(embedding: Embedding, file: Any) -> None:
    file.write(f"{len(embedding)} {embedding.dimension}\n".encode())
    _write_rows(embedding, file)


def _write_glove(embedding: Embedding, file: Any) -> None:
    _check_first(embedding.words[0])
    _write_rows(embedding, file)


def _write_rows(embedding: Embedding, file: Any) -> None:
    for start in range(0, len(embedding), _ROWS):
        words = embedding.words[start : start + _ROWS]
        # The shortest decimal that gives the same float32 back.
        numbers = embedding.vectors[start : start + _ROWS].astype("U32").tolist()
        lines = [
            " ".join((_one_line(word), *row)) for word, row in zip(words, numbers, strict=True)
        ]
        file.write(("\n".join(lines) + "\n").encode())


def _one_line(word: str) -> str:
    last = word.rpartition(" ")[2]
    if word != word.strip(" ") or (last != word and value_of(last.encode()) is not None):
        raise BadData(
            f"The word '{shown(word)}' begins or ends with a space, or ends with a space and a "
            "number, and cannot be written to a text file. Write .safetensors or .npz instead."
        )
    return word


def _check_first(word: str) -> None:
    if word.startswith("\ufeff"):
        raise BadData(
            "The first word begins with U+FEFF, which is the byte order mark of text files. "
            "Write .vec, .safetensors or .npz instead."
        )


def _write_binary(embedding: Embedding, file: Any) -> None:
    file.write(f"{len(embedding)} {embedding.dimension}\n".encode())
    for start in range(0, len(embedding), _ROWS):
        words = embedding.words[start : start + _ROWS]
        vectors = embedding.vectors[start : start + _ROWS]
        file.write(b"".join(map(_record, words, vectors)))


def _record(word: str, vector: NDArray[np.float32]) -> bytes:
    if " " in word:
        raise BadData(
            f"The word '{shown(word)}' contains a space and cannot be written to a word2vec binary "
            "file. Write .safetensors or .npz instead."
        )
    return word.encode() + b" " + vector.astype("<f4").tobytes() + b"\n"


def _write_npz(embedding: Embedding, file: Any) -> None:
    content = io.BytesIO()
    words = np.array([word.encode() for word in embedding.words], dtype="S")
    np.savez(content, words=words, vectors=embedding.vectors)
    file.write(content.getvalue())


def _write_npy(embedding: Embedding, file: Any) -> None:
    content = io.BytesIO()
    np.save(content, embedding.vectors, allow_pickle=False)
    file.write(content.getvalue())


class _WordList(NamedTuple):
    """The word list of an .npy file."""

    path: Path
    content: bytes


def _word_list(embedding: Embedding, path: Path, compressed: bool) -> _WordList:
    stem = path.with_suffix("") if compressed else path
    _check_first(embedding.words[0])
    _check_shared_list(embedding, path, stem)
    content = "".join(f"{word}\n" for word in embedding.words).encode()
    return _WordList(stem.with_suffix(".words"), content)


def _written_word_list(written: Path, path: Path) -> _WordList | None:
    writer, compressor = output_format(path)
    if writer is not _write_npy:
        return None
    lists = [
        (p.with_suffix("") if compressor else p).with_suffix(".words") for p in (written, path)
    ]
    return _WordList(lists[1], lists[0].read_bytes())


def _replace_word_list(words: _WordList, path: Path) -> None:
    """Replace the list; before, hide vectors that belong to another one.

    A kill between two steps thus leaves a missing file, never vectors with the words of others.
    """
    if _has(words):
        return
    if is_file(path):
        path.replace(_hidden(path))
    with replacing(words.path) as file:
        file.write(words.content)


def _has(words: _WordList) -> bool:
    return is_file(words.path) and words.path.read_bytes() == words.content


@contextmanager
def _committed(words: _WordList, path: Path) -> Iterator[None]:
    """Undo both files of an .npy format if one cannot be written."""
    before = words.path.read_bytes() if is_file(words.path) else None
    try:
        yield
    except BaseException:
        if is_file(_hidden(path)) and not is_file(path):
            if before is not None:
                with replacing(words.path) as file:
                    file.write(before)
            _hidden(path).replace(path)
        raise
    _hidden(path).unlink(missing_ok=True)


def _hidden(path: Path) -> Path:
    name = hashlib.sha256(path.name.encode("utf-8", "replace")).hexdigest()[:16]
    return path.with_name(f".{name}.previous")


def _check_shared_list(embedding: Embedding, path: Path, stem: Path) -> None:
    """Refuse to replace the word list of another file that has the same one."""
    others = [Path(f"{stem}{ending}") for ending in ("", *_COMPRESSORS, ".zip")]
    other = next((each for each in others if each != path and is_file(each)), None)
    if other is None or listed_words(str(path)) in (None, list(embedding.words)):
        return
    raise BadUsage(
        f"{path}: its word list would replace that of {other.name}, which has other words. Choose "
        "another name for the output."
    )


def _write_native(embedding: Embedding, file: Any) -> None:
    native.write(embedding, file.name)


_WRITERS: dict[str, Callable[[Embedding, Any], None]] = {
    ".safetensors": _write_native,
    ".vec": _write_text,
    ".txt": _write_text,
    ".glove": _write_glove,
    ".bin": _write_binary,
    ".npz": _write_npz,
    ".npy": _write_npy,
}
