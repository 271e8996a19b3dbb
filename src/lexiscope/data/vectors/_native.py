"""Our own format: safetensors with the words inside, memory-mapped, open at once at any size.

Tensors: `vectors` (words, dimensions) float32; `words` uint8, all words in UTF-8 one behind the
other; `ends` int64, the byte where each word ends; `counts` int64 where the source gave them.
Sparse vectors have three tensors of their own in the place of `vectors`, see `_sparse`.
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
from lexiscope.data.vectors import _sparse
from lexiscope.data.vectors._reading import Settings, Source, plain

FORMAT = "lexiscope embedding 1"
_TENSORS = {FORMAT: {"vectors"}, _sparse.FORMAT: _sparse.TENSORS}
_NOTHING: Mapping[str, Any] = {}
_TYPES = {"F32": np.float32, "U8": np.uint8, "I32": np.int32, "I64": np.int64}


def read(source: Source, settings: Settings) -> Embedding:
    """The embedding in one of our own files."""
    path = source.path
    if source.size is None:
        raise BadData(f"{path}: is compressed. Unpack it first: our own format is memory-mapped.")
    metadata, tensors = _tensors(path)
    needed = _TENSORS.get(metadata.get("format", ""), {"a format of ours"})
    if not {"words", "ends", *needed} <= set(tensors):
        names = ", ".join(sorted(tensors)) or "nothing"
        raise BadData(
            f"{path}: is a safetensors file without words (it holds {names}). "
            "Load it in the program that made it and give lexiscope (words, matrix)."
        )
    words = _words(path, tensors["words"], tensors["ends"])
    vectors, counts = _vectors(path, metadata, tensors, len(words)), tensors.get("counts")
    if counts is not None and (counts.dtype != np.int64 or counts.shape != (len(words),)):
        raise BadData(f"{path}: counts {counts.shape} {counts.dtype} for {len(words):,} words.")
    name, origin = metadata.get("name", ""), metadata.get("origin", "")
    found = Embedding(name, Vocabulary(words), vectors, counts, origin)
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
        raise BadData(f"{path}: holds vectors without dimensions.")
    return vectors


def metadata_of(path: Path) -> dict[str, str]:
    """What the file says about itself."""
    return _tensors(str(path))[0]


def write(
    embedding: Embedding,
    path: str,
    more: Mapping[str, NDArray[Any]] = _NOTHING,
    said: Mapping[str, str] = _NOTHING,
) -> None:
    """Write the embedding into a file, with `more` tensors and what is `said` of them."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    packed = pack(embedding.words)
    tensors: dict[str, NDArray[Any]] = {**more, "words": packed.block, "ends": packed.ends}
    about = {**said, "format": FORMAT, "name": embedding.name, "origin": embedding.origin}
    if embedding.is_sparse:
        tensors |= _sparse.tensors_of(embedding.vectors)
        about |= {"format": _sparse.FORMAT, "dimensions": str(embedding.dimension)}
    else:
        tensors["vectors"] = embedding.vectors
    if embedding.counts is not None:
        tensors["counts"] = embedding.counts
    try:
        save_file(tensors, path, about)
    except SafetensorError as problem:
        raise BadData(f"{path}: cannot be written ({problem}).") from None
    _put_header_in_order(path)


def _put_header_in_order(path: str) -> None:
    """Sort what the file says about itself: the library writes it in an order drawn by chance."""
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
            pass  # the library checks header, offsets and size; it would copy what we map
    except (SafetensorError, OSError, ValueError) as problem:
        raise BadData(
            f"{path}: the safetensors file is broken ({shown(str(problem), 80)}). "
            "Fetch or write it again."
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
        raise BadData(f"{path}: the word list is damaged. Fetch or write the file again.")
    return packed


def _is_list(values: NDArray[Any], dtype: type) -> bool:
    return values.ndim == 1 and values.dtype == dtype and len(values) > 0


def _fits(packed: PackedWords) -> bool:
    steps_up = np.diff(packed.ends, prepend=0).min() > 0
    return bool(steps_up and packed.ends[-1] == len(packed.block)) and plain(packed)
