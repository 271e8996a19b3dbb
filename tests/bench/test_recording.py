import json
import os
import shlex

import numpy as np
import pytest

import lexiscope
from lexiscope.bench import recording
from lexiscope.bench.planfile import read as read_plan
from lexiscope.bench.planned import train_all
from lexiscope.bench.recording import already, command, place_of
from lexiscope.bench.training import make, ordered, read_corpus, train
from lexiscope.core.errors import BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.data.library import Library

TEXT = "the cat drinks tea and the dog drinks milk. " * 10


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    return tmp_path


def order(place, name="made", **settings):
    texts = [str(place / "text.txt")]
    return ordered("svd", {"dimension": 3, **settings}, texts, Library(), name=name)


def test_the_same_training_is_there_already(place):
    make(order(place), Library(), place / "a.safetensors")

    assert already(order(place), Library(), place / "a.safetensors")


def test_other_vectors_under_the_same_name_do_not_pass(place):
    make(order(place), Library(), place / "a.safetensors")
    make(order(place, window=1), Library(), place / "b.safetensors")
    (place / "a.safetensors").write_bytes((place / "b.safetensors").read_bytes())

    with pytest.raises(BadUsage, match="was changed after the training"):
        already(order(place), Library(), place / "a.safetensors")


@pytest.mark.parametrize("ending", ["safetensors", "vec", "npy", "bin.gz"])
def test_an_interruption_while_writing_leaves_no_mixture(place, monkeypatch, ending):
    out = place / f"a.{ending}"
    make(order(place), Library(), out)
    before = out.read_bytes()

    with monkeypatch.context() as patched:
        patched.setattr(recording, "sha256_of", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            make(order(place, window=1), Library(), out)

    assert out.read_bytes() == before
    assert already(order(place), Library(), out)
    assert not [path for path in place.iterdir() if path.name.startswith(".training")]


def _interrupt(path):
    raise KeyboardInterrupt


def test_a_record_without_its_vectors_is_a_training_to_do_again(place):
    make(order(place), Library(), place / "a.safetensors")
    (place / "a.safetensors").unlink()

    assert not already(order(place), Library(), place / "a.safetensors")


@pytest.mark.parametrize("other", ["a.npy.json", "a.words"])
def test_files_of_others_that_would_be_written_over_are_left_alone(place, other):
    (place / other).write_text("mine", "utf-8")

    with pytest.raises(BadUsage, match=f"{other}: is there already"):
        already(order(place), Library(), place / "a.npy")


@pytest.mark.parametrize(
    "content", [b"", b"[" * 100_000, b"{}", b'{"format": "lexiscope training 1"}']
)
def test_a_broken_record_is_no_record(place, content):
    make(order(place), Library(), place / "a.safetensors")
    place_of(place / "a.safetensors").write_bytes(content)

    with pytest.raises(BadUsage, match="no training is recorded"):
        already(order(place), Library(), place / "a.safetensors")


def test_another_name_is_another_training(place):
    make(order(place), Library(), place / "a.safetensors")

    with pytest.raises(BadUsage, match=r"trained otherwise \(name\)"):
        already(order(place, "other"), Library(), place / "a.safetensors")


def test_the_text_is_recorded_as_it_was_read(place, monkeypatch):
    text = place / "text.txt"

    def change(what, done, of):
        text.write_text("other words", "utf-8")

    make(order(place), Library(), place / "a.safetensors", change)

    with pytest.raises(BadUsage, match=r"trained otherwise \(texts\)"):
        already(order(place), Library(), place / "a.safetensors")


@pytest.mark.skipif(os.name != "posix", reason="names are bytes there only")
def test_names_that_are_no_text_can_be_recorded(place):
    folder = place / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    for name in (b"caf\xe9.txt", b"caf\xe9.pdf"):
        (folder / os.fsdecode(name)).write_text(TEXT, "utf-8")
    training = ordered("svd", {"dimension": 3}, [str(folder)], Library(), name="made")

    make(training, Library(), place / "a.safetensors")

    assert already(training, Library(), place / "a.safetensors")


def test_the_command_says_where_data_lie_and_what_the_name_is(place):
    (place / "data").mkdir()
    (place / "-x.txt").write_text(TEXT, "utf-8")
    training = ordered("svd", {}, ["-x.txt"], Library(place / "data"), name="my name")

    words = shlex.split(command(training, Library(place / "data"), place / "a.vec"))

    assert words[words.index("--data-dir") + 1] == str(place / "data")
    assert words[words.index("--name") + 1] == "my name"
    assert words[-2:] == ["--", "-x.txt"]


def test_a_step_without_text_does_not_make_the_next_one_read_again(place, monkeypatch):
    (place / "ties.txt").write_text("cat dog\n", "utf-8")
    (place / "plan.toml").write_text(
        "[text]\nsources = 'text.txt'\n[[train]]\ntrainer = 'svd'\ndimension = 3\n"
        "[[train]]\ntrainer = 'retrofit'\nbase = 'svd'\nlexicon = 'ties.txt'\n"
        "[[train]]\ntrainer = 'lsa'\ndimension = 3\n",
        "utf-8",
    )
    told = []

    made = list(
        train_all(
            read_plan(place / "plan.toml"), Library(), lambda what, done, of: told.append(what)
        )
    )

    assert len(made) == 3
    assert {what for what in told if what.endswith("Reading")} == {"svd: Reading"}


def test_python_trains_in_one_call(place):
    found = train("svd", place / "text.txt", dimension=3, name="mine", seed=5)

    assert found.name == "mine"
    assert found.dimension == 3
    assert (
        found.fingerprint == train("svd", str(place / "text.txt"), dimension=3, seed=5).fingerprint
    )


def test_python_retrofits_without_a_text():
    base = lexiscope.load((["cat", "dog", "sun"], np.eye(3)))

    found = train(
        "retrofit", base=base, lexicon=Lexicon("ties", {"cat": ("dog",), "dog": ("cat",)})
    )

    assert found["cat"] @ found["dog"] > 0
    with pytest.raises(BadUsage, match="A text is needed"):
        train("svd")


def test_a_record_is_one_json_document(place):
    make(order(place), Library(), place / "a.safetensors")

    record = json.loads(place_of(place / "a.safetensors").read_text("utf-8"))

    assert record["format"] == "lexiscope training 1"
    assert set(record["files"]) == {"a.safetensors"}
    assert record["reading"] == 2


def test_vectors_say_where_they_come_from(place):
    make(order(place, window=2), Library(), place / "a.safetensors")

    found = lexiscope.load(place / "a.safetensors")

    assert found.origin.startswith("svd (window=2, dimension=3) of text.txt (")


def test_the_same_text_by_another_path_is_the_same_training(place, monkeypatch):
    make(order(place), Library(), place / "a.safetensors")
    monkeypatch.chdir(place)
    here = ordered("svd", {"dimension": 3}, ["./text.txt"], Library(), name="made")

    assert already(here, Library(), place / "a.safetensors")


def test_python_reads_a_corpus_with_a_preset_and_single_steps(place):
    found = read_corpus(place / "text.txt", "schnabel2015", minimum=1)

    assert found.preparation.digits == "zero"
    assert found.preparation.minimum == 1
    assert len(found) == len(TEXT.replace(".", "").split())


def test_a_lexicon_may_be_a_plain_table():
    base = lexiscope.load((["cat", "dog", "sun"], np.eye(3)))

    found = train("retrofit", base=base, lexicon={"cat": ["dog"], "dog": ["cat"]})

    assert found["cat"] @ found["dog"] > 0
