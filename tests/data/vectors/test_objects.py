"""Embeddings from Python objects, with the same checks as files."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors import load


class Keyed:
    """The two attributes of gensim's KeyedVectors."""

    def __init__(self, key_to_index, vectors):
        self.key_to_index = key_to_index
        self.vectors = np.array(vectors, np.float32)


def test_a_dict_of_vectors():
    found = load({"cat": [1, 2], "dog": (3, 4), "sun": np.array([5.5, 6])})

    assert list(found.words) == ["cat", "dog", "sun"]
    assert found.vectors.dtype == np.float32
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5.5, 6]]


def test_a_pair_of_words_and_matrix():
    found = load((["cat", "dog"], [[1, 2], [3, 4]]), name="mine")

    assert (found.name, list(found.words)) == ("mine", ["cat", "dog"])
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


def test_words_may_come_from_a_generator_or_an_array():
    for words in ((word for word in ("cat", "dog")), np.array(["cat", "dog"])):
        assert list(load((words, np.ones((2, 1)))).words) == ["cat", "dog"]


def test_an_embedding_is_returned_unchanged():
    given = embedding("given", ["cat"], [[1.0]])

    assert load(given) is given
    assert load(given, name="other").name == "other"


def test_the_callers_matrix_is_not_changed():
    matrix = np.ones((2, 2), np.float32)
    found = load((["cat", "dog"], matrix))

    assert matrix.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        found.vectors[0, 0] = 7


def test_a_limit_applies_to_objects_too():
    assert list(load({"cat": [1], "dog": [2]}, limit=1).words) == ["cat"]


def test_of_a_repeated_word_the_first_vector_is_kept():
    found = load((["cat", "dog", "cat"], [[1], [2], [3]]))

    assert found.vectors.tolist() == [[1], [2]]
    assert found.repairs == ("a pair: row 3: 'cat' occurs a second time. Left out.",)


@pytest.fixture(scope="module")
def gensim_vectors():
    models = pytest.importorskip("gensim.models")
    vectors = models.KeyedVectors(3)
    rng = np.random.default_rng(0)
    words = ["cat", "été", "日本", "new york"]
    vectors.add_vectors(words, rng.standard_normal((4, 3)).astype(np.float32))
    return vectors


def test_vectors_of_gensim_are_loaded_bit_for_bit(gensim_vectors):
    found = load(gensim_vectors)

    assert list(found.words) == gensim_vectors.index_to_key
    assert found.vectors.tobytes() == gensim_vectors.vectors.tobytes()
    assert found.name == "keyedvectors"


def test_vectors_of_gensim_are_not_changed(gensim_vectors):
    before = gensim_vectors.vectors.copy(), dict(gensim_vectors.key_to_index)

    load(gensim_vectors, limit=2)

    assert_array_equal(gensim_vectors.vectors, before[0])
    assert gensim_vectors.key_to_index == before[1]
    assert gensim_vectors.vectors.flags.writeable


def test_counts_that_gensim_may_have_invented_are_not_used(gensim_vectors):
    assert load(gensim_vectors).counts is None


def test_files_that_gensim_wrote_are_read_bit_for_bit(gensim_vectors, tmp_path):
    for name, binary in (("v.txt", False), ("v.bin", True)):
        short = type(gensim_vectors)(3)
        short.add_vectors(gensim_vectors.index_to_key[:3], gensim_vectors.vectors[:3])
        short.save_word2vec_format(str(tmp_path / name), binary=binary)

        found = load(tmp_path / name)

        assert list(found.words) == short.index_to_key
        assert found.vectors.tobytes() == short.vectors.tobytes()


def test_gensim_reads_what_we_wrote_bit_for_bit(gensim_vectors, tmp_path):
    from lexiscope.data.vectors import save

    given = embedding("e", ["cat", "été"], gensim_vectors.vectors[:2])
    for name, binary in (("v.vec", False), ("v.bin", True)):
        save(given, tmp_path / name)

        read = type(gensim_vectors).load_word2vec_format(str(tmp_path / name), binary=binary)

        assert read.index_to_key == ["cat", "été"]
        assert read.vectors.tobytes() == given.vectors.tobytes()


def test_a_gensim_model_gives_its_vectors():
    class Model:
        wv = Keyed({"cat": 0}, [[1, 2]])

    assert load(Model()).vectors.tolist() == [[1, 2]]


def test_the_index_says_which_vector_belongs_to_a_word():
    found = load(Keyed({"dog": 3, "cat": 1}, [[0], [1], [2], [3]]))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1], [3]]


@pytest.mark.parametrize("index", [{"cat": 2}, {"cat": -1}, {"cat": 0, "dog": 9}])
def test_an_index_outside_the_vectors_is_refused(index):
    with pytest.raises(BadData, match="key_to_index names row"):
        load(Keyed(index, [[0], [1]]))


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ({}, "must not be empty"),
        ({"cat": [1, 2], "dog": [3]}, "The vector of 'dog' has a different length"),
        ({"cat": [[1], [2, 3]]}, "The vector of 'cat'"),
        ({"cat": 1}, "expected a table of numbers"),
        ({"cat": ["a", "b"]}, "expected a table of numbers"),
        ({"cat": [None, 1]}, "expected a table of numbers"),
        ({"cat": [1j]}, "expected a table of numbers"),
        ({"cat": []}, "contains no vectors"),
        ({"cat": [1, np.nan]}, "row 1: the vector of 'cat' is not finite"),
        ({"cat": [1e300]}, "row 1: the vector of 'cat' is not finite"),
        ({7: [1, 2]}, "row 1: a word must be text, found int"),
        ({b"cat": [1, 2]}, "row 1: a word must be text, found bytes"),
        ({"": [1, 2]}, "row 1: the word is empty"),
        ({"a\nb": [1, 2]}, "row 1: control characters in the word"),
        ({"\ud800": [1, 2]}, "row 1: bytes that are not UTF-8 in the word"),
        ({"x" * 1025: [1, 2]}, "row 1: a word of more than 1,024 bytes"),
        ((["cat"], [[1], [2]]), "1 words for 2 vectors"),
        ((["cat", "dog"], [[1], [2, 3]]), "different lengths"),
        ((["cat"], [1]), "found 1 axes"),
        (([], np.ones((0, 3))), "contains no vectors"),
    ],
)
def test_an_invalid_object_is_refused(source, sentence):
    with pytest.raises(BadData, match=sentence):
        load(source)


@pytest.mark.parametrize("source", [None, 7, b"v.vec", [1, 2], (1, 2), ("a", "b", "c"), object()])
def test_an_object_that_is_not_an_embedding_is_refused(source):
    with pytest.raises(BadUsage, match="Cannot make an embedding of"):
        load(source)
