"""The file that an embedding is memory-mapped from, so that other processes can map it too."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.cluster.files import SharedFile, shared_file
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.vocabulary import PackedWords
from lexiscope.data.vectors import load, save

_SAMPLE = 1000  # rows


def mapped_from(embedding: Embedding) -> str | None:
    """The file in our own format whose first words are exactly this embedding, without its name.

    `load(path, limit=len(embedding))` gives it again. None if there is none, also if the file was
    replaced after it was mapped.
    """
    words, vectors = embedding.words, embedding.vectors
    if not isinstance(words, PackedWords) or not isinstance(vectors, np.ndarray):
        return None
    path = _file_of(vectors)
    if path is None or {_file_of(words.block), _file_of(words.ends)} != {path}:
        return None
    try:
        return path if _is_equal(embedding, load(path, limit=len(embedding))) else None
    except (LexiscopeError, OSError):
        return None


def file_with(embedding: Embedding, path: Path) -> SharedFile:
    """The file that an embedding is mapped from, else a new one with this path."""
    mapped = mapped_from(embedding)
    return shared_file(save(embedding, path) if mapped is None else mapped)


def _file_of(array: Any) -> str | None:
    while array is not None:
        if isinstance(array, np.memmap):
            return None if array.filename is None else str(array.filename)
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)
    return None


def _is_equal(mapped: Embedding, again: Embedding) -> bool:
    """Compare everything but the numbers and words between the rows of a sample."""
    if mapped.vectors.shape != again.vectors.shape or mapped.subwords or again.is_sparse:
        return False
    parts = ((mapped.vectors, again.vectors), (mapped.counts, again.counts))
    equal_words = _sample_of_words(mapped.words) == _sample_of_words(again.words)
    return (
        equal_words
        and mapped.composed == again.composed
        and all(
            one is other if one is None or other is None else _have_equal_sample(one, other)
            for one, other in parts
        )
    )


def _sample_of_words(words: Any) -> tuple[bytes, bytes]:
    rows = _rows(len(words))
    return words.ends[rows].tobytes(), words.block[_rows(len(words.block))].tobytes()


def _have_equal_sample(one: NDArray[Any], other: NDArray[Any]) -> bool:
    rows = _rows(len(one))
    return len(one) == len(other) and one[rows].tobytes() == other[rows].tobytes()


def _rows(total: int) -> NDArray[np.int64]:
    return np.linspace(0, total - 1, min(total, _SAMPLE)).astype(np.int64)
