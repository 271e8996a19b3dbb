"""Checkpoints of unfinished trainings.

A checkpoint is a vector file in our own format, so it can be evaluated and converted like any
other. It also contains the state of the training, in tensors whose names begin with `state.`, and
a JSON document that identifies the training and has the CRC-32 of each array.
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.contracts.trainer import State
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data.atomic_write import replacing
from lexiscope.data.vectors.formats import native

_STATE = "state."
_DOCUMENT = "training"


def write(path: Path, embedding: Embedding, state: State, about: Mapping[str, Any]) -> None:
    """Write vectors, state and a description, atomically."""
    arrays = {_STATE + name: np.ascontiguousarray(array) for name, array in state.items()}
    sums = {name: zlib.crc32(array.data) for name, array in arrays.items()}
    document = json.dumps({"about": about, "sums": sums})
    with replacing(path) as file:
        native.write(embedding, file.name, arrays, {_DOCUMENT: document})


def about(path: Path) -> dict[str, Any]:
    """Return the description in the file."""
    found: dict[str, Any] = _document(path)["about"]
    return found


def fill(state: State, path: Path) -> None:
    """Copy the arrays of the file into those of a state, which must have the same shapes."""
    from safetensors import safe_open

    sums = _document(path)["sums"]
    if set(sums) != {_STATE + name for name in state}:
        raise _damaged(path, f"it contains {', '.join(sorted(sums)) or 'nothing'}")
    with safe_open(path, framework="np") as file:
        for name, array in state.items():
            found = file.get_tensor(_STATE + name)
            if (found.shape, found.dtype) != (array.shape, array.dtype):
                raise _damaged(path, f"{name} has the shape {found.shape}, not {array.shape}")
            if zlib.crc32(found.data) != sums[_STATE + name]:
                raise _damaged(path, f"{name} has a wrong checksum")
            array[...] = found


def _document(path: Path) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            metadata, tensors = file.metadata() or {}, set(file.keys())
        found = json.loads(metadata.get(_DOCUMENT, "null"))
    except (SafetensorError, OSError, ValueError, RecursionError) as problem:
        raise _damaged(path, shown(str(problem), 80)) from None
    if not (isinstance(found, dict) and found.keys() == {"about", "sums"}):
        raise _damaged(path, "it does not identify its training")
    if not all(isinstance(part, dict) for part in found.values()) or found["sums"].keys() - tensors:
        raise _damaged(path, "it lacks some of its tensors")
    return found


def _damaged(path: Path, why: str) -> BadData:
    return BadData(
        f"{path}: the checkpoint is damaged ({why}). Remove it, or train from scratch with --force."
    )
