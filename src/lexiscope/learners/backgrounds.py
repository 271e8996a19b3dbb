"""Backgrounds: the frozen space of term models, from an embedding."""

from typing import Literal

import numpy as np

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage

Space = Literal["input", "both"]


def background_from(embedding: Embedding, space: Space = "input") -> Background:
    """The background of an embedding.

    Parameters
    ----------
    embedding : Embedding
        Dense vectors; their counts are used if there are any.
    space : {"input", "both"}
        "both" if each vector is an input vector followed by an output vector, as
        `lexiscope train skipgram --space both` saves them.
    """
    vectors = embedding.dense_vectors("A background of term vectors")
    counts, words = embedding.counts, tuple(embedding.words)
    if space == "input":
        return Background(words, vectors, counts)
    if embedding.dimension % 2:
        raise BadUsage(
            f"{embedding.name}: has {embedding.dimension} dimensions, so its vectors are not input "
            "and output vectors of one length. Use --background-space input."
        )
    half = embedding.dimension // 2
    inputs, outputs = (
        np.ascontiguousarray(part) for part in (vectors[:, :half], vectors[:, half:])
    )
    return Background(words, inputs, counts, outputs)
