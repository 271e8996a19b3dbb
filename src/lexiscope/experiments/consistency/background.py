"""The background of a consistency experiment, from an embedding."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import Policy
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.vocabulary import align
from lexiscope.training.record import read_record

POLICY = Policy("own", "fold")


class LoadedBackground(NamedTuple):
    """A background with its name and the fingerprint of its vectors."""

    name: str
    fingerprint: str
    background: Background
    repairs: tuple[str, ...]


def background_from(source: Any, inputs: Inputs) -> LoadedBackground:
    """Load a background: lower-cased words, counts if the source has them, output vectors if any.

    Vectors that lexiscope trained with `--space both` have input and output vectors.
    """
    reading = Reading(None, inputs.on_error, inputs.local_data)
    (given,) = embeddings_from([source], (), reading)
    whole = align(given, POLICY).embedding
    inputs_only, output = _spaces(whole, source)
    background = Background(
        tuple(inputs_only.words),
        np.ascontiguousarray(inputs_only.dense_vectors("A background"), np.float32),
        inputs_only.counts,
        output,
    )
    return LoadedBackground(given.name, given.fingerprint, background, given.repairs)


def _spaces(embedding: Embedding, source: Any) -> tuple[Embedding, NDArray[np.float32] | None]:
    """Split input and output vectors, if the record of a training says that both are there."""
    record = read_record(Path(source)) if isinstance(source, str | Path) else None
    settings = ((record or {}).get("trainer") or {}).get("settings") or {}
    if settings.get("space") != "both":
        return embedding, None
    vectors = embedding.dense_vectors("A background")
    half = vectors.shape[1] // 2
    output = np.ascontiguousarray(vectors[:, half:], np.float32)
    return replace(embedding, vectors=np.ascontiguousarray(vectors[:, :half])), output
