"""Reader of Parquet and Arrow (Feather) files: a column of words, and the vectors.

The vectors are one column of lists of numbers, or one column of numbers for each dimension.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, MissingExtra, TooLarge
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.stream import MOST_DIMENSIONS, MOST_ROWS, Settings, Source

_PARQUET = b"PAR1"
_ARROW = (b"ARROW1", b"\xff\xff\xff\xff")
_WORDS = ("word", "words", "token", "tokens", "key", "text", "term")
_LARGEST_RATIO = 200
_ALWAYS_ALLOWED = 1 << 24
_BYTES_OF_VALUE = 8
_INDEX = "__index_level_0__"


def looks_columnar(head: bytes) -> bool:
    """Whether these are the first bytes of a Parquet or Arrow file."""
    return head.startswith((_PARQUET, *_ARROW))


def read(source: Source, settings: Settings) -> Embedding:
    """Read the words and vectors of a Parquet or Arrow file."""
    path = source.path
    if source.size is None:
        raise BadData(
            f"{path}: is compressed. Unpack it first: the format has its own compression."
        )
    arrow = _arrow("lib")
    try:
        table = _table(path, source.head, source.size)
        table.validate(full=True)
        words, vectors = _words_and_vectors(path, table)
    except (arrow.ArrowException, OSError, ValueError, MemoryError, OverflowError) as problem:
        raise BadData(
            f"{path}: the file is broken ({shown(str(problem), 90)}). Download or write it again."
        ) from None
    number = len(words) if settings.limit is None else settings.limit
    return from_columns("", words[:number], vectors[:number], path, settings.on_error)


def _arrow(part: str) -> Any:
    """A module of pyarrow, which is optional."""
    try:
        return import_module(f"pyarrow.{part}")
    except ImportError:
        raise MissingExtra("A Parquet or Arrow file", "arrow") from None


def _table(path: str, head: bytes, size: int) -> Any:
    """The table of the file, whose announced size is checked first."""
    if head.startswith(_PARQUET):
        file = _arrow("parquet").ParquetFile(path, memory_map=True)
        about = file.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        _check_size(path, about.num_rows, about.num_columns)
        columns = [group.column(n) for group in groups for n in range(group.num_columns)]
        _check_content(path, sum(_BYTES_OF_VALUE * max(0, c.num_values) for c in columns), size)
        _check_content(path, sum(group.total_byte_size for group in groups), size)
        return file.read()
    arrow, ipc = _arrow("lib"), _arrow("ipc")
    with arrow.memory_map(path) as mapped:
        is_file = head.startswith(_ARROW[0])
        reader = ipc.open_file(mapped) if is_file else ipc.open_stream(mapped)
        number = reader.num_record_batches if is_file else 0
        batches = (reader.get_batch(n) for n in range(number)) if is_file else reader
        kept, total = [], 0
        for batch in batches:
            total += batch.nbytes
            _check_content(path, total, size)
            kept.append(batch)
        table = arrow.Table.from_batches(kept, reader.schema)
        _check_size(path, table.num_rows, table.num_columns)
        return table


def _check_size(path: str, rows: int, columns: int) -> None:
    if not 0 < rows <= MOST_ROWS or columns > MOST_DIMENSIONS + 8:
        raise BadData(
            f"{path}: has {rows:,} rows and {columns:,} columns; 1 to {MOST_ROWS:,} rows and at "
            f"most {MOST_DIMENSIONS:,} dimensions are read."
        )


def _check_content(path: str, content: int, size: int) -> None:
    if not 0 <= content <= max(_ALWAYS_ALLOWED, _LARGEST_RATIO * size):
        raise TooLarge(
            f"{path}: {content:,} bytes from {size:,} compressed bytes, a ratio that no file of "
            "vectors has."
        )


def _words_and_vectors(path: str, table: Any) -> tuple[list[Any], NDArray[Any]]:
    types = _arrow("types")

    def is_text(kind: Any) -> bool:
        inner = kind.value_type if types.is_dictionary(kind) else kind
        return bool(types.is_string(inner) or types.is_large_string(inner))

    def is_list(kind: Any) -> bool:
        lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
        return bool(lists and _is_number(kind.value_type))

    texts = [field.name for field in table.schema if is_text(field.type)]
    lists = [field.name for field in table.schema if is_list(field.type)]
    numbers = [f.name for f in table.schema if _is_number(f.type) and f.name != _INDEX]
    words = next((name for name in texts if name.lower() in _WORDS), texts[0] if texts else None)
    if words is None or len(lists) > 1 or not (lists or numbers):
        listing = ", ".join(
            f"{shown(f.name)} {shown(str(f.type), 30)}" for f in list(table.schema)[:8]
        )
        raise BadData(
            f"{path}: expected a column of words, and one column of lists of numbers or one column "
            f"for each dimension, found {listing}."
        )
    vectors = _listed(path, table, lists[0]) if lists else _side_by_side(path, table, numbers)
    return table.column(words).to_pylist(), vectors


def _is_number(kind: Any) -> bool:
    types = _arrow("types")
    return bool(types.is_floating(kind) or types.is_integer(kind))


def _listed(path: str, table: Any, name: str) -> NDArray[Any]:
    """The vectors of a column of lists of equal length."""
    functions = _arrow("compute")
    column = table.column(name).combine_chunks()
    lengths = functions.list_value_length(column)
    if column.null_count or len(functions.unique(lengths)) != 1:
        raise BadData(f"{path}: the vectors in column '{shown(name)}' have different lengths.")
    numbers = column.flatten()
    if numbers.null_count:
        raise BadData(f"{path}: a number is missing in column '{shown(name)}'.")
    return np.asarray(numbers.to_numpy(zero_copy_only=False)).reshape(len(column), -1)


def _side_by_side(path: str, table: Any, names: list[str]) -> NDArray[Any]:
    """The vectors of a table with one column for each dimension."""
    columns = [table.column(name) for name in names]
    for name, column in zip(names, columns, strict=True):
        if column.null_count:
            raise BadData(f"{path}: a number is missing in column '{shown(name)}'.")
    return np.stack([column.to_numpy() for column in columns], axis=1)
