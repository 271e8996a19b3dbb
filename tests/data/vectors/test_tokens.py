"""Vocabularies of tokenizers: ids select rows, and pieces of words are not words."""

import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.vectors import load

MATRIX = np.arange(12, dtype=np.float32).reshape(6, 2)


def test_the_ids_of_a_dict_select_the_rows():
    found = load(({"dog": 2, "cat": 0, "sun": 1}, MATRIX[:3]))

    assert list(found.words) == ["cat", "sun", "dog"]
    assert found["dog"].tolist() == [4, 5]
    assert found["cat"].tolist() == [0, 1]
    assert found["sun"].tolist() == [2, 3]
    assert found.repairs == ()


def test_rows_without_a_word_are_left_out():
    found = load(({"dog": 5, "cat": 3}, MATRIX))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[6, 7], [10, 11]]


def test_ids_may_be_numbers_of_numpy():
    assert load(({"dog": np.int64(1)}, MATRIX))["dog"].tolist() == [2, 3]


def test_ids_select_rows_of_a_sparse_matrix():
    from scipy.sparse import csr_array

    found = load(({"dog": 2, "cat": 1}, csr_array(MATRIX)))

    assert found["dog"].tolist() == [4, 5]
    assert found["cat"].tolist() == [2, 3]


def test_words_that_share_a_row_are_reported():
    found = load(({"cat": 0, "cats": 0, "dog": 1}, MATRIX))

    assert found["cats"].tolist() == found["cat"].tolist() == [0, 1]
    (note,) = found.repairs
    assert "3 words share 2 vectors" in note
    assert "'cat' = 'cats'" in note


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ({"cat": 6}, "the id of 'cat' is 6, but the matrix has 6 rows"),
        ({"cat": -1}, "the id of 'cat' is -1"),
        ({"cat": 1.0}, "must be a row number, found float"),
        ({"cat": True}, "must be a row number, found bool"),
        ({"cat": "1"}, "must be a row number, found str"),
        ({"cat": None}, "must be a row number, found NoneType"),
        ({3: 1}, "a word must be text, found int"),
        ({}, "contains no vectors"),
    ],
)
def test_invalid_ids_are_refused(ids, sentence):
    with pytest.raises(BadData, match=sentence):
        load((ids, MATRIX))


def test_pieces_of_wordpiece_are_left_out():
    found = load(({"cat": 0, "##ing": 1, "##s": 2, "dog": 3, "#": 4, "##": 5}, MATRIX))

    assert list(found.words) == ["cat", "dog", "#", "##"]
    assert found["dog"].tolist() == [6, 7]
    (note,) = found.repairs
    assert "WordPiece" in note
    assert "2 pieces of words are left out" in note


def test_words_of_sentencepiece_begin_with_a_mark():
    found = load(({"<s>": 0, "▁cat": 1, "ing": 2, "▁": 3, "▁dog": 4}, MATRIX))

    assert list(found.words) == ["cat", "dog"]
    assert found["dog"].tolist() == [8, 9]


def test_byte_level_tokens_are_decoded():
    # GPT-2 writes the bytes C3 A9 of an e with an acute accent as two characters.
    found = load(({"cat": 0, "Ġcat": 1, "ĠcafÃ©": 2, "ĠÃ": 3, "Ġ": 4}, MATRIX))

    assert list(found.words) == ["cat", "café"]
    assert found["cat"].tolist() == [2, 3]
    assert found["café"].tolist() == [4, 5]


def test_word_ends_may_be_marked():
    assert list(load(({"cat</w>": 0, "c": 1, "dog</w>": 2}, MATRIX)).words) == ["cat", "dog"]


def test_a_list_of_tokens_is_treated_as_a_dict_is():
    found = load((["▁cat", "s", "▁dog"], MATRIX[:3]))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[0, 1], [4, 5]]


def test_a_maltese_word_is_not_a_token():
    words = ["Ġunju", "il", "ta", "u", "li", "fil"]

    found = load((words, MATRIX))

    assert list(found.words) == words
    assert found.repairs == ()


def test_pieces_of_words_in_a_file_are_a_note(tmp_path):
    path = tmp_path / "bert.vec"
    pieces = "".join(f"##{n} {n} 1\n" for n in range(10))
    path.write_text(f"[CLS] 1 2\n[SEP] 2 1\nplay 3 4\n{pieces}")

    found = load(path)

    assert len(found) == 13
    assert len(found.repairs) == 1
    assert "look like tokens of a WordPiece tokenizer (##piece)" in found.repairs[0]


def test_words_of_an_ordinary_file_have_no_note(tmp_path):
    path = tmp_path / "plain.vec"
    path.write_text("\n".join(f"word{n} 1 {n}" for n in range(99)) + "\n## 1 2\n")

    assert load(path).repairs == ()
