"""Analogy questions: four words per line.

Sections begin with a line that starts with a colon, or are in a column named section, category or
relation. After a header a1, a2, b1, b2, every comment begins a section.
"""

import re
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from lexiscope.core.datasets import Analogies
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.datasets.formats.columns import NoItems
from lexiscope.data.datasets.formats.tables import Row, is_number, rows_of, text_lines

_HEADERS = ({"a", "a_prime", "b", "b_prime"}, {"a", "b", "c", "d"}, {"a", "b", "c", "answer"})
_MOST_FILES = 1_000
_MOST_PAIRS = 500  # of a file; each two of them are a question
_SECTION = {"section", "category", "relation"}
_COMMENTED = ["a1", "a2", "b1", "b2"]  # the header of files with sections in comments
_COUNTS = re.compile(r"\s*\([PT]# \d+\)")  # how many pairs and questions a section has
_PARTS = ("part1", "part2", "part3", "part4")  # columns of questions among other columns


def read(path: Path, name: str) -> Analogies:
    """Read the questions of a file, each with its section ("" before the first section).

    A folder of word pairs, as BATS has them, gives a section for each file.
    """
    if path.is_dir():
        files = sorted(path.rglob("*.txt"))[:_MOST_FILES]
        return _dataset(path, name, [q for file in files for q in _questions_of_pairs(file)])
    return _dataset(path, name, _questions(path))


def _questions_of_pairs(path: Path) -> list[tuple[str, ...]]:
    """Every two pairs of a file as a question; of alternatives, the first is the answer."""
    found = list(rows_of(path, text_lines(path)))
    for row in found:
        if len(row.fields) != 2 or not all(row.fields):
            raise BadData(f"{path}:{row.line}: expected a pair of words, as in BATS.")
    if len(found) > _MOST_PAIRS:
        raise TooLarge(f"{path}: more than {_MOST_PAIRS:,} pairs for a section of analogies.")
    pairs = [(row.fields[0], row.fields[1].partition("/")[0]) for row in found]
    return [(*one, *other, path.stem) for one, other in permutations(pairs, 2)]


def read_published(paths: Sequence[Path], name: str) -> Analogies:
    """Read the questions of all files of a dataset."""
    return _dataset(paths[0], name, [question for path in paths for question in _questions(path)])


def _dataset(path: Path, name: str, questions: list[tuple[str, ...]]) -> Analogies:
    if not questions:
        raise NoItems(f"{path}: contains no questions.")
    _check_words(path, questions)
    return Analogies(name, *map(word_array, zip(*questions, strict=True)))


def _questions(path: Path) -> list[tuple[str, ...]]:
    """The four words and the section of each question."""
    lines = text_lines(path)
    table = list(rows_of(path, lines))
    names = [field.casefold() for field in table[0].fields] if table else []
    if names == _COMMENTED:
        return _with_commented_sections(path, lines, table)
    if set(_PARTS) <= set(names):
        return [(*_parts(path, row, names), "") for row in table[1:]]
    return _with_sections(path, table)


def _with_commented_sections(
    path: Path, lines: list[str], table: list[Row]
) -> list[tuple[str, ...]]:
    header, *questions = table
    sections, section = [], ""
    for number, line in enumerate(lines, 1):
        if line.startswith("#") and number > header.line:
            section = " ".join(_COUNTS.sub("", line).removeprefix("#").split())
        sections.append(section)
    return [(*_words(path, row), sections[row.line - 1]) for row in questions]


def _parts(path: Path, row: Row, names: list[str]) -> tuple[str, ...]:
    words = [row.fields[i] if i < len(row.fields) else "" for i in map(names.index, _PARTS)]
    return _words(path, row._replace(fields=words))


def _words(path: Path, row: Row) -> tuple[str, ...]:
    if len(row.fields) != 4 or not all(row.fields):
        found = sum(map(bool, row.fields))
        raise BadData(f"{path}:{row.line}: expected four words, found {found}.")
    return tuple(row.fields)


def _with_sections(path: Path, table: list[Row]) -> list[tuple[str, ...]]:
    section = ""
    column: int | None = None
    questions: list[tuple[str, ...]] = []
    for row in table:
        names = [field.casefold() for field in row.fields]
        if row.fields[0].startswith(":"):
            section = " ".join(row.fields).removeprefix(":").strip()
        elif not questions and set(names) - _SECTION in _HEADERS:
            column = next((i for i, name in enumerate(names) if name in _SECTION), None)
        elif column is not None and len(row.fields) == 5 and all(row.fields):
            words = [field for i, field in enumerate(row.fields) if i != column]
            questions.append((*words, row.fields[column]))
        else:
            questions.append((*_words(path, row), section))
    return questions


def _check_words(path: Path, questions: list[tuple[str, ...]]) -> None:
    """Refuse a table with a column of numbers: rated pairs are not questions."""
    for number, column in enumerate(zip(*questions, strict=True)):
        if number < 4 and sum(is_number(word) for word in column) > len(column) / 2:
            raise BadData(
                f"{path}: column {number + 1} contains numbers, so these are not analogy "
                "questions. Rated pairs are word, word, rating; other columns need a header."
            )
