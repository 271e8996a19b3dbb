"""Counted rows in memory or in temporary files, and the matrix made of them.

The files have no name and vanish with their last user, whatever happens to the process.
"""

import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadUsage
from lexiscope.stats.counts import Counts, merged_rows, new_tally, row_blocks

_LARGEST = np.iinfo(np.int32).max
_CHUNK = 1 << 16  # entries


class Run(NamedTuple):
    """Counts of all words, their entries in files."""

    lengths: NDArray[np.int32]
    columns: IO[bytes]
    sums: IO[bytes]


def stored(pieces: Iterable[Counts], files: ExitStack) -> Run:
    """Counts written to files, which `files` closes."""
    columns = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - `files` is the manager
    sums = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
    lengths = []
    for piece in pieces:
        lengths.append(piece.lengths)
        _write(columns, piece.columns)
        _write(sums, piece.sums)
    return Run(np.concatenate(lengths), columns, sums)


def merged_runs(runs: Sequence[Run]) -> Iterator[Counts]:
    """The sum of counts in files, some rows at a time; closes the files."""
    lengths = np.stack([run.lengths for run in runs])
    entries = lengths.sum(axis=0, dtype=np.int64)
    capacity = lengths.size  # the longest possible row of all runs
    room = new_tally(len(entries), capacity)
    for run in runs:
        run.columns.seek(0)
        run.sums.seek(0)
    for first, last in row_blocks(entries, capacity, entries, capacity):
        block = lengths[:, first:last]
        sizes = block.sum(axis=1, dtype=np.int64).tolist()
        columns = _read([run.columns for run in runs], sizes, np.int32)
        sums = _read([run.sums for run in runs], sizes, np.int64)
        yield merged_rows(block, columns, sums, room)
    for run in runs:
        run.columns.close()
        run.sums.close()


def matrix(pieces: Iterator[Counts], words: int, scale: int, held: int) -> Any:
    """Rows divided by `scale` as float64 CSR; mapped from files if they take more than `held`."""
    kept: deque[Counts] = deque()
    size = 0
    for piece in pieces:
        kept.append(piece)
        size += piece.nbytes
        if size > held:
            return _mapped(chain(_emptied(kept), pieces), words, scale)
    return _in_memory(kept, words, scale)


def _emptied(kept: deque[Counts]) -> Iterator[Counts]:
    while kept:
        yield kept.popleft()


def _in_memory(kept: deque[Counts], words: int, scale: int) -> Any:
    bounds = _bounds([piece.lengths for piece in kept])
    columns = np.empty(bounds[-1], bounds.dtype)
    data = np.empty(bounds[-1], np.float64)
    place = 0
    for piece in _emptied(kept):
        end = place + len(piece.sums)
        columns[place:end] = piece.columns
        np.divide(piece.sums, scale, out=data[place:end])
        place = end
    return _csr(data, columns, bounds, words)


def _mapped(pieces: Iterator[Counts], words: int, scale: int) -> Any:
    lengths = []
    with tempfile.TemporaryFile() as columns, tempfile.TemporaryFile() as data:
        for piece in pieces:
            lengths.append(piece.lengths)
            _write(columns, piece.columns)
            _write(data, piece.sums / scale)
        bounds = _bounds(lengths)
        number = int(bounds[-1])
        values = np.memmap(data, np.float64, "r+", shape=number)
        return _csr(values, _mapped_columns(columns, number, bounds.dtype), bounds, words)


def _mapped_columns(narrow: IO[bytes], number: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Columns in a file, as wide as the bounds are: scipy would copy them into memory otherwise."""
    if kind == np.int32:
        return np.memmap(narrow, np.int32, "r+", shape=number)
    narrow.seek(0)
    with tempfile.TemporaryFile() as wide:
        for done in range(0, number, _CHUNK):
            chunk = _read([narrow], [min(_CHUNK, number - done)], np.int32)
            _write(wide, chunk.astype(kind))
        return np.memmap(wide, kind, "r+", shape=number)


def _bounds(lengths: list[NDArray[np.int32]]) -> NDArray[Any]:
    """Where rows begin and end, in 32 bits if they fit."""
    ends = np.cumsum(np.concatenate(lengths), dtype=np.int64)
    kind = np.int32 if ends[-1] <= _LARGEST else np.int64
    return np.concatenate([[0], ends]).astype(kind)


def _csr(data: NDArray[Any], columns: NDArray[Any], bounds: NDArray[Any], words: int) -> Any:
    from scipy.sparse import csr_array

    found = csr_array((data, columns, bounds), (words, words))
    found.has_canonical_format = True  # sorted, no doubles: nobody needs to look again
    return found


def _write(file: IO[bytes], array: NDArray[Any]) -> None:
    try:
        file.write(array.view(np.uint8).data)
        file.flush()
    except OSError as error:
        raise BadUsage(
            f"Counts beyond the memory limit do not fit into {tempfile.gettempdir()}"
            f" ({error.strerror}): set TMPDIR to a folder with room, or LEXISCOPE_MEMORY higher."
        ) from error


def _read(files: list[IO[bytes]], sizes: list[int], kind: type[Any]) -> NDArray[Any]:
    """The next entries of each file, one after the other."""
    found = np.empty(sum(sizes), kind)
    place = 0
    for file, size in zip(files, sizes, strict=True):
        file.readinto(found[place : place + size].view(np.uint8).data)  # type: ignore[attr-defined]
        place += size
    return found
