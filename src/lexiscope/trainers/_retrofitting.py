"""Retrofitting: vectors move towards those of related words (Faruqui et al. 2015)."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.kernels.retrofit import retrofit_pass
from lexiscope.linalg.normalization import normalize_rows


class Edges(NamedTuple):
    """Edges of a lexicon as indices into a vocabulary.

    The neighbours of word indices[k] are neighbours[starts[k]:starts[k + 1]].
    """

    indices: NDArray[np.int64]
    starts: NDArray[np.int64]
    neighbours: NDArray[np.int64]


def retrofitted(
    embedding: Embedding,
    lexicon: Lexicon,
    iterations: int = 10,
    normalize: bool = True,
    progress: Progress = silent,
) -> Embedding:
    """Retrofit an embedding to a lexicon; only vectors of words with edges move.

    With `normalize`, all vectors are scaled to unit length first.
    """
    if iterations < 1:
        raise BadUsage(f"iterations must be 1 or more, found {iterations}.")
    original = embedding.dense_vectors("Retrofitting")
    if normalize:
        original = normalize_rows(original)
    edges = edges_in(lexicon, embedding.vocabulary)
    if not len(edges.indices):
        raise BadData(
            f"{lexicon.name} has no edge between two words of {embedding.name}, so no vector would "
            "change. Check letter case and language."
        )
    vectors = original.copy()
    for done in range(1, iterations + 1):
        retrofit_pass(*edges, original, vectors)
        progress("Retrofitting", done, iterations)
    return replace(embedding, name=f"{embedding.name}+{lexicon.name}", vectors=vectors)


def edges_in(lexicon: Lexicon, vocabulary: Vocabulary) -> Edges:
    """The edges between different words of a vocabulary, each once, in vocabulary order."""
    index = vocabulary.index
    found: dict[int, list[int]] = {}
    for word, related in lexicon.edges.items():
        if (position := index.get(word)) is not None:
            others = {index[other] for other in related if other in index} - {position}
            if others:
                found[position] = sorted(others)
    indices = sorted(found)
    neighbours = [other for position in indices for other in found[position]]
    starts = np.cumsum([0, *(len(found[position]) for position in indices)])
    arrays = (np.array(indices, np.int64), starts.astype(np.int64), np.array(neighbours, np.int64))
    return Edges(*arrays)
