"""Out-of-vocabulary words of datasets get the vectors that a model computes from their parts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage

_SHOWN = 8


def with_composed(embedding: Embedding, words: Iterable[str], path: str) -> Embedding:
    """Return the embedding with vectors for those of the words that are OOV.

    Words without known parts stay OOV. `composed` and a note in `repairs` say which vectors were
    computed, because they are no vectors of words.
    """
    subwords = embedding.subwords
    if subwords is None:
        return embedding
    wanted = {word for word in words if word}
    unknown = sorted(word for word in wanted if word not in embedding)
    if not len(embedding) and not wanted:
        raise BadUsage(
            f"{path}: has no list of words, only vectors of {subwords.parts}. Give the "
            "words: lexiscope.load(path, words=[...])."
        )
    if not unknown:
        return embedding
    vectors = subwords.vectors_of(unknown)
    usable = np.flatnonzero(vectors.any(axis=1) & np.isfinite(vectors).all(axis=1))
    added = [unknown[row] for row in usable.tolist()]
    counts = embedding.counts
    return replace(
        embedding,
        vocabulary=embedding.vocabulary.plus(added),
        vectors=np.vstack([embedding.dense_vectors("Adding vectors"), vectors[usable]]),
        counts=None if counts is None else np.append(counts, np.zeros(len(added), np.int64)),
        composed=frozenset(added),
        repairs=(*embedding.repairs, *_notes(embedding, added, len(wanted))),
    )


def _notes(embedding: Embedding, added: Sequence[str], wanted: int) -> tuple[str, ...]:
    """How many words are OOV in any letter case; other words keep the vector of a variant."""
    assert embedding.subwords is not None
    known = {word.casefold() for word in embedding.words} if added else set()
    absent = [word for word in added if word.casefold() not in known]
    if not absent:
        return ()
    some = ", ".join(shown(word) for word in absent[:_SHOWN])
    more = f" and {len(absent) - _SHOWN:,} more" if len(absent) > _SHOWN else ""
    return (
        f"{len(absent):,} of the {wanted:,} words of the datasets are OOV; their vectors were "
        f"computed from {embedding.subwords.parts}: {some}{more}.",
    )
