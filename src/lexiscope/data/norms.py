"""Norms: a number for each word, such as a concreteness rating or a count."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import (
    column_index,
    header_names,
    number_field,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.tables import Row, is_number

_WORD = ("word", "term", "lemma")
_NUMBER = (
    "concreteness",
    "conc.m",
    "rating",
    "mean",
    "score",
    "value",
    "count",
    "frequency",
    "freq",
)


def read(path: Path, column: str | None = None) -> Mapping[str, float]:
    """Read the number of each word, in the original spelling.

    Parameters
    ----------
    path : Path
        A table of words and numbers.
    column : str, optional
        The name of the number column. The default is a column named concreteness (Conc.M),
        rating, mean or similar, or the second column if there is no header.

    Returns
    -------
    mapping of str to float
        A word that occurs twice must have the same number.
    """
    table = read_table(path, "words")
    columns = _columns(path, table[0], column)
    table = table[1:] if columns else table
    word_column, number_column = columns or (0, 1)
    norms: dict[str, float] = {}
    for row in table:
        word = word_field(path, row, word_column, "word")
        number = number_field(path, row, number_column, "norm")
        if norms.setdefault(word, number) != number:
            raise BadData(f"{path}:{row.line}: '{word}' has a different number in an earlier line.")
    if not norms:
        raise BadData(f"{path}: contains no words.")
    return MappingProxyType(norms)


def _columns(path: Path, first: Row, column: str | None) -> tuple[int, int] | None:
    """The word column and the number column, or None if the first row is not a header."""
    folded = [field.casefold() for field in first.fields]
    word = column_index(folded, _WORD)
    number = column_index(folded, (column.casefold(),) if column else _NUMBER)
    if word is not None and number is not None:
        header_names(path, first)
        return word, number
    if column or not any(map(is_number, first.fields)):
        wanted = column or ", ".join(_NUMBER)
        raise BadData(
            f"{path}:{first.line}: the header must name a column word and one of {wanted}."
        )
    return None
