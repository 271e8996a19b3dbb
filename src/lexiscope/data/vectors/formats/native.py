"""Our own format: safetensors with words, memory-mapped, so that any size opens instantly.

Tensors: `vectors` (words, dimensions) float32; `words` uint8, the concatenated words in UTF-8;
`ends` int64, the byte where each word ends; `counts` int64, if the source has counts. Sparse
vectors have three other tensors instead of `vectors`, see `sparse.py`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding, Vectors
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import PackedWords, Vocabulary, pack
from lexiscope.data.vectors.formats import sparse as _sparse
from lexiscope.data.vectors.formats.stream import Settings, Source, plain

FORMAT = "lexiscope embedding 1"
_TENSORS = {FORMAT: {"vectors"}, _sparse.FORMAT: _sparse.TENSORS}
_EMPTY: Mapping[str, Any] = {}
_TYPES = {
    "F16": np.float16, "F32": np.float32, "F64": np.float64, "U8": np.uint8, "I8": np.int8,
    "I32": np.int32, "I64": np.int64,
}  # fmt: skip


def read(source: Source, settings: Settings) -> Embedding:
    """Read an embedding in our own format."""
    path = source.path
    if source.size is None:
        raise BadData(f"{path}: is compressed. Unpack it first: our own format is memory-mapped.")
    metadata, tensors = _tensors(path)
    needed = _TENSORS.get(metadata.get("format", ""), {"a known format"})
    if not {"words", "ends", *needed} <= set(tensors):
        names = ", ".join(sorted(tensors)) or "nothing"
        raise BadData(
            f"{path}: is a safetensors file without words (it contains {names}). "
            "Load it in the program that wrote it and give lexiscope (words, matrix)."
        )
    words = _words(path, tensors["words"], tensors["ends"])
    vectors, counts = _vectors(path, metadata, tensors, len(words)), tensors.get("counts")
    if counts is not None and (counts.dtype != np.int64 or counts.shape != (len(words),)):
        raise BadData(f"{path}: counts {counts.shape} {counts.dtype} for {len(words):,} words.")
    found = Embedding(
        metadata.get("name", ""),
        Vocabulary(words),
        vectors,
        counts,
        metadata.get("origin", ""),
        trainer=metadata.get("trainer", ""),
        composed=_composed(path, metadata.get("composed", ""), words),
    )
    return found if settings.limit is None else found.first(settings.limit)


def _vectors(
    path: str, metadata: dict[str, str], tensors: dict[str, NDArray[Any]], words: int
) -> Vectors:
    if metadata["format"] == _sparse.FORMAT:
        return _sparse.vectors_of(path, tensors, words, metadata.get("dimensions", ""))
    vectors = tensors["vectors"]
    if vectors.ndim != 2 or vectors.dtype != np.float32 or words != len(vectors):
        raise BadData(f"{path}: {words:,} words for vectors {vectors.shape} {vectors.dtype}.")
    if not vectors.shape[1]:
        raise BadData(f"{path}: contains vectors without dimensions.")
    return vectors


def tensors_in(path: str) -> dict[str, NDArray[Any]]:
    """Return the tensors of any safetensors file, memory-mapped; types without NumPy are absent."""
    return _tensors(path)[1]


def _composed(path: str, rows: str, words: PackedWords) -> frozenset[str]:
    """The words of these row numbers, whose vectors were computed from parts of the words."""
    if not rows:
        return frozenset()
    try:
        return frozenset(words[int(row)] for row in rows.split(","))
    except (ValueError, IndexError):
        raise BadData(f"{path}: the list of computed vectors is damaged.") from None


def metadata_of(path: Path) -> dict[str, str]:
    """Return the metadata of a file."""
    return _tensors(str(path))[0]


def write(
    embedding: Embedding,
    path: str,
    tensors: Mapping[str, NDArray[Any]] = _EMPTY,
    metadata: Mapping[str, str] = _EMPTY,
) -> None:
    """Write an embedding to a file, with additional tensors and metadata."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    packed = pack(embedding.words)
    parts: dict[str, NDArray[Any]] = {**tensors, "words": packed.block, "ends": packed.ends}
    about = {**metadata, "format": FORMAT, "name": embedding.name, "origin": embedding.origin}
    about |= {"trainer": embedding.trainer} if embedding.trainer else {}
    if embedding.composed:
        rows = embedding.vocabulary.find(sorted(embedding.composed)).tolist()
        about["composed"] = ",".join(map(str, rows))
    if embedding.is_sparse:
        parts |= _sparse.tensors_of(embedding.vectors)
        about |= {"format": _sparse.FORMAT, "dimensions": str(embedding.dimension)}
    else:
        parts["vectors"] = embedding.vectors
    if embedding.counts is not None:
        parts["counts"] = embedding.counts
    try:
        save_file(parts, path, about)
    except SafetensorError as problem:
        raise BadData(f"{path}: cannot be written ({problem}).") from None
    _sort_metadata(path)


def _sort_metadata(path: str) -> None:
    """Sort the metadata in the header: the library writes it in random order."""
    with Path(path).open("r+b") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        about = dict(sorted(header.pop("__metadata__").items()))
        ordered = {"__metadata__": about, **header}
        raw = json.dumps(ordered, ensure_ascii=False, separators=(",", ":")).encode()
        if len(raw) <= length:
            file.seek(8)
            file.write(raw.ljust(length))


def _tensors(path: str) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np"):
            pass  # the library checks header, offsets and size; reading with it would copy the data
    except (SafetensorError, OSError, ValueError) as problem:
        raise BadData(
            f"{path}: the safetensors file is broken ({shown(str(problem), 80)}). "
            "Download or write it again."
        ) from None
    mapped = np.memmap(path, np.uint8, "r")
    length = int(mapped[:8].view("<u8")[0])
    header = json.loads(bytes(mapped[8 : 8 + length]))
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] in _TYPES:
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            tensor = np.ndarray(entry["shape"], _TYPES[entry["dtype"]], mapped[start:end].data)
            tensors[name] = tensor
    return metadata, tensors


def _words(path: str, block: NDArray[Any], ends: NDArray[Any]) -> PackedWords:
    packed = PackedWords(block, ends)
    if not _is_list(block, np.uint8) or not _is_list(ends, np.int64) or not _fits(packed):
        raise BadData(f"{path}: the word list is damaged. Download or write the file again.")
    return packed


def _is_list(values: NDArray[Any], dtype: type) -> bool:
    return values.ndim == 1 and values.dtype == dtype and len(values) > 0


def _fits(packed: PackedWords) -> bool:
    increasing = np.diff(packed.ends, prepend=0).min() > 0
    return bool(increasing and packed.ends[-1] == len(packed.block)) and plain(packed)
