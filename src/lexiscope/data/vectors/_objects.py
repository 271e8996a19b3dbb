"""Embeddings from Python objects: dicts, pairs, gensim's vectors; encoders are passed on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vectors import Sparse, is_sparse, table
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors._encoders import Encoder
from lexiscope.data.vectors._reading import OnError, Repairs, Settings, fault, finite_rows, mended


def read(
    source: Any,
    name: str | None,
    words: Iterable[str] | None,
    progress: Callable[[str, int, int], None] | None,
) -> Embedding:
    """The embedding that an object holds, or gives for `words`."""
    if isinstance(source, Embedding):
        return source if name is None else source.named(name)
    called = name or type(source).__name__.lower()
    if isinstance(source, Mapping):
        return from_columns(called, list(source), _stacked(source), "a dict", "stop")
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], Iterable):
        return from_columns(called, list(source[0]), _array(source[1], "a pair"), "a pair", "stop")
    keyed = getattr(source, "wv", source)
    if hasattr(keyed, "key_to_index") and hasattr(keyed, "vectors"):
        return _keyed(called, keyed)
    if callable(getattr(source, "encode", None)):
        from lexiscope.data.vectors import _encoded

        encoder = source if isinstance(source, Encoder) else Encoder(source)
        return _encoded.read(encoder, name, words, progress)
    raise BadUsage(
        f"Cannot make an embedding of {type(source).__name__}: give a path, a catalogue name, a "
        "dict, (words, matrix), or an object with key_to_index and vectors, or with encode(); "
        "a function needs lexiscope.Encoder around it."
    )


def _array(values: Any, where: str) -> NDArray[Any] | Sparse:
    if is_sparse(values):
        return values
    try:
        return np.asarray(values)
    except ValueError:
        raise BadData(f"{where}: the vectors have different lengths.") from None


def from_columns(
    name: str, words: Sequence[Any], vectors: NDArray[Any] | Sparse, where: str, on_error: OnError
) -> Embedding:
    """An embedding from words and a table, with the same care as for a file."""
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise BadData(
            f"{where}: expected a table of numbers, found {vectors.ndim} axes of {vectors.dtype}."
        )
    if len(words) != vectors.shape[0]:
        raise BadData(f"{where}: {len(words):,} words for {vectors.shape[0]:,} vectors.")
    if not len(words) or not vectors.shape[1]:
        raise BadData(f"{where}: holds no vectors.")
    with np.errstate(over="ignore"):
        rows = table(vectors)
    repairs = Repairs(Settings(None, on_error))
    kept = _kept(words, finite_rows(rows).tolist(), where, repairs)
    if not kept:
        raise BadData(f"{where}: holds no vectors that can be used.")
    if len(kept) < len(words):
        rows = rows[list(kept.values())]
    return Embedding(name, Vocabulary(tuple(kept)), rows, repairs=repairs.finished())


def _kept(
    words: Sequence[Any], finite: Sequence[bool], where: str, repairs: Repairs
) -> dict[str, int]:
    """The words that may stay, each with its row."""
    kept: dict[str, int] = {}
    for row, found in enumerate(words):
        word = _mended(found, f"{where}: row {row + 1}", repairs)
        problem = _problem(word, finite[row])
        if problem:
            repairs.need(
                f"{where}: row {row + 1}: {problem}.", "give on_error='skip' to leave such rows out"
            )
        elif word in kept:
            repairs.note(f"{where}: row {row + 1}: '{shown(word)}' stands a second time. Left out.")
        else:
            kept[word] = row
    return kept


def _mended(word: Any, where: str, repairs: Repairs) -> Any:
    if repairs.settings.on_error != "replace" or not isinstance(word, str) or mended(word) == word:
        return word
    repairs.note(f"{where}: {fault(word)} became U+FFFD.")
    return mended(word)


def _problem(word: Any, finite: bool) -> str:
    if not isinstance(word, str):
        return f"a word must be text, found {type(word).__name__}"
    return fault(word) or ("" if finite else f"the vector of '{shown(word)}' is not finite")


def _stacked(vectors: Mapping[str, Any]) -> NDArray[Any]:
    if not vectors:
        raise BadData("A dict of vectors must not be empty.")
    rows = [_array(vector, f"The vector of '{shown(str(w))}'") for w, vector in vectors.items()]
    odd = (word for word, row in zip(vectors, rows, strict=True) if row.shape != rows[0].shape)
    for word in odd:
        raise BadData(f"The vector of '{shown(str(word))}' has another length than the first.")
    return np.stack(rows)


def _keyed(name: str, source: Any) -> Embedding:
    # Counts are not taken over: gensim makes descending ones up when a file has none.
    words = sorted(source.key_to_index, key=source.key_to_index.__getitem__)
    places = np.array([source.key_to_index[word] for word in words], np.int64)
    vectors = _array(source.vectors, name)
    number = vectors.shape[0] if vectors.ndim else 0
    if len(places) and not 0 <= places[0] <= places[-1] < number:
        raise BadData(f"{name}: key_to_index names row {places[-1]:,} of {number:,} vectors.")
    in_order = np.array_equal(places, np.arange(number))
    return from_columns(name, words, vectors if in_order else vectors[places], name, "stop")
