"""Embeddings from a list of words and a table of vectors, with the checks of a vector file."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vectors import Sparse, table
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import (
    OnError,
    Repairs,
    Settings,
    finite_rows,
    replace_invalid,
    word_error,
)


def from_columns(
    name: str, words: Sequence[Any], vectors: NDArray[Any] | Sparse, where: str, on_error: OnError
) -> Embedding:
    """Return the embedding of words and vectors; `where` names the source in messages."""
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise BadData(
            f"{where}: expected a table of numbers, found {vectors.ndim} axes of {vectors.dtype}."
        )
    if len(words) != vectors.shape[0]:
        raise BadData(f"{where}: {len(words):,} words for {vectors.shape[0]:,} vectors.")
    if not len(words) or not vectors.shape[1]:
        raise BadData(f"{where}: contains no vectors.")
    with np.errstate(over="ignore"):
        rows = table(vectors)
    repairs = Repairs(Settings(None, on_error))
    kept = _kept(words, finite_rows(rows).tolist(), where, repairs)
    if not kept:
        raise BadData(f"{where}: contains no usable vectors.")
    if len(kept) < len(words):
        rows = rows[list(kept.values())]
    return Embedding(name, Vocabulary(tuple(kept)), rows, repairs=repairs.finished())


def _kept(
    words: Sequence[Any], finite: Sequence[bool], where: str, repairs: Repairs
) -> dict[str, int]:
    """The valid words, each with its row."""
    kept: dict[str, int] = {}
    for row, found in enumerate(words):
        word = _replaced(found, f"{where}: row {row + 1}", repairs)
        problem = _problem(word, finite[row])
        if problem:
            repairs.reject(
                f"{where}: row {row + 1}: {problem}.", "give on_error='skip' to leave such rows out"
            )
        elif word in kept:
            repairs.note(f"{where}: row {row + 1}: '{shown(word)}' occurs a second time. Left out.")
        else:
            kept[word] = row
    return kept


def _replaced(word: Any, where: str, repairs: Repairs) -> Any:
    if repairs.settings.on_error != "replace" or not isinstance(word, str):
        return word
    replaced = replace_invalid(word)
    if replaced != word:
        repairs.note(f"{where}: {word_error(word)} became U+FFFD.")
    return replaced


def _problem(word: Any, finite: bool) -> str:
    if not isinstance(word, str):
        return f"a word must be text, found {type(word).__name__}"
    return word_error(word) or ("" if finite else f"the vector of '{shown(word)}' is not finite")
