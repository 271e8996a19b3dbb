"""Synonym questions in published formats."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read

SPELLINGS = {
    "no header": "big\tlarge\tgreen\tearly\twet\nglad\thappy\tcold\tflat\tloud\n",
    "commas": "big,large,green,early,wet\nglad,happy,cold,flat,loud\n",
    "semicolons": "big;large;green;early;wet\nglad;happy;cold;flat;loud\n",
    "spaces": "big large green early wet\nglad happy cold flat loud\n",
    "distractors": "query,answer,distractor1,distractor2,distractor3\n"
    "big,large,green,early,wet\nglad,happy,cold,flat,loud\n",
    "four options": "question\toption1\toption2\toption3\toption4\tcorrect\n"
    "big\tearly\tgreen\tlarge\twet\tlarge\nglad\tcold\tflat\thappy\tloud\thappy\n",
    "letters in another order": "answer,a,b,c,d,word\n"
    "large,early,green,large,wet,big\nhappy,cold,flat,happy,loud,glad\n",
    "more columns": "query\toption1\toption2\toption3\toption4\tanswer\tpos\n"
    "big\tearly\tgreen\tlarge\twet\tlarge\ta\nglad\tcold\tflat\thappy\tloud\thappy\ta\n",
    "TOEFL": "1.\tbig\na.\tearly\nb.\tgreen\nc.\tlarge\nd.\twet\n\n"
    "2.\tglad\na.\tcold\nb.\tflat\nc.\thappy\nd.\tloud\n",
}


@pytest.fixture
def questions(tmp_path):
    """Reads questions from text, with an answer file for numbered ones."""

    def read_questions(text, answers="1 (c,1) c\n2\t(c,1)\tc\n"):
        path = tmp_path / "questions.txt"
        path.write_text(text, "utf-8")
        if answers is not None:
            (tmp_path / "questions.ans").write_text(answers, "utf-8")
        return read("synonym questions", path, "given")

    return read_questions


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_questions_in_many_formats(text, questions):
    found = questions(text)

    assert found.query.tolist() == ["big", "glad"]
    assert [set(options) for options in zip(*found.options, strict=True)] == [
        {"large", "green", "early", "wet"},
        {"happy", "cold", "flat", "loud"},
    ]
    assert found.answer.tolist() == ["large", "happy"]


def test_the_first_option_is_not_always_the_answer(questions):
    found = questions(SPELLINGS["no header"])

    assert found.first.tolist() == ["early", "cold"]


@pytest.mark.parametrize(
    "answers", ["1 c\n2 c\n", "1. c\n2. c\n", "1\tc\n2\tc\n", "2 (C)\n1 (C)\n", "1 (a,1) c\n2) c\n"]
)
def test_answers_are_a_number_and_a_letter(questions, answers):
    assert questions(SPELLINGS["TOEFL"], answers).answer.tolist() == ["large", "happy"]


BROKEN = {
    "too few fields": ("a\tb\tc\td\n", ":1: expected 5 fields, found 4"),
    "a later line too short": ("big\tlarge\tx\ty\tz\nbig\tlarge\n", ":2: expected 5 fields"),
    "an empty query": ("big,b,c,d,e\n,b,c,d,e\n", ":2: the query is missing"),
    "an empty option": ("big,large,,early,wet\n", ":1: the option is missing"),
    "an option twice": ("big,large,early,early,wet\n", ":1: the four options are not different"),
    "the query as an option": ("big,large,big,early,wet\n", ":1: 'big' is the query"),
    "numbers": ("1,2,3,4,5\n", ":1: the options are numbers"),
    "a header without options": ("query,answer\nbig,large\n", ":1: the header names no four"),
    "too few distractors": ("query,answer,other1,other2\nbig,large,x,y\n", ":1: the header names"),
    "two columns of one name": (
        "query,answer,option1,option1,option2,option3\n",
        ":1: two columns have the same name",
    ),
    "comments only": ("# a\n", ": contains no questions"),
    "a header only": ("query,answer,wrong1,wrong2,wrong3\n", ": contains no questions"),
    "an answer that is no option": (
        "query,a,b,c,d,answer\nbig,x,y,z,w,large\n",
        ":2: the answer 'large' is not one of the options",
    ),
    "a question cut off": ("1.\tbig\na.\tx\nb.\ty\nc.\tz\n", ":4: the file ends within"),
    "options out of order": (
        "1.\tbig\na.\tx\nc.\ty\nb.\tz\nd.\tw\n",
        ":3: expected the option 'b.', found 'c.'",
    ),
    "no number": ("1.\tbig\na.\tx\nb.\ty\nc.\tz\nd.\tw\nx\tbig\na.\tx\nb.\ty\nc.\tz\nd.\tw\n",
                  ":6: expected the number of a question"),
    "an option without a word": (
        "1.\tbig\na.\tx\nb.\t\nc.\tz\nd.\tw\n",
        ":3: expected a number or letter, a tab and one word",
    ),
    "a question without an answer": (
        "3.\tbig\na.\tx\nb.\ty\nc.\tz\nd.\tw\n",
        ":1: question 3 has no answer in questions.ans",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(text, reason, questions):
    with pytest.raises(BadData) as problem:
        questions(text)

    assert f"questions.txt{reason}" in str(problem.value)


def test_numbered_questions_need_their_answers(questions):
    with pytest.raises(BadData, match=r"Put them into questions\.ans in the same folder"):
        questions(SPELLINGS["TOEFL"], answers=None)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (
            "1 c\n2 e\n",
            r"questions\.ans:2: expected a number and a letter from a to d, found '2 e'",
        ),
        ("1 c\nc\n", r"questions\.ans:2: expected a number"),
        ("1 c\n1 d\n2 c\n", r"questions\.ans:2: question 1 has a second answer"),
        ("", r"questions\.ans: is empty"),
    ],
)
def test_broken_answer_files_are_reported(questions, answers, reason):
    with pytest.raises(BadData, match=reason):
        questions(SPELLINGS["TOEFL"], answers)
