"""Analogy questions in published formats."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read, read_published

SPELLINGS = {
    "sections": ": family\nking queen man woman\n: plural\ncat cats dog dogs\n",
    "a colon without a space": ":family\nking queen man woman\n:plural\ncat cats dog dogs\n",
    "tabs": ": family\nking\tqueen\tman\twoman\n: plural\ncat\tcats\tdog\tdogs\n",
    "commas": ": family\nking,queen,man,woman\n: plural\ncat,cats,dog,dogs\n",
    "many spaces": ": family \nking  queen man   woman \n: plural\n cat cats dog dogs\n",
    "line ends of Windows": ": family\r\nking queen man woman\r\n: plural\r\ncat cats dog dogs\r\n",
    "line ends of old": ": family\rking queen man woman\r: plural\rcat cats dog dogs\r",
    "a byte order mark": "\ufeff: family\nking queen man woman\n: plural\ncat cats dog dogs\n",
    "comments and blanks": "# x\n: family\n\nking queen man woman\n: plural\n#\ncat cats dog dogs",
}


@pytest.fixture
def analogies(tmp_path):
    """Reads questions from text or bytes."""

    def read_analogies(content):
        path = tmp_path / "questions.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read("analogies", path, "given")

    return read_analogies


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_questions_in_many_spellings(text, analogies):
    found = analogies(text)

    assert found.a.tolist() == ["king", "cat"]
    assert found.b.tolist() == ["queen", "cats"]
    assert found.c.tolist() == ["man", "dog"]
    assert found.answer.tolist() == ["woman", "dogs"]
    assert found.section.tolist() == ["family", "plural"]


@pytest.mark.parametrize("header", ["a b c d", "a\ta_prime\tb\tb_prime", "A,B,C,Answer"])
def test_a_header_is_recognised(header, analogies):
    mark = next(mark for mark in "\t, " if mark in header)

    found = analogies(f"{header}\n{mark.join(['king', 'queen', 'man', 'woman'])}\n")

    assert found.answer.tolist() == ["woman"]


def test_questions_before_the_first_section_have_none(analogies):
    assert analogies("good better rough rougher\n").section.tolist() == [""]


def test_the_name_of_a_section_may_contain_spaces(analogies):
    assert analogies(": past  tense of verbs\ngo went do did\n").section.tolist() == [
        "past tense of verbs"
    ]


@pytest.mark.parametrize("space", "\xa0\u3000\u2028")
def test_only_plain_spaces_and_tabs_separate(space, analogies):
    assert analogies(f"a{space}b c d e\n").a.tolist() == [f"a{space}b"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (": x\nking queen man\n", r"questions\.txt:2: expected four words, found 3"),
        (": x\nking queen man woman child\n", r"questions\.txt:2: expected four words, found 5"),
        ("# c\n\nking\tqueen\t\twoman\n", r"questions\.txt:3: expected four words, found 3"),
        (": only\n: sections\n", r"questions\.txt: contains no questions"),
        ("a b c d\n", r"questions\.txt: contains no questions"),
        ("", r"questions\.txt: is empty"),
        (b"king queen man\0 woman\n", r"questions\.txt:1: a NUL byte"),
        (b": x\nking queen m\xe4n woman\n", r"questions\.txt:2: is not UTF-8 \(byte 16\)"),
    ],
)
def test_the_error_names_the_line_and_the_problem(content, sentence, analogies):
    with pytest.raises(BadData, match=sentence) as caught:
        analogies(content)

    assert caught.value.exit_code == 3


def test_a_table_with_ratings_is_not_a_list_of_questions(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("word1,word2,std,score\ncat,dog,0.5,9\nsun,moon,0.7,7\n", "utf-8")

    with pytest.raises(BadData, match="column 3 contains numbers"):
        read("analogies", path, "pairs")


def test_comments_are_sections_after_a_header_that_numbers_the_words_of_pairs(tmp_path):
    path = tmp_path / "semrel.tsv"
    path.write_text(
        "# Scheible (2014)\na1\ta2\tb1\tb2\n# Noun\tAntonym\t(P# 25)\t(T# 600)\nTag\tNacht\t"
        "Krieg\tFrieden\n\n# family\nMann\tFrau\tSohn\tTochter\nSohn\tTochter\tMann\tFrau\n",
        "utf-8",
    )

    found = read("analogies", path, "semrel")

    assert found.section.tolist() == ["Noun Antonym", "family", "family"]
    assert found.labels[0] == "Tag : Nacht = Krieg : ?"
    assert found.answer.tolist() == ["Frieden", "Tochter", "Frau"]


def test_a_broken_question_between_commented_sections_is_named(tmp_path):
    path = tmp_path / "broken.tsv"
    path.write_text("a1\ta2\tb1\tb2\n# family\nMann\tFrau\tSohn\n", "utf-8")

    with pytest.raises(BadData, match=r"broken\.tsv:3: expected four words, found 3"):
        read("analogies", path, "broken")


def test_parts_of_questions_are_found_among_other_columns(tmp_path):
    path = tmp_path / "hats.csv"
    path.write_text("Index,Part1,Part2,Part3,Part4,Options\n1,a b,c,d,e,\n2,f,g,h,i,x\n", "utf-8")

    found = read("analogies", path, "hats")

    assert found.labels == ["a b : c = d : ?", "f : g = h : ?"]
    assert found.answer.tolist() == ["e", "i"]


def test_the_files_of_a_dataset_are_joined(tmp_path):
    for name, words in (("one", "a\tb\tc\td"), ("two", "e\tf\tg\th")):
        (tmp_path / name).write_text(f"a1\ta2\tb1\tb2\n# {name}\n{words}\n", "utf-8")

    found = read_published("analogies", [tmp_path / "one", tmp_path / "two"], "both")

    assert found.section.tolist() == ["one", "two"]
    assert found.answer.tolist() == ["d", "h"]


def test_a_folder_of_pairs_has_a_section_for_each_file(tmp_path):
    folder = tmp_path / "bats"
    folder.mkdir()
    empty = tmp_path / "empty"
    empty.mkdir()
    (folder / "D2.txt").write_text("able\tunable\nfair\tunfair/unjust\nreal\tunreal\n")
    (folder / "E1.txt").write_text("athens\tgreece\nrome\titaly\n")

    found = read("analogies", folder, "bats")

    assert len(found) == 3 * 2 + 2
    rows = list(zip(found.a, found.b, found.c, found.answer, found.section, strict=True))
    assert rows[0] == ("able", "unable", "fair", "unfair", "D2")
    assert rows[-1] == ("rome", "italy", "athens", "greece", "E1")
    (folder / "E1.txt").write_text("athens\tgreece\teurope\n")
    with pytest.raises(BadData, match=r"E1\.txt:1: expected a pair of words"):
        read("analogies", folder, "bats")
    with pytest.raises(BadData, match="contains no questions"):
        read("analogies", empty, "none")
