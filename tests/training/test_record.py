import json
import os
import shlex

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.config import read as read_experiment
from lexiscope.experiments.runner import train_all
from lexiscope.training import record as record_module
from lexiscope.training.record import command, is_finished, record_path
from lexiscope.training.spec import training_from
from lexiscope.training.train import read_corpus, run_training, train

TEXT = "the cat drinks tea and the dog drinks milk. " * 10


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    return tmp_path


def training_on(directory, name="made", **settings):
    texts = [str(directory / "text.txt")]
    return training_from("svd", {"dimension": 3, **settings}, texts, LocalData(), name=name)


def test_the_same_training_is_finished(directory):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")

    assert is_finished(training_on(directory), LocalData(), directory / "a.safetensors")


def test_other_vectors_under_the_same_name_are_refused(directory):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")
    run_training(training_on(directory, window=1), LocalData(), directory / "b.safetensors")
    (directory / "a.safetensors").write_bytes((directory / "b.safetensors").read_bytes())

    with pytest.raises(BadUsage, match="was changed after the training"):
        is_finished(training_on(directory), LocalData(), directory / "a.safetensors")


@pytest.mark.parametrize("ending", ["safetensors", "vec", "npy", "bin.gz"])
def test_an_interruption_while_writing_keeps_the_old_files(directory, monkeypatch, ending):
    out = directory / f"a.{ending}"
    run_training(training_on(directory), LocalData(), out)
    before = out.read_bytes()

    with monkeypatch.context() as patched:
        patched.setattr(record_module, "sha256_of", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_training(training_on(directory, window=1), LocalData(), out)

    assert out.read_bytes() == before
    assert is_finished(training_on(directory), LocalData(), out)
    assert not [path for path in directory.iterdir() if path.name.startswith(".training")]


def _interrupt(path):
    raise KeyboardInterrupt


def test_a_training_without_its_vectors_is_not_finished(directory):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")
    (directory / "a.safetensors").unlink()

    assert not is_finished(training_on(directory), LocalData(), directory / "a.safetensors")


@pytest.mark.parametrize("other", ["a.npy.json", "a.words"])
def test_other_files_are_not_overwritten(directory, other):
    (directory / other).write_text("mine", "utf-8")

    with pytest.raises(BadUsage, match=f"{other}: exists already"):
        is_finished(training_on(directory), LocalData(), directory / "a.npy")


@pytest.mark.parametrize(
    "content", [b"", b"[" * 100_000, b"{}", b'{"format": "lexiscope training 1"}']
)
def test_a_broken_record_does_not_count(directory, content):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")
    record_path(directory / "a.safetensors").write_bytes(content)

    with pytest.raises(BadUsage, match="no record of a training"):
        is_finished(training_on(directory), LocalData(), directory / "a.safetensors")


def test_another_name_is_another_training(directory):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")

    with pytest.raises(BadUsage, match=r"from a training that differs in name\."):
        is_finished(training_on(directory, "other"), LocalData(), directory / "a.safetensors")


def test_the_text_is_recorded_as_it_was_read(directory, monkeypatch):
    text = directory / "text.txt"

    def change(what, done, of):
        text.write_text("other words", "utf-8")

    run_training(training_on(directory), LocalData(), directory / "a.safetensors", change)

    with pytest.raises(BadUsage, match=r"from a training that differs in texts\."):
        is_finished(training_on(directory), LocalData(), directory / "a.safetensors")


@pytest.mark.skipif(os.name != "posix", reason="names are bytes there only")
def test_names_that_are_not_utf8_can_be_recorded(directory):
    folder = directory / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    for name in (b"caf\xe9.txt", b"caf\xe9.pdf"):
        (folder / os.fsdecode(name)).write_text(TEXT, "utf-8")
    training = training_from("svd", {"dimension": 3}, [str(folder)], LocalData(), name="made")

    run_training(training, LocalData(), directory / "a.safetensors")

    assert is_finished(training, LocalData(), directory / "a.safetensors")


def test_the_command_has_the_data_folder_and_the_name(directory):
    (directory / "data").mkdir()
    (directory / "-x.txt").write_text(TEXT, "utf-8")
    training = training_from("svd", {}, ["-x.txt"], LocalData(directory / "data"), name="my name")

    words = shlex.split(command(training, LocalData(directory / "data"), directory / "a.vec"))

    assert words[words.index("--data-dir") + 1] == str(directory / "data")
    assert words[words.index("--name") + 1] == "my name"
    assert words[-2:] == ["--", "-x.txt"]


def test_a_step_without_text_keeps_the_corpus_for_the_next_step(directory, monkeypatch):
    (directory / "lexicon.txt").write_text("cat dog\n", "utf-8")
    (directory / "experiment.toml").write_text(
        "[text]\nsources = 'text.txt'\n[[train]]\ntrainer = 'svd'\ndimension = 3\n"
        "[[train]]\ntrainer = 'retrofit'\nbase = 'svd'\nlexicon = 'lexicon.txt'\n"
        "[[train]]\ntrainer = 'lsa'\ndimension = 3\n",
        "utf-8",
    )
    reports = []

    made = list(
        train_all(
            read_experiment(directory / "experiment.toml"),
            LocalData(),
            lambda what, done, of: reports.append(what),
        )
    )

    assert len(made) == 3
    assert {what for what in reports if what.endswith("Reading")} == {"svd: Reading"}


def test_train_is_one_call(directory):
    found = train("svd", directory / "text.txt", dimension=3, name="mine", seed=5)

    assert found.name == "mine"
    assert found.dimension == 3
    assert (
        found.fingerprint
        == train("svd", str(directory / "text.txt"), dimension=3, seed=5).fingerprint
    )


def test_retrofitting_needs_no_text():
    base = lexiscope.load((["cat", "dog", "sun"], np.eye(3)))

    found = train(
        "retrofit", base=base, lexicon=Lexicon("lexicon", {"cat": ("dog",), "dog": ("cat",)})
    )

    assert found["cat"] @ found["dog"] > 0
    with pytest.raises(BadUsage, match="A text is needed"):
        train("svd")


def test_a_record_is_one_json_document(directory):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")

    record = json.loads(record_path(directory / "a.safetensors").read_text("utf-8"))

    assert record["format"] == "lexiscope training 1"
    assert set(record["files"]) == {"a.safetensors"}
    assert record["reader_version"] == 3


def test_vectors_have_an_origin(directory):
    run_training(training_on(directory, window=2), LocalData(), directory / "a.safetensors")

    found = lexiscope.load(directory / "a.safetensors")

    assert found.origin.startswith("svd (window=2, dimension=3) of text.txt (")


def test_texts_are_compared_by_content_not_by_path(directory, monkeypatch):
    run_training(training_on(directory), LocalData(), directory / "a.safetensors")
    monkeypatch.chdir(directory)
    here = training_from("svd", {"dimension": 3}, ["./text.txt"], LocalData(), name="made")

    assert is_finished(here, LocalData(), directory / "a.safetensors")


def test_read_corpus_takes_a_preset_and_changes(directory):
    found = read_corpus(directory / "text.txt", "schnabel2015", min_count=1)

    assert found.preprocessing.digits == "zero"
    assert found.preprocessing.min_count == 1
    assert len(found) == len(TEXT.replace(".", "").split())


def test_a_lexicon_may_be_a_dict():
    base = lexiscope.load((["cat", "dog", "sun"], np.eye(3)))

    found = train("retrofit", base=base, lexicon={"cat": ["dog"], "dog": ["cat"]})

    assert found["cat"] @ found["dog"] > 0
