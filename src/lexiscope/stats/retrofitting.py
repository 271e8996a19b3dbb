"""Vectors pulled towards those of related words (Faruqui et al. 2015)."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.kernels.retrofitting import pull

# A round at least halves the distance to the vectors that no round changes any more.
_ENOUGH_ROUNDS = 48


class Ties(NamedTuple):
    """Places of the words that move, and of their ties: word k has starts[k] to starts[k + 1]."""

    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    ties: NDArray[np.int64]


def retrofitted(
    embedding: Embedding, lexicon: Lexicon, rounds: int = 10, tell: Progress = silent
) -> Embedding:
    """The embedding after some rounds; words without ties keep their vectors, byte for byte."""
    if rounds < 1:
        raise BadUsage(f"rounds must be 1 or more, found {rounds}.")
    original = embedding.dense_vectors("Retrofitting")
    tied = known_ties(lexicon, embedding.vocabulary)
    if not len(tied.places):
        raise BadData(
            f"{lexicon.name} ties no two words that {embedding.name} knows, so no vector would "
            "move. Look for letter case and language."
        )
    vectors = original.copy()
    for done in range(1, rounds + 1):
        pull(*tied, original, vectors)
        tell("Retrofitting", done, rounds)
    return replace(embedding, name=f"{embedding.name}+{lexicon.name}", vectors=vectors)


def settled(embedding: Embedding, lexicon: Lexicon, tell: Progress = silent) -> Embedding:
    """The embedding that one more round would not change: the end of all rounds."""
    return retrofitted(embedding, lexicon, _ENOUGH_ROUNDS, tell)


def known_ties(lexicon: Lexicon, vocabulary: Vocabulary) -> Ties:
    """The ties between different words of a vocabulary, each once, in its order."""
    index = vocabulary.index
    found: dict[int, list[int]] = {}
    for word, tied in lexicon.ties.items():
        if (place := index.get(word)) is not None:
            others = {index[other] for other in tied if other in index} - {place}
            if others:
                found[place] = sorted(others)
    places = sorted(found)
    ties = [other for place in places for other in found[place]]
    starts = np.cumsum([0, *(len(found[place]) for place in places)])
    return Ties(np.array(places, np.int64), starts.astype(np.int64), np.array(ties, np.int64))
