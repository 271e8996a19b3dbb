import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.learners.crf.features import add_vectors, encode
from tests.learners.crf.reference import named_features


def attributes(sentences, token):
    return set(sentences.attributes[sentences.ends[token] : sentences.ends[token + 1]].tolist())


def random_lines(number, values, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(values, rng.integers(1, 9))) for _ in range(number)]


def test_the_attributes_of_a_word_by_hand():
    """Eleven attributes: four of words, six of parts of speech, and that the word is first."""
    sentences = encode(["The cat sat", "The dog"], ["DT NN VB", "DT NN"], 2)

    first, second = attributes(sentences, 0), attributes(sentences, 3)
    assert len(first) == 11
    # w[0]=The, p[0]=DT, p[1]=NN, p[0,1]=DT|NN, first
    assert len(first & second) == 5
    assert sentences.starts.tolist() == [0, 3, 5]


def test_a_sentence_of_one_word_has_attributes():
    sentences = encode(["Yes"], ["UH"], 1)

    assert sentences.attributes.tolist() == [0, 1, 2, 3]  # w[0]=Yes, p[0]=UH, first, last
    assert sentences.ends.tolist() == [0, 4]


def test_tokens_share_attributes_if_and_only_if_they_share_named_features():
    words = random_lines(30, ["a", "b", "c", "d", "The", "the"], seed=0)
    pos = [" ".join("NV"[len(word) % 2] for word in line.split()) for line in words]
    named = [
        names
        for line, tags in zip(words, pos, strict=True)
        for names in named_features(line.split(), tags.split())
    ]

    sentences = encode(words, pos, len(words))

    numbers = [attributes(sentences, token) for token in range(len(named))]
    assert len(set.union(*numbers)) == len(set.union(*named))
    for one, names in zip(numbers, named, strict=True):
        for other, others in zip(numbers, named, strict=True):
            assert len(one & other) == len(names & others)


def test_attributes_that_only_test_sentences_have_are_left_out():
    words, pos = ["a b", "a c"], ["X Y", "X Z"]

    alone, both = encode(words[:1], pos[:1], 1), encode(words, pos, 1)

    assert both.attributes.max() == alone.attributes.max()
    assert attributes(both, 0) == attributes(alone, 0)
    # w[0]=a, p[0]=X, first; w[-1]=a, p[-1]=X, last
    assert attributes(both, 2) < attributes(alone, 0)
    assert len(attributes(both, 2)) == 3
    assert attributes(both, 3) < attributes(alone, 1)
    assert len(attributes(both, 3)) == 3


def test_vectors_are_padded_to_a_multiple_of_four():
    sentences = encode(["a b"], ["X Y"], 1)

    found = add_vectors(sentences, np.array([1, 0]), np.arange(10.0).reshape(2, 5))

    assert found.rows.tolist() == [1, 0]
    assert found.vectors.tolist() == [[0, 1, 2, 3, 4, 0, 0, 0], [5, 6, 7, 8, 9, 0, 0, 0]]
    assert found.vectors.dtype == np.float32


@pytest.mark.parametrize("pos", [["X"], ["X Y Z"], ["X Y", "X"]])
def test_words_and_parts_of_speech_must_have_the_same_number(pos):
    with pytest.raises(BadData, match="as many parts of speech as words"):
        encode(["a b"], pos, 1)


def test_a_sentence_without_words_is_refused():
    with pytest.raises(BadData, match="Sentence 2 has no words"):
        encode(["a", ""], ["X", ""], 1)
