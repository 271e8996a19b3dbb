import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lexiscope
from lexiscope import trainers
from lexiscope.core.discovery import names

TEXT = (
    "The cat drinks tea. The dog drinks tea! A queen sees the sun; a king sees the moon.\n"
    "Does the man see the woman? The woman sees the cat and the dog.\n\n"
) * 12


@pytest.fixture
def texts(folder):
    """A folder with two texts, one of them deeper down."""
    (folder / "texts" / "deeper").mkdir(parents=True)
    (folder / "texts" / "first.txt").write_text(TEXT, "utf-8")
    (folder / "texts" / "deeper" / "second.txt").write_text(TEXT, "utf-8")
    return folder / "texts"


def test_a_folder_trains_with_one_command_and_goes_into_run(call, folder, texts):
    ended = call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")
    document = json.loads(
        call("run", "mine.safetensors", "--dataset", "pairs.tsv", "--json").stdout
    )

    assert "mine.safetensors: 16 words x 5, from 768 tokens" in ended.stderr
    assert {r["embedding"] for r in document["results"]} == {"mine"}


def test_counts_travel_with_the_embedding(call, folder, texts):
    call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")

    found = lexiscope.load(folder / "mine.safetensors")

    assert found.words[0] == "the"
    assert found.counts[0] == TEXT.lower().split().count("the") * 2


def test_the_record_beside_the_vectors_repeats_them(call, folder, texts):
    call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5", "--digits", "zero")
    record = json.loads((folder / "mine.safetensors.json").read_text("utf-8"))

    command = shlex.split(record["command"])
    place = command.index("mine.safetensors")
    call(*command[1:place], "again.safetensors", *command[place + 1 :])
    assert (folder / "again.safetensors").read_bytes() == (folder / "mine.safetensors").read_bytes()

    again = lexiscope.load(folder / "again.safetensors")
    assert again.fingerprint == record["embedding"]["sha256"]
    assert record["trainer"]["settings"]["dimension"] == 5
    assert record["preparation"]["digits"] == "zero"
    assert record["corpus"]["words"] == len(again)
    assert record["versions"]["lexiscope"] == lexiscope.__version__


def test_what_is_there_already_is_not_trained_again_nor_written_over(call, folder, texts):
    order = ("train", "svd", "texts", "-o", "mine.safetensors", "--dimension")
    call(*order, "5")
    before = (folder / "mine.safetensors").stat().st_mtime_ns

    assert "is there already, trained the same way" in call(*order, "5").stderr
    assert "trained otherwise (dimension)" in call(*order, "4", code=2).stderr
    assert (folder / "mine.safetensors").stat().st_mtime_ns == before
    call(*order, "4", "--force")
    assert lexiscope.load(folder / "mine.safetensors").dimension == 4


def test_a_changed_text_is_another_training(call, folder, texts):
    order = ("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")
    call(*order)
    (texts / "first.txt").write_text(TEXT + "More tea.", "utf-8")

    assert "trained otherwise (texts)" in call(*order, code=2).stderr


def test_a_file_that_no_training_made_is_left_alone(call, folder, texts):
    ended = call("train", "svd", "texts", "-o", "first.vec", "--dimension", "5", code=2)

    assert "first.vec: is there already" in ended.stderr


def test_standard_input_is_a_text(call, folder):
    call("train", "svd", "-", "-o", "mine.vec", "--dimension", "5", input=TEXT)

    assert lexiscope.load(folder / "mine.vec").dimension == 5


def test_retrofitting_changes_vectors_that_are_there(call, folder):
    (folder / "ties.txt").write_text("cat dog\nsun moon\n", "utf-8")
    order = ("train", "retrofit", "--base", "first.vec", "--lexicon", "ties.txt")

    call(*order, "-o", "nearer.safetensors")

    old, new = lexiscope.load(folder / "first.vec"), lexiscope.load(folder / "nearer.safetensors")
    assert (old["king"] == new["king"]).all()
    assert abs(new["cat"] - new["dog"]).sum() < abs(old["cat"] - old["dog"]).sum()
    assert "takes no text" in call(*order, "pairs.tsv", "-o", "x.vec", code=2).stderr


def test_retrofitting_trains_its_base_with_settings(call, folder, texts):
    (folder / "ties.txt").write_text("cat dog\n", "utf-8")

    call(
        "train", "retrofit", "texts", "--base", "svd:dimension=3,window=1", "--lexicon", "ties.txt",
        "-o", "nearer.safetensors",
    )  # fmt: skip

    record = json.loads((folder / "nearer.safetensors.json").read_text("utf-8"))
    base = record["trainer"]["settings"]["base"]
    assert (base["name"], base["settings"]["dimension"], base["settings"]["window"]) == (
        "svd",
        3,
        1,
    )


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("svdd", "texts"), 2, "Did you mean 'svd'?"),
        (("svd",), 2, "A text is needed"),
        (("svd", "nowhere.txt"), 3, "nowhere.txt"),
        (("svd", "wikitext2"), 3, "Did you mean 'wikitext-2'?"),
        (("svd", "glove-6b-50d"), 3, "of vectors, not a corpus"),
        (("svd", "texts", "--dimension", "0"), 2, "dimension must be 1 or more, found 0."),
        (("svd", "texts", "--dimension", "x"), 2, "--dimension"),
        (("svd", "texts", "--windows", "2"), 2, "--window"),
        (("svd", "texts", "--minimum", "0"), 2, "minimum must be 1 or more, found 0."),
        (("svd", "texts", "--minimum", "1000"), 3, "no word occurs 1000 times or more"),
        (("svd", "empty"), 3, "empty"),
        (("svd", "latin.txt"), 3, "latin.txt"),
        (("ppmi", "texts", "-o", "x.vec"), 2, "only .safetensors can hold"),
        (("svd", "texts", "--memory", "abc"), 2, "500M or 2G"),
        (("retrofit", "texts"), 2, "retrofit needs --base and --lexicon."),
        (("retrofit", "--base", "first.vec", "--lexicon", "no.txt"), 2, "no.txt"),
        (("retrofit", "--base", "svd:dimension", "--lexicon", "pairs.tsv"), 2, "FIELD=VALUE"),
    ],
)
def test_bad_input_gets_one_sentence(call, folder, texts, arguments, code, sentence):
    (folder / "empty").mkdir()
    (folder / "empty" / "nothing.txt").write_bytes(b"")
    (folder / "latin.txt").write_bytes("caf\xe9 au lait ".encode("latin-1") * 20)

    out = () if "-o" in arguments else ("-o", "mine.safetensors")
    ended = call("train", *arguments, *out, code=code)

    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (folder / "mine.safetensors").exists()


def test_an_ending_that_nothing_writes_is_told_before_the_work(call, folder, texts):
    assert (
        "the ending says how to write" in call("train", "svd", "texts", "-o", "x.y", code=2).stderr
    )
    assert "is a directory" in call("train", "svd", "texts", "-o", "texts", code=2).stderr


def test_help_lists_trainers_and_their_settings(call):
    listed, one = call("train", "--help").stdout, call("train", "svd", "--help").stdout

    assert all(name in listed for name in names(trainers))
    assert "--dimension" in one
    assert "--minimum" in one


def test_trainers_are_listed_and_explained(call):
    assert all(name in call("trainers").stdout for name in names(trainers))
    about = json.loads(call("trainers", "svd", "--json").stdout)[0]
    assert about["settings"]["dimension"]["about"]
    assert "Levy" in call("trainers", "svd").stdout
    assert "Did you mean 'svd'?" in call("trainers", "svdd", code=2).stderr


def test_an_interrupt_ends_a_training_that_waits_for_standard_input(folder):
    waiting = subprocess.Popen(
        [sys.executable, "-m", "lexiscope", "train", "svd", "-", "-o", "mine.vec", "--debug"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test run in the background would hand down that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with waiting:
        waiting.stdin.write(TEXT)
        waiting.stdin.flush()
        _wait_until_numba_is_there(waiting.pid)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(30) == 130


@pytest.mark.skipif(os.name != "posix", reason="terminals are devices there only")
def test_an_interrupted_training_goes_on_when_asked_to(call, folder, texts):
    order = ("train", "skipgram", "texts", "--dimension", "5", "--epochs", "5000", "-o")
    terminal, end = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "lexiscope", *order, "mine.vec"],
        stderr=end,
        env={**os.environ, "COLUMNS": "200", "TERM": "xterm"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as training:
        os.close(end)
        told = _read_until(b"left", terminal)
        training.send_signal(signal.SIGINT)
        told += _read_until(b"neighbours take it.", terminal)
        assert training.wait(30) == 130
    os.close(terminal)

    assert b"/s" in told
    assert b"Interrupted. The same command with --resume goes on. mine.vec.checkpoint" in told
    assert "--resume goes on, --force begins anew" in call(*order, "mine.vec", code=2).stderr
    other = call(*order, "mine.vec", "--resume", "--seed", "1", code=2).stderr
    assert "mine.vec.checkpoint: is the checkpoint of another training (seed)." in other
    call("convert", "mine.vec.checkpoint", "early.vec")
    assert (folder / "early.vec").exists()
    assert re.search(
        r"mine\.vec\.checkpoint: goes on after \d+\.\d s of training\.",
        call(*order, "mine.vec", "--resume").stderr,
    )
    assert not (folder / "mine.vec.checkpoint").exists()

    call(*order, "whole.vec")
    assert (folder / "mine.vec").read_bytes() == (folder / "whole.vec").read_bytes()
    assert (folder / "early.vec").read_bytes() != (folder / "whole.vec").read_bytes()


def _read_until(wanted, terminal):
    told = b""
    while wanted not in told:
        told += os.read(terminal, 4096)
    return told


def test_resuming_what_was_never_interrupted_begins_and_says_so(call, folder, texts):
    order = ("texts", "--dimension", "5", "--resume", "-o")

    assert "a.vec: there is no checkpoint, so" in call("train", "cbow", *order, "a.vec").stderr
    assert "b.vec: this trainer goes in one piece" in call("train", "svd", *order, "b.vec").stderr
    assert (folder / "a.vec").exists()
    assert "is there already" in call("train", "cbow", *order, "a.vec").stderr


def test_force_begins_anew_whatever_the_checkpoint_is(call, folder, texts):
    (folder / "a.vec.checkpoint").write_bytes(b"damaged")
    order = ("train", "cbow", "texts", "--dimension", "5", "-o", "a.vec")

    for more in ((), ("--resume",)):
        assert "a.vec.checkpoint: the checkpoint is damaged" in call(*order, *more, code=3).stderr
    call(*order, "--force")

    assert not (folder / "a.vec.checkpoint").exists()


def _wait_until_numba_is_there(process):
    """Reading has begun when the kernels are loaded."""
    for _ in range(600):
        if "llvmlite" in Path(f"/proc/{process}/maps").read_text("utf-8"):
            break
        time.sleep(0.05)
    time.sleep(0.5)
