"""Synonym questions: a query, four options and the correct answer.

The file is a table with a header, a table without one (query, answer, three distractors), or has
the format of the TOEFL questions, with the answers in a second file.
"""

from pathlib import Path
from typing import NamedTuple

from lexiscope.core.datasets import SynonymQuestions
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats import toefl as _toefl
from lexiscope.data.datasets.formats.columns import (
    NoItems,
    column_index,
    header_names,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.question import check_question
from lexiscope.data.datasets.formats.tables import Row, is_number

_QUERY = ("query", "question", "word", "target", "stem")
_ANSWER = ("answer", "correct", "synonym", "gold")
_LETTERS = ("a", "b", "c", "d")
_OPTIONS = ("option", "choice")
_DISTRACTORS = ("distractor", "other", "wrong")


class _Layout(NamedTuple):
    """Indices of the columns; the answer is one of the options if there are four of them."""

    query: int
    answer: int
    options: tuple[int, ...]


def read(path: Path, name: str) -> SynonymQuestions:
    """Read the questions of a file; the order of the options does not matter."""
    table = read_table(path, "questions")
    if _toefl.is_toefl(table):
        questions = _toefl.questions(path, table)
    else:
        layout = _layout(path, table[0])
        table = table[1:] if layout else table
        questions = [_question(path, row, layout or _Layout(0, 1, (2, 3, 4))) for row in table]
    if not questions:
        raise NoItems(f"{path}: contains no questions.")
    return SynonymQuestions(name, *map(word_array, zip(*questions, strict=True)))


def _layout(path: Path, first: Row) -> _Layout | None:
    """The columns by name, or None if the first row is not a header."""
    folded = [field.casefold() for field in first.fields]
    query, answer = column_index(folded, _QUERY), column_index(folded, _ANSWER)
    if query is None or answer is None:
        return None
    names = header_names(path, first)
    for kinds, number in ((_OPTIONS, 4), (_DISTRACTORS, 3)):
        options = tuple(i for i, name in enumerate(names) if name.startswith(kinds))
        if len(options) == number:
            return _Layout(query, answer, options)
    if set(_LETTERS) <= set(names):
        return _Layout(query, answer, tuple(names.index(letter) for letter in _LETTERS))
    raise BadData(
        f"{path}:{first.line}: the header names no four options (option1 to option4, or a b c d) "
        "and no three distractors (distractor1 to distractor3)."
    )


def _question(path: Path, row: Row, layout: _Layout) -> tuple[str, ...]:
    where = f"{path}:{row.line}"
    needed = max(layout.query, layout.answer, *layout.options) + 1
    if len(row.fields) < needed:
        raise BadData(
            f"{where}: expected {needed} fields, found {len(row.fields)}. Without a header, a row "
            "is the query, the correct answer and three distractors."
        )
    query = word_field(path, row, layout.query, "query")
    answer = word_field(path, row, layout.answer, "answer")
    options = [word_field(path, row, column, "option") for column in layout.options]
    if len(options) == 3:
        # In alphabetical order, so that the position does not reveal the answer.
        options = sorted((answer, *options))
    if all(map(is_number, options)):
        raise BadData(f"{where}: the options are numbers, so this is not a synonym question.")
    return check_question(where, query, options, answer)
