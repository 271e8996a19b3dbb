"""Counted rows in memory or in temporary files, and their assembly into a matrix.

The files are anonymous: the operating system removes them with the process.
"""

import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.cooccurrence.rows import Counts, merge_block, new_tally, row_blocks
from lexiscope.core.errors import BadUsage

_MAX_INT32 = np.iinfo(np.int32).max
_CHUNK = 1 << 16  # entries


class Run(NamedTuple):
    """Counts of all words, with entries in temporary files."""

    lengths: NDArray[np.int32]
    columns: IO[bytes]
    sums: IO[bytes]


def write_run(pieces: Iterable[Counts], files: ExitStack) -> Run:
    """Write counts to temporary files, which `files` closes."""
    columns = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - `files` is the manager
    sums = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
    lengths = []
    for piece in pieces:
        lengths.append(piece.lengths)
        _write(columns, piece.columns)
        _write(sums, piece.sums)
    return Run(np.concatenate(lengths), columns, sums)


def merge_runs(runs: Sequence[Run]) -> Iterator[Counts]:
    """Sum of the counts of runs, in blocks of rows; closes their files."""
    lengths = np.stack([run.lengths for run in runs])
    entries = lengths.sum(axis=0, dtype=np.int64)
    capacity = lengths.size  # the longest possible row of all runs
    tally = new_tally(len(entries), capacity)
    for run in runs:
        run.columns.seek(0)
        run.sums.seek(0)
    for first, last in row_blocks(entries, capacity, entries, capacity):
        block = lengths[:, first:last]
        sizes = block.sum(axis=1, dtype=np.int64).tolist()
        columns = _read([run.columns for run in runs], sizes, np.int32)
        sums = _read([run.sums for run in runs], sizes, np.int64)
        yield merge_block(block, columns, sums, tally)
    for run in runs:
        run.columns.close()
        run.sums.close()


def build_matrix(pieces: Iterator[Counts], words: int, scale: int, memory_limit: int) -> Any:
    """Rows divided by `scale` as float64 CSR, memory-mapped if they exceed `memory_limit` bytes."""
    blocks: deque[Counts] = deque()
    size = 0
    for piece in pieces:
        blocks.append(piece)
        size += sum(part.nbytes for part in piece)
        if size > memory_limit:
            return _memory_mapped(chain(_drain(blocks), pieces), words, scale)
    return _in_memory(blocks, words, scale)


def _drain(blocks: deque[Counts]) -> Iterator[Counts]:
    while blocks:
        yield blocks.popleft()


def _in_memory(blocks: deque[Counts], words: int, scale: int) -> Any:
    bounds = _bounds([piece.lengths for piece in blocks])
    columns = np.empty(bounds[-1], bounds.dtype)
    data = np.empty(bounds[-1], np.float64)
    filled = 0
    for piece in _drain(blocks):
        end = filled + len(piece.sums)
        columns[filled:end] = piece.columns
        np.divide(piece.sums, scale, out=data[filled:end])
        filled = end
    return _csr(data, columns, bounds, words)


def _memory_mapped(pieces: Iterator[Counts], words: int, scale: int) -> Any:
    lengths = []
    with tempfile.TemporaryFile() as columns, tempfile.TemporaryFile() as data:
        for piece in pieces:
            lengths.append(piece.lengths)
            _write(columns, piece.columns)
            _write(data, piece.sums / scale)
        bounds = _bounds(lengths)
        number = int(bounds[-1])
        values = np.memmap(data, np.float64, "r+", shape=number)
        return _csr(values, _memory_mapped_columns(columns, number, bounds.dtype), bounds, words)


def _memory_mapped_columns(narrow: IO[bytes], number: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Columns in a file, of the dtype of the bounds: otherwise SciPy would copy them to memory."""
    if dtype == np.int32:
        return np.memmap(narrow, np.int32, "r+", shape=number)
    narrow.seek(0)
    with tempfile.TemporaryFile() as wide:
        for start in range(0, number, _CHUNK):
            chunk = _read([narrow], [min(_CHUNK, number - start)], np.int32)
            _write(wide, chunk.astype(dtype))
        return np.memmap(wide, dtype, "r+", shape=number)


def _bounds(lengths: list[NDArray[np.int32]]) -> NDArray[Any]:
    """Row pointers, in 32 bits if they fit."""
    ends = np.cumsum(np.concatenate(lengths), dtype=np.int64)
    dtype = np.int32 if ends[-1] <= _MAX_INT32 else np.int64
    return np.concatenate([[0], ends]).astype(dtype)


def _csr(data: NDArray[Any], columns: NDArray[Any], bounds: NDArray[Any], words: int) -> Any:
    from scipy.sparse import csr_array

    found = csr_array((data, columns, bounds), (words, words))
    found.has_canonical_format = True  # sorted, without duplicates: SciPy need not check
    return found


def _write(file: IO[bytes], array: NDArray[Any]) -> None:
    try:
        file.write(array.view(np.uint8).data)
        file.flush()
    except OSError as error:
        raise BadUsage(
            f"Counts beyond the memory limit do not fit into {tempfile.gettempdir()}"
            f" ({error.strerror}): set TMPDIR to a folder with more space, or raise"
            " LEXISCOPE_MEMORY."
        ) from error


def _read(files: list[IO[bytes]], sizes: list[int], dtype: type[Any]) -> NDArray[Any]:
    """The next entries of each file, concatenated."""
    found = np.empty(sum(sizes), dtype)
    filled = 0
    for file, size in zip(files, sizes, strict=True):
        file.readinto(found[filled : filled + size].view(np.uint8).data)  # type: ignore[attr-defined]
        filled += size
    return found
