"""Analogy questions: four words a line, sections opened by lines that begin with a colon, or in a
column whose header is section, category or relation."""

from pathlib import Path

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Analogies
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import is_number, rows

_HEADERS = ({"a", "a_prime", "b", "b_prime"}, {"a", "b", "c", "d"}, {"a", "b", "c", "answer"})
_SECTION = {"section", "category", "relation"}


def read(path: Path, name: str) -> Analogies:
    """The questions of a file, each with the section it stands in ("" before the first)."""
    section = ""
    column: int | None = None
    questions: list[tuple[str, ...]] = []
    for row in rows(path):
        names = [field.casefold() for field in row.fields]
        if row.fields[0].startswith(":"):
            section = " ".join(row.fields).removeprefix(":").strip()
        elif not questions and set(names) - _SECTION in _HEADERS:
            column = next((place for place, name in enumerate(names) if name in _SECTION), None)
        elif column is not None and len(row.fields) == 5 and all(row.fields):
            words = [field for place, field in enumerate(row.fields) if place != column]
            questions.append((*words, row.fields[column]))
        elif len(row.fields) != 4 or not all(row.fields):
            found = sum(map(bool, row.fields))
            raise BadData(f"{path}:{row.line}: expected four words, found {found}.")
        else:
            questions.append((*row.fields, section))
    if not questions:
        raise BadData(f"{path}: holds no questions.")
    _must_be_words(path, questions)
    return Analogies(name, *map(word_array, zip(*questions, strict=True)))


def _must_be_words(path: Path, questions: list[tuple[str, ...]]) -> None:
    """Refuse a table with a column of numbers: rated pairs are no questions."""
    for place, column in enumerate(zip(*questions, strict=True)):
        if place < 4 and sum(is_number(word) for word in column) > len(column) / 2:
            raise BadData(
                f"{path}: column {place + 1} holds numbers, so these are no analogy questions. "
                "Rated pairs are word, word, rating; other columns need a header that names them."
            )
