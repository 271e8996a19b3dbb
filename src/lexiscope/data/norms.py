"""Norms: a number for each word, such as how concrete people find it."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lexiscope.core.errors import BadData
from lexiscope.data.datasets._columns import names_of, number_in, place_of, table_of, word_in
from lexiscope.data.datasets._tables import Row, is_number

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
    """A number by word, as the file spells it.

    The number is the column so named, or the one a header names concreteness (Conc.M), rating or
    mean; without a header the second. A word that stands twice must have the same number.
    """
    table = table_of(path, "words")
    places = _places(path, table[0], column)
    table = table[1:] if places else table
    word_place, number_place = places or (0, 1)
    norms: dict[str, float] = {}
    for row in table:
        word = word_in(path, row, word_place, "word")
        number = number_in(path, row, number_place, "norm")
        if norms.setdefault(word, number) != number:
            raise BadData(f"{path}:{row.line}: '{word}' has another number further up.")
    if not norms:
        raise BadData(f"{path}: holds no words.")
    return MappingProxyType(norms)


def _places(path: Path, first: Row, column: str | None) -> tuple[int, int] | None:
    """Where the word and the number stand, or None when the first row is no header."""
    folded = [field.casefold() for field in first.fields]
    word = place_of(folded, _WORD)
    number = place_of(folded, (column.casefold(),) if column else _NUMBER)
    if word is not None and number is not None:
        names_of(path, first)
        return word, number
    if column or not any(map(is_number, first.fields)):
        wanted = column or ", ".join(_NUMBER)
        raise BadData(f"{path}:{first.line}: the header names no column word and none of {wanted}.")
    return None
