"""The format of the TOEFL synonym questions, for users who have them.

A question is a line "1.", tab, word, and four lines "a." to "d.". The answers are in a file with
the same stem and the ending .ans, with a number and a letter on each line.
"""

import re
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file
from lexiscope.data.datasets.formats.question import check_question
from lexiscope.data.datasets.formats.tables import Row, rows

_NUMBER = re.compile(r"(\d{1,9})\.")
_LETTERS = ("a.", "b.", "c.", "d.")
_ANSWER = re.compile(r"\s*(\d{1,9})\b.*?\b([a-d])\W*")


def is_toefl(table: list[Row]) -> bool:
    """Whether the rows are numbered questions followed by lettered options."""
    first = [row.fields[0].casefold() for row in table[:2]]
    return len(first) == 2 and bool(_NUMBER.fullmatch(first[0])) and first[1] == _LETTERS[0]


def questions(path: Path, table: list[Row]) -> list[tuple[str, ...]]:
    """Return the questions as rows of query, four options and answer."""
    answers = _answers(path)
    if len(table) % 5:
        raise BadData(
            f"{path}:{table[-1].line}: the file ends within a question. Each question needs a "
            "numbered line and the options a. to d."
        )
    blocks = [table[start : start + 5] for start in range(0, len(table), 5)]
    return [_question(path, block, answers) for block in blocks]


def _question(path: Path, block: list[Row], answers: dict[int, str]) -> tuple[str, ...]:
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
    return check_question(f"{path}:{first.line}", words[0], words[1:], answer)


def _word(path: Path, row: Row) -> str:
    if len(row.fields) != 2 or not row.fields[1]:
        raise BadData(f"{path}:{row.line}: expected a number or letter, a tab and one word.")
    return row.fields[1]


def _answers(path: Path) -> dict[int, str]:
    answer_path = path.with_suffix(".ans")
    if not is_file(answer_path):
        raise BadData(
            f"{path}: the answers of these numbered questions are missing. Put them into "
            f"{answer_path.name} in the same folder, with lines such as '1 a'."
        )
    answers: dict[int, str] = {}
    for row in rows(answer_path):
        found = _ANSWER.fullmatch(" ".join(row.fields).casefold())
        if found is None:
            raise BadData(
                f"{answer_path}:{row.line}: expected a number and a letter from a to d, found "
                f"'{shown(' '.join(row.fields), 40)}'."
            )
        if int(found[1]) in answers:
            raise BadData(f"{answer_path}:{row.line}: question {found[1]} has a second answer.")
        answers[int(found[1])] = found[2]
    return answers
