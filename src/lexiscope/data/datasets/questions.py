"""Synonym questions: a word, four to choose from, and which of them is right.

A table with a header, a table without (query, answer, three others), or the layout of the TOEFL
questions with the answers in a file beside it.
"""

from pathlib import Path
from typing import NamedTuple

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Questions
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import _toefl
from lexiscope.data.datasets._columns import names_of, place_of, table_of, word_in
from lexiscope.data.datasets._tables import Row, is_number

_QUERY = ("query", "question", "word", "target", "stem")
_ANSWER = ("answer", "correct", "synonym", "gold")
_LETTERS = ("a", "b", "c", "d")
_OPTIONS = ("option", "choice")
_DISTRACTORS = ("distractor", "other", "wrong")


class _Layout(NamedTuple):
    """Where the words stand; the answer is among the options when there are four of them."""

    query: int
    answer: int
    options: tuple[int, ...]


def read(path: Path, name: str) -> Questions:
    """The questions of a file; where the right word stands in a row makes no difference."""
    table = table_of(path, "questions")
    if _toefl.is_toefl(table):
        questions = _toefl.questions(path, table)
    else:
        layout = _layout(path, table[0])
        table = table[1:] if layout else table
        questions = [_question(path, row, layout or _Layout(0, 1, (2, 3, 4))) for row in table]
    if not questions:
        raise BadData(f"{path}: holds no questions.")
    return Questions(name, *map(word_array, zip(*questions, strict=True)))


def _layout(path: Path, first: Row) -> _Layout | None:
    """The columns by their names, or None when the first row is no header."""
    folded = [field.casefold() for field in first.fields]
    query, answer = place_of(folded, _QUERY), place_of(folded, _ANSWER)
    if query is None or answer is None:
        return None
    names = names_of(path, first)
    for kinds, number in ((_OPTIONS, 4), (_DISTRACTORS, 3)):
        options = tuple(p for p, name in enumerate(names) if name.startswith(kinds))
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
            "is the word asked about, the right answer and three others."
        )
    query = word_in(path, row, layout.query, "word asked about")
    answer = word_in(path, row, layout.answer, "answer")
    options = [word_in(path, row, place, "option") for place in layout.options]
    if len(options) == 3:
        # In the order of the alphabet, so that the place says nothing about the answer.
        options = sorted((answer, *options))
    if all(map(is_number, options)):
        raise BadData(f"{where}: the options are numbers, so this is no synonym question.")
    return question(where, query, options, answer)


def question(where: str, query: str, options: list[str], answer: str) -> tuple[str, ...]:
    """A question as a row, checked: four different options, the answer one of them."""
    if len(set(options)) != 4:
        raise BadData(f"{where}: the four options are not different words.")
    if answer not in options:
        raise BadData(f"{where}: the answer '{shown(answer, 40)}' is none of the options.")
    if query in options:
        raise BadData(f"{where}: '{shown(query, 40)}' is asked about and is an option too.")
    return (query, *options, answer)
