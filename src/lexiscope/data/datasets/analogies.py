"""Analogy questions: four words per line.

Sections begin with a line that starts with a colon, or are in a column named section, category or
relation.
"""

from pathlib import Path

from lexiscope.core.datasets import Analogies
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.columns import NoItems
from lexiscope.data.datasets.formats.tables import is_number, rows

_HEADERS = ({"a", "a_prime", "b", "b_prime"}, {"a", "b", "c", "d"}, {"a", "b", "c", "answer"})
_SECTION = {"section", "category", "relation"}


def read(path: Path, name: str) -> Analogies:
    """Read the questions of a file, each with its section ("" before the first section)."""
    section = ""
    column: int | None = None
    questions: list[tuple[str, ...]] = []
    for row in rows(path):
        names = [field.casefold() for field in row.fields]
        if row.fields[0].startswith(":"):
            section = " ".join(row.fields).removeprefix(":").strip()
        elif not questions and set(names) - _SECTION in _HEADERS:
            column = next((i for i, name in enumerate(names) if name in _SECTION), None)
        elif column is not None and len(row.fields) == 5 and all(row.fields):
            words = [field for i, field in enumerate(row.fields) if i != column]
            questions.append((*words, row.fields[column]))
        elif len(row.fields) != 4 or not all(row.fields):
            found = sum(map(bool, row.fields))
            raise BadData(f"{path}:{row.line}: expected four words, found {found}.")
        else:
            questions.append((*row.fields, section))
    if not questions:
        raise NoItems(f"{path}: contains no questions.")
    _check_words(path, questions)
    return Analogies(name, *map(word_array, zip(*questions, strict=True)))


def _check_words(path: Path, questions: list[tuple[str, ...]]) -> None:
    """Refuse a table with a column of numbers: rated pairs are not questions."""
    for number, column in enumerate(zip(*questions, strict=True)):
        if number < 4 and sum(is_number(word) for word in column) > len(column) / 2:
            raise BadData(
                f"{path}: column {number + 1} contains numbers, so these are not analogy "
                "questions. Rated pairs are word, word, rating; other columns need a header."
            )
