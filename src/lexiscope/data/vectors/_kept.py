"""Vectors that encoders gave before, in the cache: our own format, one file for each identity.

A file counts only when its checksum holds. Of two processes that write at the same moment the
later one wins: the file is whole, and what the other added is encoded again when next needed.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.library import cache_folder


def read(identity: str) -> Embedding | None:
    """The vectors kept under an identity; None when there are none or the file is not whole."""
    from lexiscope.data.vectors import load

    place = _place(identity)
    if not place.is_file():
        return None
    try:
        found = load(place)
    except (BadData, OSError):  # broken, or gone since the line above
        return None
    return found if found.origin == _seal(identity, found) else None


def add(identity: str, fresh: Embedding) -> None:
    """Keep these vectors beside those that are there."""
    from lexiscope.data.vectors import save

    joined = _joined(read(identity), fresh)
    save(replace(joined, origin=_seal(identity, joined)), _place(identity))


def drop(identity: str) -> None:
    """Forget what is kept under an identity."""
    _place(identity).unlink(missing_ok=True)


def _place(identity: str) -> Path:
    return cache_folder() / "encoded" / f"{identity}.safetensors"


def _seal(identity: str, embedding: Embedding) -> str:
    return f"encoded {identity} sha256 {embedding.fingerprint}"


def _joined(kept: Embedding | None, fresh: Embedding) -> Embedding:
    if kept is None or kept.dimension != fresh.dimension:
        return fresh
    places = [place for place, word in enumerate(fresh.words) if word not in kept]
    words = (*kept.words, *(fresh.words[place] for place in places))
    vectors = np.concatenate([kept.vectors, fresh.vectors[places]])
    return Embedding(fresh.name, Vocabulary(words), vectors)
