"""Embeddings from Python objects: dicts, pairs, DataFrames, gensim's KeyedVectors, encoders."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vectors import Sparse, is_sparse
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.encoders.encoder import Encoder
from lexiscope.data.vectors.shared_rows import shared_rows
from lexiscope.data.vectors.tokens import numbered, unmarked


def read(
    source: Any,
    name: str | None,
    words: Iterable[str] | None,
    progress: Callable[[str, int, int], None] | None,
) -> Embedding:
    """Return the embedding of an object; an encoder encodes `words`."""
    if isinstance(source, Embedding):
        return source if name is None else source.named(name)
    name_used = name or type(source).__name__.lower()
    if isinstance(source, Mapping):
        return from_columns(name_used, list(source), _stacked(source), "a dict", "stop")
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], Iterable):
        return _pair(name_used, source[0], _array(source[1], "a pair"))
    if all(hasattr(source, name) for name in ("index", "columns", "select_dtypes")):
        return _frame(name_used, source)
    keyed = getattr(source, "wv", source)
    if hasattr(keyed, "key_to_index") and hasattr(keyed, "vectors"):
        return _keyed(name_used, keyed)
    if callable(getattr(source, "encode", None)):
        from lexiscope.data.vectors.encoders import encoded_words

        encoder = source if isinstance(source, Encoder) else Encoder(source)
        return encoded_words.read(encoder, name, words, progress)
    raise BadUsage(
        f"Cannot make an embedding of {type(source).__name__}: give a path, a catalogue name, a "
        "dict, (words, matrix), a DataFrame, an object with key_to_index and vectors, or one with "
        "encode(); wrap a function in lexiscope.Encoder."
    )


def _pair(name: str, words: Iterable[Any], vectors: NDArray[Any] | Sparse) -> Embedding:
    """The embedding of a pair: a list of words, or a dict from words to rows, and a matrix."""
    number = vectors.shape[0] if vectors.ndim else 0
    if isinstance(words, Mapping):
        found = numbered(words, number, "a pair")
        tokens, rows = found.words, found.rows
        notes = shared_rows(tokens, rows, "a pair")
    else:
        tokens, notes = list(words), ()
        rows = np.arange(len(tokens))
        if len(tokens) != number:
            return from_columns(name, tokens, vectors, "a pair", "stop")  # reports the error
    kept = unmarked(tokens, "a pair")
    rows = rows[kept.positions]
    in_order = np.array_equal(rows, np.arange(number))
    table = vectors if in_order else vectors[rows]
    embedding = from_columns(name, kept.words, table, "a pair", "stop")
    return replace(embedding, repairs=(*kept.notes, *notes, *embedding.repairs))


def _array(values: Any, where: str) -> NDArray[Any] | Sparse:
    if is_sparse(values):
        return values
    try:
        return np.asarray(values)
    except ValueError:
        raise BadData(f"{where}: the vectors have different lengths.") from None


def _stacked(vectors: Mapping[str, Any]) -> NDArray[Any]:
    if not vectors:
        raise BadData("A dict of vectors must not be empty.")
    rows = [_array(vector, f"The vector of '{shown(str(w))}'") for w, vector in vectors.items()]
    odd = (word for word, row in zip(vectors, rows, strict=True) if row.shape != rows[0].shape)
    for word in odd:
        raise BadData(f"The vector of '{shown(str(word))}' has a different length than the first.")
    return np.stack(rows)


def _frame(name: str, frame: Any) -> Embedding:
    """The embedding of a pandas DataFrame: the columns are dimensions.

    The words are in the index, or in the only column of text if the index just numbers the rows.
    """
    numeric = set(frame.select_dtypes("number").columns)
    other = [column for column in frame.columns if column not in numeric]
    words = frame.index
    if len(other) == 1 and list(words) == list(range(len(words))):
        words, frame = frame[other[0]], frame.drop(columns=other)
        other = []
    if other or not len(frame.columns):
        problem = f"column {other[0]!r} has no numbers" if other else "there are no numbers"
        raise BadData(
            f"DataFrame: {problem}. The words are in the index or in one column, and every other "
            "column is a dimension of the vectors."
        )
    return from_columns(name, list(words), frame.to_numpy(), "DataFrame", "stop")


def _keyed(name: str, source: Any) -> Embedding:
    # Counts are not used: if a file has none, gensim fills in descending ones.
    words = sorted(source.key_to_index, key=source.key_to_index.__getitem__)
    indices = np.array([source.key_to_index[word] for word in words], np.int64)
    vectors = _array(source.vectors, name)
    number = vectors.shape[0] if vectors.ndim else 0
    if len(indices) and not 0 <= indices[0] <= indices[-1] < number:
        raise BadData(f"{name}: key_to_index names row {indices[-1]:,} of {number:,} vectors.")
    in_order = np.array_equal(indices, np.arange(number))
    return from_columns(name, words, vectors if in_order else vectors[indices], name, "stop")
