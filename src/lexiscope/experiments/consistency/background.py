"""The background of a consistency experiment, from an embedding."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.data import norms
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.vocabulary import align
from lexiscope.experiments.identity import hashed
from lexiscope.training.record import read_record

POLICY = Policy("own", "fold")


class LoadedBackground(NamedTuple):
    """A background with its name and the fingerprint of its vectors."""

    name: str
    fingerprint: str
    background: Background
    repairs: tuple[str, ...]


def background_from(source: Any, inputs: Inputs) -> LoadedBackground:
    """Load a background: lower-cased words, counts if any, output vectors if any.

    Counts come from the table of frequencies if there is one, else from the source.

    Vectors that lexiscope trained with `--space both` have input and output vectors.
    """
    reading = Reading(None, inputs.on_error, inputs.local_data)
    (given,) = embeddings_from([source], (), reading)
    whole = align(given, POLICY).embedding
    inputs_only, output = _spaces(whole, source)
    words, counts, fingerprint = tuple(inputs_only.words), inputs_only.counts, given.fingerprint
    if inputs.frequencies is not None:
        counts = counts_from(inputs.frequencies, words)
        fingerprint = hashed([fingerprint, counts.tolist()])
    vectors = np.ascontiguousarray(inputs_only.dense_vectors("A background"), np.float32)
    background = Background(words, vectors, counts, output)
    return LoadedBackground(given.name, fingerprint, background, given.repairs)


def counts_from(table: str | Path, words: Sequence[str]) -> NDArray[np.int64]:
    """Return the counts of lower-cased words in a table; 0 for words that it lacks.

    The counts of all spellings of a word are added.
    """
    totals: Counter[str] = Counter()
    for word, count in norms.read(Path(table)).items():
        if count < 0 or count != int(count):
            raise BadData(f"{table}: the count of '{shown(word, 40)}' is {count:g}, not a number.")
        totals[word.casefold()] += int(count)
    counts = np.array([totals[word] for word in words], np.int64)
    if not counts.any():
        raise BadData(f"{table}: contains no word of the background.")
    return counts


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
