"""Tagged sentences in the format of CoNLL-2000."""

import gzip
import zipfile

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read, read_published

TRAIN = "The DT B-NP\ncat NN I-NP\nsat VBD B-VP\n\nYes UH O\n"
TEST = "-DOCSTART- X O\n\nA DT B-NP\nDog NN I-NP\n\n\n"


@pytest.fixture
def sentences(tmp_path):
    def read_sentences(test=TEST, train=TRAIN):
        (tmp_path / "my-test.txt").write_text(test, "utf-8")
        if train is not None:
            (tmp_path / "my-train.txt").write_text(train, "utf-8")
        return read("sentences", tmp_path / "my-test.txt", "mine")

    return read_sentences


def test_test_sentences_come_with_the_training_sentences_of_the_companion_file(sentences):
    found = sentences()

    assert found.text.tolist() == ["A Dog"]
    assert found.pos.tolist() == ["DT NN"]
    assert found.gold.tolist() == ["B-NP I-NP"]
    assert found.train.text.tolist() == ["The cat sat", "Yes"]
    assert found.train.tags.tolist() == ["B-NP I-NP B-VP", "O"]


def test_normalisation_changes_the_looked_up_text_and_not_the_original(sentences):
    folded = sentences().map_words(str.casefold)

    assert folded.text.tolist() == ["a dog"]
    assert folded.written.tolist() == ["A Dog"]
    assert folded.train.text.tolist() == ["the cat sat", "yes"]


def test_the_published_archive_and_the_published_parts_are_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("conll2000/train.txt", TRAIN)
        archive.writestr("conll2000/test.txt", TEST)
        archive.writestr("conll2000/README", "nothing")
    parts = [tmp_path / "train.txt.gz", tmp_path / "dev.txt.gz"]
    for path, text in zip(parts, (TRAIN, TEST), strict=True):
        path.write_bytes(gzip.compress(text.encode()))

    one, other = (
        read_published("sentences", paths, "c") for paths in ([tmp_path / "c.zip"], parts)
    )

    assert one.fingerprint == other.fingerprint
    assert len(one.train) == 2


def test_an_archive_without_train_or_test_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("conll2000/train.txt", TRAIN)

    with pytest.raises(BadData, match=r"lacks train\.txt or test\.txt"):
        read_published("sentences", [tmp_path / "c.zip"], "c")


@pytest.mark.parametrize(
    ("test", "train", "message"),
    [
        (TEST, None, "the training sentences are missing"),
        (
            "A DT\n",
            TRAIN,
            "my-test.txt:1: expected a word, its part of speech and its tag, found 2",
        ),
        ("A DT X-NP\n", TRAIN, "my-test.txt:1: expected a tag such as B-NP, I-NP or O, found 'X-"),
        (TEST, "A DT O\nB DT\n", "my-train.txt:2: expected a word"),
        ("-DOCSTART- X O\n", TRAIN, "my-test.txt: contains no sentences"),
        ("", TRAIN, "is empty"),
    ],
)
def test_errors_name_the_position(sentences, test, train, message):
    with pytest.raises(BadData, match=message):
        sentences(test, train)
