"""Cache of encoded words: one file in our own format for each encoder.

A file is used only if its checksum is right. If two processes write at the same time, the later
one wins; the words of the other are encoded again when they are needed.
"""

from pathlib import Path

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.atomic_write import replacing
from lexiscope.data.local_data import cache_folder
from lexiscope.data.vectors.formats import detection, native
from lexiscope.data.vectors.formats.stream import Settings

# Metadata: the cache key of the encoder, and the fingerprint of the embedding.
_ENCODER, _CHECKSUM = "encoder", "encoded_sha256"


def read(identity: str) -> Embedding | None:
    """Return the cached vectors of an encoder; None if there are none or the file is damaged."""
    path = _path(identity)
    if not path.is_file():
        return None
    try:
        found, metadata = detection.read(str(path), Settings(), None), native.metadata_of(path)
    except (BadData, OSError):  # broken, or deleted by another process
        return None
    return found if _metadata(identity, found).items() <= metadata.items() else None


def add(identity: str, fresh: Embedding) -> None:
    """Add vectors to the cache of an encoder."""
    joined = _joined(read(identity), fresh)
    with replacing(_path(identity)) as file:
        native.write(joined, file.name, metadata=_metadata(identity, joined))


def drop(identity: str) -> None:
    """Delete the cache of an encoder."""
    _path(identity).unlink(missing_ok=True)


def _metadata(identity: str, embedding: Embedding) -> dict[str, str]:
    return {_ENCODER: identity, _CHECKSUM: embedding.fingerprint}


def _path(identity: str) -> Path:
    return cache_folder() / "encoded" / f"{identity}.safetensors"


def _joined(cached: Embedding | None, fresh: Embedding) -> Embedding:
    if cached is None or cached.dimension != fresh.dimension:
        return fresh
    new = [row for row, word in enumerate(fresh.words) if word not in cached]
    words = (*cached.words, *(fresh.words[row] for row in new))
    vectors = np.concatenate([cached.vectors, fresh.vectors[new]])
    return Embedding(fresh.name, Vocabulary(words), vectors)
