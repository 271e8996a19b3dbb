"""Sparse vectors as tensors of our own format.

`values` float32 are the non-zero numbers, row by row; `columns` int32 their dimensions, increasing
within a row; `row_ends` int64 the end of each row in them. The number of dimensions is in the
metadata, because the last ones may be zero for every word.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.vectors import MOST_DIMENSIONS, Sparse, content, sparse_rows

FORMAT = "lexiscope sparse embedding 1"
_KINDS = {"values": np.float32, "columns": np.int32, "row_ends": np.int64}
TENSORS = set(_KINDS)
_DAMAGED = "the sparse vectors are damaged. Download or write the file again."

Tensors = dict[str, NDArray[Any]]


def tensors_of(vectors: Sparse) -> Tensors:
    """Return the tensors of sparse vectors."""
    values, columns, starts = content(vectors)
    return {"values": values, "columns": columns, "row_ends": np.ascontiguousarray(starts[1:])}


def vectors_of(path: str, tensors: Tensors, words: int, announced: str) -> Sparse:
    """Return the vectors in the tensors of an untrusted file.

    The structure is checked here. Whether the numbers are finite is checked when the vectors are
    first used, as for dense ones.
    """
    dimension = _dimension(path, announced)
    values, columns, ends = (_list(path, tensors, *each) for each in _KINDS.items())
    if len(ends) != words:
        raise BadData(f"{path}: {words:,} words for {len(ends):,} sparse vectors.")
    if len(columns) != len(values):
        raise BadData(f"{path}: {len(values):,} numbers for {len(columns):,} columns.")
    if not _increases(ends, len(values)) or not _inside(columns, dimension):
        raise BadData(f"{path}: {_DAMAGED}")
    rows = sparse_rows(values, columns, np.append(0, ends), (words, dimension))
    if not rows.has_canonical_format or np.count_nonzero(values) < len(values):
        raise BadData(f"{path}: {_DAMAGED}")
    return rows


def _dimension(path: str, announced: str) -> int:
    plain = announced.isascii() and announced.isdecimal() and len(announced) < 12
    if not plain or not 0 < int(announced) <= MOST_DIMENSIONS:
        raise BadData(
            f"{path}: announces '{shown(announced, 20)}' dimensions for its sparse vectors; 1 to "
            f"{MOST_DIMENSIONS:,} are possible."
        )
    return int(announced)


def _list(path: str, tensors: Tensors, name: str, kind: type) -> NDArray[Any]:
    found = tensors[name]
    if found.ndim != 1 or found.dtype != kind:
        raise BadData(f"{path}: {name} {found.shape} {found.dtype}: {_DAMAGED}")
    # A header may place numbers at any byte offset; unaligned ones are copied.
    return np.require(found, requirements="A")


def _increases(ends: NDArray[np.int64], end: int) -> bool:
    return bool(ends[0] >= 0 and (ends[1:] >= ends[:-1]).all() and ends[-1] == end)


def _inside(columns: NDArray[np.int32], dimension: int) -> bool:
    return not len(columns) or (columns.min() >= 0 and columns.max() < dimension)
