"""The public functions `train` and `read_corpus`."""

import numpy as np
import pytest

import lexiscope
from lexiscope.core.corpus import sentences_of
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.trainers.svd import Svd

SENTENCES = [["the", "cat", "drinks"], ["the", "dog", "drinks"], ["the", "sun"]]


def test_sentences_are_a_corpus():
    found = lexiscope.read_corpus(SENTENCES, min_count=1)

    assert sentences_of(found) == SENTENCES
    assert found.vocabulary.words == ("the", "drinks", "cat", "dog", "sun")


def test_min_count_and_limit_apply_to_sentences():
    assert lexiscope.read_corpus(SENTENCES, min_count=2).vocabulary.words == ("the", "drinks")
    assert lexiscope.read_corpus(SENTENCES, min_count=1, limit=1).vocabulary.words == ("the",)
    with pytest.raises(BadData, match="no word that occurs 5 times or more"):
        lexiscope.read_corpus(SENTENCES)


def test_train_takes_sentences_and_a_preprocessing():
    found = lexiscope.train("svd", SENTENCES, dimension=2, preprocessing=Preprocessing(min_count=1))

    corpus = lexiscope.read_corpus(SENTENCES, min_count=1)
    assert found.fingerprint == lexiscope.train("svd", corpus, dimension=2).fingerprint


def test_a_trainer_object_is_as_good_as_a_name():
    corpus = lexiscope.read_corpus(SENTENCES, min_count=1)

    by_name = lexiscope.train("svd", corpus, dimension=2, window=1)
    by_object = lexiscope.train(Svd(dimension=2, window=1), corpus)

    np.testing.assert_array_equal(by_name.vectors, by_object.vectors)
    with pytest.raises(BadUsage, match="name or class of a trainer, not with a trainer"):
        lexiscope.train(Svd(), corpus, dimension=2)


def test_changes_go_with_the_name_of_a_preset():
    with pytest.raises(BadUsage, match="with the name of a preset only"):
        lexiscope.read_corpus(SENTENCES, Preprocessing(), min_count=1)


def test_an_empty_list_is_no_text():
    with pytest.raises(BadUsage, match="A text is needed"):
        lexiscope.train("svd", [])


def test_a_trainer_may_be_a_class_or_the_path_of_a_file(tmp_path):
    text = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "d"]] * 20
    by_name = lexiscope.train("svd", text, dimension=2)
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\n"
        "from lexiscope.trainers.svd import Svd\n\n\n"
        "@dataclass(frozen=True)\n"
        "class Mine(Svd):\n    pass\n",
        "utf-8",
    )

    assert lexiscope.train(Svd, text, dimension=2).fingerprint == by_name.fingerprint
    assert lexiscope.train(path, text, dimension=2).fingerprint == by_name.fingerprint
    with pytest.raises(BadUsage, match=r"int is not a lexiscope\.Trainer"):
        lexiscope.train(int, text)
