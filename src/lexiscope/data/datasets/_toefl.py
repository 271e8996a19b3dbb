"""The layout of the TOEFL synonym questions, for those who own them.

A question is a line "1.", tab, word, and four lines "a." to "d."; the answers stand in a file with
the same stem and the ending .ans, one line of number and letter each.
"""

import re
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import Row, rows
from lexiscope.data.unpacking import is_file

_NUMBER = re.compile(r"(\d+)\.")
_LETTERS = ("a.", "b.", "c.", "d.")
_ANSWER = re.compile(r"\s*(\d+)\b.*?\b([a-d])\W*")


def is_toefl(table: list[Row]) -> bool:
    """Whether the rows are numbered questions followed by lettered options."""
    marks = [row.fields[0].casefold() for row in table[:2]]
    return len(marks) == 2 and bool(_NUMBER.fullmatch(marks[0])) and marks[1] == _LETTERS[0]


def questions(path: Path, table: list[Row]) -> list[tuple[str, ...]]:
    """The questions as rows of query, four options and answer."""
    answers = _answers(path)
    if len(table) % 5:
        raise BadData(
            f"{path}:{table[-1].line}: the file ends within a question; each has a numbered line "
            "and the options a. to d."
        )
    blocks = [table[start : start + 5] for start in range(0, len(table), 5)]
    return [_question(path, block, answers) for block in blocks]


def _question(path: Path, block: list[Row], answers: dict[int, str]) -> tuple[str, ...]:
    from lexiscope.data.datasets.questions import question

    first, *rest = block
    number = _NUMBER.fullmatch(first.fields[0])
    if number is None:
        raise BadData(
            f"{path}:{first.line}: expected the number of a question, such as '1.', found "
            f"'{shown(first.fields[0], 40)}'."
        )
    for row, letter in zip(rest, _LETTERS, strict=True):
        if row.fields[0].casefold() != letter:
            raise BadData(
                f"{path}:{row.line}: expected the option '{letter}', found "
                f"'{shown(row.fields[0], 40)}'."
            )
    words = [_word(path, row) for row in block]
    letter = answers.get(int(number[1]), "")
    if not letter:
        raise BadData(
            f"{path}:{first.line}: question {number[1]} has no answer in "
            f"{path.with_suffix('.ans').name}."
        )
    answer = words[1 + _LETTERS.index(f"{letter}.")]
    return question(f"{path}:{first.line}", words[0], words[1:], answer)


def _word(path: Path, row: Row) -> str:
    if len(row.fields) != 2 or not row.fields[1]:
        raise BadData(f"{path}:{row.line}: expected a mark, a tab and one word.")
    return row.fields[1]


def _answers(path: Path) -> dict[int, str]:
    beside = path.with_suffix(".ans")
    if not is_file(beside):
        raise BadData(
            f"{path}: these are numbered questions, and their answers are not beside them. Put "
            f"them into {beside.name}, one line of number and letter each, such as '1 a'."
        )
    answers: dict[int, str] = {}
    for row in rows(beside):
        found = _ANSWER.fullmatch(" ".join(row.fields).casefold())
        if found is None:
            raise BadData(
                f"{beside}:{row.line}: expected a number and a letter from a to d, found "
                f"'{shown(' '.join(row.fields), 40)}'."
            )
        if int(found[1]) in answers:
            raise BadData(f"{beside}:{row.line}: question {found[1]} is answered a second time.")
        answers[int(found[1])] = found[2]
    return answers
