"""Terms, backgrounds and maps by name and file."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.cli.main import main
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.data.local_data import LocalData
from lexiscope.learners.induction_map import InductionMap
from lexiscope.training.spec import trainer_from, training_from

SENTENCES = "The cat drinks milk. The small cat sleeps. A dog drinks water. The dog sleeps.\n" * 5


@pytest.fixture
def files(tmp_path):
    (tmp_path / "book.txt").write_text(SENTENCES)
    (tmp_path / "terms.txt").write_text("cat\nsmall cat\nunicorn\n")
    words = ["the", "a", "drinks", "milk", "sleeps", "water", "dog", "cat"]
    vectors = np.random.default_rng(0).normal(size=(8, 2))
    lexiscope.save(lexiscope.load((words, vectors), name="base"), tmp_path / "base.safetensors")
    np.save(tmp_path / "map.npy", np.eye(2))
    np.eye(2, dtype="<f4").tofile(tmp_path / "map.bin")
    return tmp_path


def test_the_command_trains_and_its_record_repeats_it(files, monkeypatch):
    monkeypatch.chdir(files)
    options = ["--background", "base.safetensors", "--terms", "terms.txt", "--min-count", "1"]

    with pytest.raises(SystemExit) as ended:
        main(["train", "additive", "book.txt", *options, "-o", "out.safetensors"])

    found = lexiscope.load("out.safetensors")
    record = json.loads((files / "out.safetensors.json").read_text())
    assert ended.value.code == 0
    assert sorted(found.words) == ["cat", "small_cat"]
    assert "--terms terms.txt" in record["command"]
    assert record["trainer"]["settings"]["terms"]["terms"] == "terms"
    assert len(record["trainer"]["settings"]["background"]["sha256"]) == 64


def test_other_terms_are_another_training(files):
    def identity(name):
        (files / "more.txt").write_text("dog\n")
        settings = {"background": str(files / "base.safetensors"), "terms": str(files / name)}
        training = training_from("additive", settings, [str(files / "book.txt")], LocalData(None))
        return training.identity(LocalData(None))

    assert identity("terms.txt") == identity("terms.txt")
    assert identity("terms.txt") != identity("more.txt")


@pytest.mark.parametrize("name", ["map.npy", "map.bin"])
def test_a_map_is_a_matrix_file(files, name):
    settings = {"background": str(files / "base.safetensors"), "map": str(files / name)}

    trainer = trainer_from("alacarte", settings, LocalData(None))

    assert isinstance(trainer.map, InductionMap)
    assert trainer.map.matrix.tolist() == [[1, 0], [0, 1]]


def test_a_map_is_learned_from_a_text(files):
    settings = {"background": str(files / "base.safetensors"), "map": str(files / "book.txt")}

    trainer = trainer_from("alacarte", settings, LocalData(None))

    assert isinstance(trainer.map, Corpus)


@pytest.mark.parametrize(
    ("name", "content"),
    [("three.bin", bytes(12)), ("empty.bin", b""), ("bad.npy", b"nothing"), ("e.npy", b"")],
)
def test_a_file_that_is_no_matrix_is_refused(files, name, content):
    (files / name).write_bytes(content)
    settings = {"background": str(files / "base.safetensors"), "map": str(files / name)}

    with pytest.raises(BadData, match=name):
        trainer_from("alacarte", settings, LocalData(None))


def test_python_takes_terms_as_a_list(files):
    found = lexiscope.train(
        "additive",
        [["a", "cat", "drinks"], ["a", "cat", "sleeps"]],
        preprocessing=lexiscope.Preprocessing(min_count=1),
        background=str(files / "base.safetensors"),
        terms=["cat", "cat"],
    )

    assert found.words == ("cat",)
    assert found.counts.tolist() == [2]
