"""Texts of consistency experiments: chapters, halves, coverage."""

import numpy as np
import pytest

from lexiscope.core.corpus import corpus, sentences_of
from lexiscope.core.errors import BadData
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data.corpora.short_texts import tokenised
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.consistency.texts import (
    chapters,
    coverage,
    halves,
    licence_warning,
    read_texts,
)
from tests.data.local_files import shared

BOOK = """\
Preface. Part of it is short.

CHAPTER I. OF OWLS

An owl is a bird. Chapter and verse are known.

CHAPTER II

It sees a mouse. It eats it. Section 3 of the law forbids it to sleep at night in trees that \
are not its own, as all the birds of the forest know very well, and as every child is told.

III

The end.
"""


def _read(folder, text, name="book.txt"):
    path = folder / name
    path.write_text(text, "utf-8")
    return read_texts(path)


def test_every_word_is_kept_in_lower_case(tmp_path):
    assert sentences_of(_read(tmp_path, "A rose is A. It is."))[0][:2] == ["a", "rose"]


def test_chapters_begin_at_headings(tmp_path):
    text = _read(tmp_path, BOOK)
    sentences = sentences_of(text)

    assert [" ".join(sentences[index]) for index in chapters(text)] == [
        "chapter i of owls",
        "chapter ii",
        "iii",
    ]


def test_documents_begin_chapters(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text("One. Two. Three.", "utf-8")

    assert chapters(read_texts([tmp_path / "a", tmp_path / "b"])).tolist() == [3]


def test_the_second_half_begins_at_the_chapter_nearest_to_the_middle(tmp_path):
    text = _read(
        tmp_path, "One two three. Four.\n\nCHAPTER 2\n\nFive six. Seven.\n\nCHAPTER 3\n\nX."
    )

    found = halves(text)

    assert sentences_of(text)[found.sentence] == ["chapter", "2"]
    assert found.tokens == (4, 8)
    assert found.note == (
        "The second half of the text begins at the chapter or document that is nearest to the "
        "middle: 4 and 8 tokens."
    )


def test_without_chapters_near_the_middle_a_sentence_begins_the_second_half(tmp_path):
    text = _read(tmp_path, "Chapter 1\n\nOne two three. Four five. Six seven. Eight nine ten.")

    found = halves(text)

    assert found.tokens == (5, 7)
    assert "sentence nearest to the middle, because no chapter begins near it" in found.note


def test_a_text_of_one_sentence_has_an_empty_half():
    assert halves(corpus("text", [["one", "two"]])).tokens == (0, 2)


def test_coverage_counts_tokens_of_two_or_more_characters():
    text = corpus("text", [["a", "rose", "rose", "tulip", "x"], ["tulip"]])

    assert coverage(text, ["rose", "a"]) == (0.5, "")
    assert coverage(text, ["rose", "a"], min_length=1).proportion == pytest.approx(0.5)


def test_a_text_in_another_language_gives_a_warning():
    text = corpus("texte", [["une", "rose", "est", "belle"]])

    found = coverage(text, ["rose", "is", "beautiful"])

    assert found.proportion == 0.25
    assert found.warning.startswith("texte: only 25% of the tokens are words of the background.")


def test_a_large_background_contains_words_of_other_languages():
    frequent = [f"frequent{number}" for number in range(100)]
    others = [f"other{number}" for number in range(1000)]
    same = corpus("text", [[*frequent[:20], *others[:80]]])
    different = corpus("texte", [[*frequent[:14], *others[:86]]])

    assert coverage(same, [*frequent, *others]) == (1.0, "")
    found = coverage(different, [*frequent, *others])
    assert found.proportion == 1
    assert found.warning.startswith("texte: only 14% of the tokens are among the 100 first words")
    assert coverage(different, [*frequent, *others[:899]]).warning == ""


def test_a_text_with_its_licence_gives_a_warning():
    book = [["the", "gutenberg", "press", "project"]] * 50
    licence = [["the", "project", "gutenberg", "licence"]]

    assert licence_warning(corpus("book", book)) == ""
    assert licence_warning(corpus("book", [*book, *licence * 19])) == ""
    found = licence_warning(corpus("book", [*book, *licence * 20]))
    assert found.startswith("book: contains the licence of Project Gutenberg (20 mentions)")


def test_a_text_without_the_words_of_the_licence_gives_no_warning():
    assert licence_warning(corpus("book", [["one", "two"]])) == ""
    assert licence_warning(corpus("book", [["one"]])) == ""


def test_an_empty_file_is_refused(tmp_path):
    with pytest.raises(BadData, match="contains no words"):
        _read(tmp_path, "")


def test_terms_are_tokenised_like_texts():
    steps = Preprocessing()

    assert tokenised(["Sense-data", "a priori", "U.S. policy", "ὈδυσσεύΣ", "--", ""], steps) == [
        ("sense", "data"), ("a", "priori"), ("u", "s", "policy"), ("ὀδυσσεύς",), (), (),
    ]  # fmt: skip
    assert tokenised(["C++ Code"], Preprocessing("spaces", lower=False)) == [("C++", "Code")]
    assert tokenised([], steps) == []


@pytest.mark.parametrize(
    ("name", "heading", "tokens"),
    [
        ("russell-mind", "lecture ix", (44_170, 45_496)),
        ("mill-logic", "", (205_595, 205_998)),
    ],
)
def test_books_are_divided_at_a_chapter(name, heading, tokens):
    text = read_texts(name, local_data=LocalData(shared()))

    found = halves(text)

    assert found.tokens == tokens
    assert np.isin(found.sentence, chapters(text))
    assert not heading or " ".join(sentences_of(text)[found.sentence]) == heading
