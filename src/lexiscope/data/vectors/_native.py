"""Our own format: safetensors with the words inside, memory-mapped, open at once at any size.

Tensors: `vectors` (words, dimensions) float32; `words` uint8, all words in UTF-8 one behind the
other; `ends` int64, the byte where each word ends; `counts` int64 where the source gave them.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import PackedWords, Vocabulary, pack
from lexiscope.data.vectors._reading import Settings, Source

FORMAT = "lexiscope embedding 1"
_TYPES = {"F32": np.float32, "U8": np.uint8, "I64": np.int64}


def read(source: Source, settings: Settings) -> Embedding:
    """The embedding in one of our own files."""
    path = source.path
    if source.size is None:
        raise BadData(f"{path}: is compressed. Unpack it first: our own format is memory-mapped.")
    metadata, tensors = _tensors(path)
    if metadata.get("format") != FORMAT or not {"vectors", "words", "ends"} <= set(tensors):
        names = ", ".join(sorted(tensors)) or "nothing"
        raise BadData(
            f"{path}: is a safetensors file without words (it holds {names}). "
            "Load it in the program that made it and give lexiscope (words, matrix)."
        )
    words = _words(path, tensors["words"], tensors["ends"])
    counts = tensors.get("counts")
    if tensors["vectors"].ndim != 2 or not len(words) == len(tensors["vectors"]):
        raise BadData(f"{path}: {len(words):,} words for vectors {tensors['vectors'].shape}.")
    if counts is not None and len(counts) != len(words):
        raise BadData(f"{path}: {len(counts):,} counts for {len(words):,} words.")
    found = Embedding(
        metadata.get("name", ""), Vocabulary(words), tensors["vectors"], counts,
        metadata.get("origin", ""),
    )  # fmt: skip
    return found if settings.limit is None else found.first(settings.limit)


def metadata_of(path: Path) -> dict[str, str]:
    """What the file says about itself."""
    return _tensors(str(path))[0]


def write(embedding: Embedding, path: str) -> None:
    """Write the embedding into a file."""
    from safetensors.numpy import save_file

    packed = pack(embedding.words)
    tensors: dict[str, NDArray[Any]] = {
        "vectors": embedding.vectors,
        "words": packed.block,
        "ends": packed.ends,
    }
    if embedding.counts is not None:
        tensors["counts"] = embedding.counts
    save_file(
        tensors, path, {"format": FORMAT, "name": embedding.name, "origin": embedding.origin}
    )


def _tensors(path: str) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np"):
            pass  # the library checks header, offsets and size; it would copy what we map
    except (SafetensorError, OSError, ValueError) as problem:
        raise BadData(f"{path}: the safetensors file is broken ({problem}).") from None
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


def _words(path: str, block: NDArray[np.uint8], ends: NDArray[np.int64]) -> PackedWords:
    steps = np.diff(ends, prepend=0)
    if ends.ndim != 1 or not len(ends) or steps.min() < 1 or ends[-1] != len(block):
        raise BadData(f"{path}: the word list is damaged.")
    return PackedWords(block, ends)
