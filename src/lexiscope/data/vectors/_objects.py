"""Embeddings from Python objects: dicts, pairs, gensim's vectors, anything that encodes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors._reading import LONGEST_WORD, OnError, Repairs, Settings

_BATCH = 1024


def read(source: Any, name: str | None, words: Iterable[str] | None) -> Embedding:
    """The embedding that an object holds."""
    if isinstance(source, Embedding):
        return source if name is None else source.named(name)
    called = name or type(source).__name__.lower()
    if isinstance(source, Mapping):
        return from_columns(called, list(source), _stacked(source), "a dict", "stop")
    if isinstance(source, tuple) and len(source) == 2:
        return from_columns(called, list(source[0]), np.asarray(source[1]), "a pair", "stop")
    keyed = getattr(source, "wv", source)
    if hasattr(keyed, "key_to_index") and hasattr(keyed, "vectors"):
        return _keyed(called, keyed)
    if callable(getattr(source, "encode", None)):
        return _encoded(called, source, words)
    raise BadUsage(
        f"Cannot make an embedding of {type(source).__name__}: give a path, a catalogue name, a "
        "dict, (words, matrix), or an object with key_to_index and vectors, or with encode()."
    )


def from_columns(
    name: str, words: Sequence[Any], vectors: NDArray[Any], where: str, on_error: OnError
) -> Embedding:
    """An embedding from words and a table, with the same care as for a file."""
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise BadData(f"{where}: expected a table of numbers, found {vectors.ndim} axes of {vectors.dtype}.")
    if len(words) != len(vectors):
        raise BadData(f"{where}: {len(words):,} words for {len(vectors):,} vectors.")
    if not len(words) or not vectors.shape[1]:
        raise BadData(f"{where}: holds no vectors.")
    with np.errstate(over="ignore"):
        table = np.asarray(vectors, np.float32)
    repairs = Repairs(Settings(None, on_error))
    finite = np.isfinite(table).all(axis=1)
    keep, seen = [], set()
    for row, word in enumerate(words):
        problem = _problem(word, bool(finite[row]))
        if problem:
            repairs.need(f"{where}: row {row + 1}: {problem}.", "on_error='skip' leaves such rows out")
        elif word in seen:
            repairs.note(f"{where}: row {row + 1}: '{shown(word)}' stands a second time. Left out.")
        else:
            seen.add(word)
            keep.append(row)
    if len(keep) == len(words):
        return Embedding(name, Vocabulary(tuple(words)), table, repairs=repairs.finished())
    if not keep:
        raise BadData(f"{where}: holds no vectors that can be used.")
    kept = Vocabulary(tuple(words[row] for row in keep))
    return Embedding(name, kept, table[keep], repairs=repairs.finished())


def _problem(word: Any, finite: bool) -> str:
    if not isinstance(word, str):
        return f"a word must be text, found {type(word).__name__}"
    if not word:
        return "the word is empty"
    if len(word.encode("utf-8", "surrogatepass")) > LONGEST_WORD:
        return f"a word of more than {LONGEST_WORD:,} bytes"
    if any(c < " " or c == "\x7f" for c in word):
        return f"control characters in the word '{shown(word)}'"
    return "" if finite else f"the vector of '{shown(word)}' is not finite"


def _stacked(vectors: Mapping[str, Any]) -> NDArray[Any]:
    if not vectors:
        raise BadData("A dict of vectors must not be empty.")
    rows = [np.asarray(vector) for vector in vectors.values()]
    shapes = {row.shape for row in rows}
    if len(shapes) != 1:
        odd = next(word for word, row in zip(vectors, rows, strict=True) if row.shape != rows[0].shape)
        raise BadData(f"The vector of '{shown(str(odd))}' has another length than the first.")
    return np.stack(rows)


def _keyed(name: str, source: Any) -> Embedding:
    # Counts are not taken over: gensim makes descending ones up when a file has none.
    words = sorted(source.key_to_index, key=source.key_to_index.__getitem__)
    return from_columns(name, words, np.asarray(source.vectors)[: len(words)], name, "stop")


def _encoded(name: str, source: Any, words: Iterable[str] | None) -> Embedding:
    if words is None:
        raise BadUsage("An encoder has no word list of its own: give words=[...] to encode.")
    wanted = list(dict.fromkeys(words))
    if not wanted:
        raise BadUsage("An encoder needs at least one word to encode.")
    parts = [
        np.atleast_2d(np.asarray(source.encode(wanted[start : start + _BATCH])))
        for start in range(0, len(wanted), _BATCH)
    ]
    return from_columns(name, wanted, np.concatenate(parts), name, "stop")
