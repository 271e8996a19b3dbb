import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.embedding import Embedding, embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary, pack
from tests.builders import counted

WORDS = ("cat", "dog", "cow")
VECTORS = np.array([[3, 4], [1, 0], [0, 2]], np.float32)


def pets(**changes):
    settings = {"name": "pets", "words": WORDS, "vectors": VECTORS, "counts": [7, 5, 2]}
    return counted(**{**settings, **changes})


def test_vectors_and_counts_cannot_be_written():
    small = pets()

    with pytest.raises(ValueError, match="read-only"):
        small.vectors[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        small.counts[0] = 1


def test_the_users_array_is_not_changed():
    mine = VECTORS.copy()

    small = embedding("mine", WORDS, mine)
    _ = small.lengths, small.fingerprint, small.centred(), small.first(2)

    assert mine.flags.writeable
    assert_array_equal(mine, VECTORS)


def test_float32_rows_are_not_copied():
    mine = VECTORS.copy()

    assert np.shares_memory(embedding("mine", WORDS, mine).vectors, mine)


def test_other_numbers_become_float32():
    assert embedding("mine", WORDS, [[1, 2], [3, 4], [5, 6]]).vectors.dtype == np.float32
    assert embedding("mine", WORDS, VECTORS.astype(np.float16)).vectors.dtype == np.float32


def test_a_word_gives_its_vector_and_words_give_rows():
    small = pets()

    assert small["dog"].tolist() == [1, 0]
    assert small[["cow", "cat"]].tolist() == [[0, 2], [3, 4]]
    assert small[[]].shape == (0, 2)
    assert "cat" in small
    assert "cot" not in small


def test_a_missing_word_is_reported_in_a_sentence():
    with pytest.raises(KeyError, match="'cot' is not among the 3 words of pets"):
        pets()[["cat", "cot", "cut"]]


def test_lengths_are_euclidean_over_several_blocks_of_rows():
    rows = np.random.default_rng(0).normal(size=(40_000, 2)).astype(np.float32)
    many = Embedding("many", Vocabulary(tuple(map(str, range(40_000)))), rows)

    assert pets().lengths.tolist() == [5, 1, 2]
    assert_allclose(many.lengths, np.linalg.norm(rows.astype(np.float64), axis=1), rtol=1e-6)


def test_equal_content_has_an_equal_fingerprint_for_any_name_and_storage():
    packed = Embedding("other", Vocabulary(pack(WORDS)), np.asfortranarray(VECTORS), [7, 5, 2], "x")

    assert packed.fingerprint == pets().fingerprint


@pytest.mark.parametrize(
    "other",
    [
        {"words": ("cat", "dog", "cows")},
        {"words": ("ca", "tdog", "cow")},
        {"vectors": VECTORS + 1},
        {"counts": [7, 5, 1]},
        {"counts": None},
    ],
    ids=str,
)
def test_different_content_has_a_different_fingerprint(other):
    assert pets(**other).fingerprint != pets().fingerprint


def test_first_keeps_the_first_words_and_their_counts():
    short = pets().first(2)

    assert list(short.words) == ["cat", "dog"]
    assert short.vectors.tolist() == [[3, 4], [1, 0]]
    assert short.counts.tolist() == [7, 5]
    assert short.name == "pets"


def test_first_of_more_words_than_there_are_is_the_embedding_itself():
    small = pets()

    assert small.first(3) is small
    with pytest.raises(BadUsage, match="must be 1 or more, found 0"):
        small.first(0)


def test_rows_keeps_the_given_order():
    picked = pets().rows(np.array([2, 0]), "picked")

    assert (picked.name, list(picked.words)) == ("picked", ["cow", "cat"])
    assert picked.vectors.tolist() == [[0, 2], [3, 4]]
    assert picked.counts.tolist() == [2, 7]


def test_centred_subtracts_the_mean_and_keeps_the_original():
    small = embedding("small", ("a", "b"), [[1.0, 4.0], [3.0, 0.0]])

    assert small.centred().vectors.tolist() == [[-1, 2], [1, -2]]
    assert small.vectors.tolist() == [[1, 4], [3, 0]]


def test_a_new_name_keeps_the_content():
    assert pets().named("zoo").name == "zoo"
    assert pets().named("zoo").fingerprint == pets().fingerprint


@pytest.mark.parametrize(
    ("words", "vectors", "sentence"),
    [
        (("a", "b"), [[1.0]], "Found 2 words for 1 vectors"),
        (("a",), [1.0], "must form a table"),
        (("a",), np.empty((1, 0)), "at least one dimension"),
    ],
)
def test_vectors_of_the_wrong_shape_are_refused(words, vectors, sentence):
    with pytest.raises(BadData, match=sentence):
        embedding("bad", words, vectors)


def test_counts_of_the_wrong_length_are_refused():
    with pytest.raises(BadData, match="Found 2 counts for 3 words"):
        pets(counts=[7, 5])


def test_a_name_with_markup_stays_text_in_a_notebook():
    html = embedding("<script>", ("a",), [[1.0]])._repr_html_()

    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert repr(pets()) == "Embedding('pets', 3 words x 2)"


def test_key_to_index_works_as_in_gensim():
    assert pets().key_to_index == {"cat": 0, "dog": 1, "cow": 2}


def test_neighbours_and_analogies_fold_letter_case_of_absent_words():
    words = ["King", "queen", "man", "Woman", "tea"]
    vectors = np.array([[1, 1, 0.1], [0, 1, 1], [1, 0, 0.1], [0, 0, 1], [-1, 0.2, 0]])
    royals = embedding("royals", words, vectors)

    assert royals.most_similar("king") == royals.most_similar("King")
    assert royals.analogy("MAN", "king", "woman") == royals.analogy("man", "King", "Woman")
    assert "King" not in [word for word, _ in royals.most_similar("KING")]
    with pytest.raises(KeyError, match="'coffee' is not among the 5 words"):
        royals.most_similar("coffee")
