import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope import trainers
from lexiscope.core.contracts.registry import names

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


def test_vectors_trained_on_a_folder_can_be_evaluated(call, folder, texts):
    ended = call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")
    document = json.loads(
        call("run", "mine.safetensors", "--dataset", "pairs.tsv", "--json").stdout
    )

    assert "mine.safetensors: 16 words x 5, from 768 tokens" in ended.stderr
    assert {r["embedding"] for r in document["results"]} == {"mine"}


def test_vectors_have_the_word_counts(call, folder, texts):
    call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")

    found = lexiscope.load(folder / "mine.safetensors")

    assert found.words[0] == "the"
    assert found.counts[0] == TEXT.lower().split().count("the") * 2


def test_the_command_in_the_record_repeats_the_training(call, folder, texts):
    call("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5", "--digits", "zero")
    record = json.loads((folder / "mine.safetensors.json").read_text("utf-8"))

    command = shlex.split(record["command"])
    position = command.index("mine.safetensors")
    call(*command[1:position], "again.safetensors", *command[position + 1 :])
    assert (folder / "again.safetensors").read_bytes() == (folder / "mine.safetensors").read_bytes()

    again = lexiscope.load(folder / "again.safetensors")
    assert again.fingerprint == record["embedding"]["sha256"]
    assert record["trainer"]["settings"]["dimension"] == 5
    assert record["preprocessing"]["digits"] == "zero"
    assert record["corpus"]["words"] == len(again)
    assert record["versions"]["lexiscope"] == lexiscope.__version__


def test_what_is_there_already_is_not_trained_again_nor_written_over(call, folder, texts):
    order = ("train", "svd", "texts", "-o", "mine.safetensors", "--dimension")
    call(*order, "5")
    before = (folder / "mine.safetensors").stat().st_mtime_ns

    assert "exists already, from the same training" in call(*order, "5").stderr
    assert "from a training that differs in dimension." in call(*order, "4", code=2).stderr
    assert (folder / "mine.safetensors").stat().st_mtime_ns == before
    call(*order, "4", "--force")
    assert lexiscope.load(folder / "mine.safetensors").dimension == 4


def test_a_changed_text_is_another_training(call, folder, texts):
    order = ("train", "svd", "texts", "-o", "mine.safetensors", "--dimension", "5")
    call(*order)
    (texts / "first.txt").write_text(TEXT + "More tea.", "utf-8")

    assert "from a training that differs in texts." in call(*order, code=2).stderr


def test_a_file_without_a_record_is_not_overwritten(call, folder, texts):
    ended = call("train", "svd", "texts", "-o", "first.vec", "--dimension", "5", code=2)

    assert "first.vec: exists already" in ended.stderr


def test_standard_input_is_a_text(call, folder):
    call("train", "svd", "-", "-o", "mine.vec", "--dimension", "5", input=TEXT)

    assert lexiscope.load(folder / "mine.vec").dimension == 5


def test_retrofitting_changes_existing_vectors(call, folder):
    (folder / "lexicon.txt").write_text("cat dog\nsun moon\n", "utf-8")
    order = ("train", "retrofit", "--base", "first.vec", "--lexicon", "lexicon.txt")

    call(*order, "-o", "nearer.safetensors")

    old, new = lexiscope.load(folder / "first.vec"), lexiscope.load(folder / "nearer.safetensors")
    before = {word: old[word] / np.linalg.norm(old[word]) for word in ("king", "cat", "dog")}
    np.testing.assert_allclose(new["king"], before["king"], atol=1e-6)
    assert abs(new["cat"] - new["dog"]).sum() < abs(before["cat"] - before["dog"]).sum()
    assert "takes no text" in call(*order, "pairs.tsv", "-o", "x.vec", code=2).stderr


def test_retrofitting_trains_its_base_with_settings(call, folder, texts):
    (folder / "lexicon.txt").write_text("cat dog\n", "utf-8")

    call(
        "train", "retrofit", "texts", "--base", "svd:dimension=3,window=1",
        "--lexicon", "lexicon.txt", "-o", "nearer.safetensors",
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
        (("svd", "glove-6b-50d"), 3, "of the kind vectors, not a corpus"),
        (("svd", "texts", "--dimension", "0"), 2, "dimension must be 1 or more, found 0."),
        (("svd", "texts", "--dimension", "x"), 2, "--dimension"),
        (("svd", "texts", "--windows", "2"), 2, "--window"),
        (("svd", "texts", "--min-count", "0"), 2, "min_count must be 1 or more, found 0."),
        (("svd", "texts", "--min-count", "1000"), 3, "no word occurs 1000 times or more"),
        (("svd", "empty"), 3, "empty"),
        (("svd", "latin.txt"), 3, "latin.txt"),
        (("ppmi", "texts", "-o", "x.vec"), 2, "only .safetensors can store"),
        (("svd", "texts", "--memory", "abc"), 2, "500M or 2G"),
        (("retrofit", "texts"), 2, "retrofit needs --base and --lexicon."),
        (("retrofit", "--base", "first.vec", "--lexicon", "no.txt"), 2, "no.txt"),
        (("retrofit", "--base", "svd:dimension", "--lexicon", "pairs.tsv"), 2, "FIELD=VALUE"),
    ],
)
def test_bad_input_is_reported_in_one_sentence(call, folder, texts, arguments, code, sentence):
    (folder / "empty").mkdir()
    (folder / "empty" / "nothing.txt").write_bytes(b"")
    (folder / "latin.txt").write_bytes("caf\xe9 au lait ".encode("latin-1") * 20)

    out = () if "-o" in arguments else ("-o", "mine.safetensors")
    ended = call("train", *arguments, *out, code=code)

    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (folder / "mine.safetensors").exists()


def test_an_unknown_extension_is_refused_before_training(call, folder, texts):
    assert (
        "the ending must select a format"
        in call("train", "svd", "texts", "-o", "x.y", code=2).stderr
    )
    assert "is a directory" in call("train", "svd", "texts", "-o", "texts", code=2).stderr


def test_help_lists_trainers_and_their_settings(call):
    listed, one = call("train", "--help").stdout, call("train", "svd", "--help").stdout

    assert all(name in listed for name in names(trainers))
    assert "--dimension" in one
    assert "--min-count" in one


def test_trainers_are_listed_and_described(call):
    assert all(name in call("trainers").stdout for name in names(trainers))
    about = json.loads(call("trainers", "svd", "--json").stdout)[0]
    assert about["settings"]["dimension"]["help"]
    assert "Levy" in call("trainers", "svd").stdout
    assert "Did you mean 'svd'?" in call("trainers", "svdd", code=2).stderr


def test_an_interrupt_ends_a_training_that_waits_for_standard_input(folder):
    waiting = subprocess.Popen(
        [sys.executable, "-m", "lexiscope", "train", "svd", "-", "-o", "mine.vec", "--debug"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Interrupts are ignored in processes that were started in the background.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with waiting:
        waiting.stdin.write(TEXT)
        waiting.stdin.flush()
        _wait_until_numba_is_there(waiting.pid)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(30) == 130


@pytest.mark.skipif(os.name != "posix", reason="terminals are devices there only")
def test_an_interrupted_training_is_resumed_on_request(call, folder, texts):
    order = ("train", "skipgram", "texts", "--dimension", "5", "--epochs", "5000", "-o")
    terminal, end = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "lexiscope", *order, "mine.vec"],
        stderr=end,
        env={**os.environ, "COLUMNS": "200", "TERM": "xterm"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as training:
        os.close(end)
        output = _read_until(b"left", terminal)
        training.send_signal(signal.SIGINT)
        output += _read_until(b"neighbours accept it.", terminal)
        assert training.wait(30) == 130
    os.close(terminal)

    assert b"/s" in output
    assert b"Interrupted. The same command with --resume continues. mine.vec.checkpoint" in output
    assert (
        "--resume continues it, --force starts from scratch"
        in call(*order, "mine.vec", code=2).stderr
    )
    other = call(*order, "mine.vec", "--resume", "--seed", "1", code=2).stderr
    assert "mine.vec.checkpoint: is the checkpoint of a training that differs in seed." in other
    call("convert", "mine.vec.checkpoint", "early.vec")
    assert (folder / "early.vec").exists()
    assert re.search(
        r"mine\.vec\.checkpoint: resuming after \d+\.\d s of training\.",
        call(*order, "mine.vec", "--resume").stderr,
    )
    assert not (folder / "mine.vec.checkpoint").exists()

    call(*order, "whole.vec")
    assert (folder / "mine.vec").read_bytes() == (folder / "whole.vec").read_bytes()
    assert (folder / "early.vec").read_bytes() != (folder / "whole.vec").read_bytes()


def _read_until(wanted, terminal):
    output = b""
    while wanted not in output:
        output += os.read(terminal, 4096)
    return output


def test_resuming_without_a_checkpoint_starts_from_scratch(call, folder, texts):
    order = ("texts", "--dimension", "5", "--resume", "-o")

    assert "a.vec: there is no checkpoint, so" in call("train", "cbow", *order, "a.vec").stderr
    assert "b.vec: this trainer cannot be resumed" in call("train", "svd", *order, "b.vec").stderr
    assert (folder / "a.vec").exists()
    assert "exists already" in call("train", "cbow", *order, "a.vec").stderr


def test_force_ignores_a_checkpoint(call, folder, texts):
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


PLUGIN = """\"\"\"A plug-in.\"\"\"
from dataclasses import dataclass
from lexiscope.core.contracts.settings import setting
from lexiscope.trainers.svd import Svd

@dataclass(frozen=True)
class Mine(Svd):
    \"\"\"SVD with a scale.\"\"\"
    scale: float = setting(1.0, "Scale of the vectors.", exclusive_minimum=0)
"""


def test_a_trainer_from_a_python_file(call, folder, texts):
    (folder / "mine.py").write_text(PLUGIN, "utf-8")
    order = ("train", "mine.py", "texts", "-o", "a.vec", "--dimension", "2", "--scale")

    call(*order, "2")

    record = json.loads((folder / "a.vec.json").read_text("utf-8"))
    assert record["trainer"]["name"] == "mine"
    assert record["trainer"]["settings"]["scale"] == 2
    assert shlex.split(record["command"])[:3] == ["lexiscope", "train", "mine.py"]
    assert "exists already, from the same training" in call(*order, "2").stderr
    assert "mine.scale must be more than 0, found 0" in call(*order, "0", code=2).stderr
    assert "Scale of the vectors." in call("trainers", "mine.py").stdout
    assert "cannot be read" in call("train", "other.py", "texts", "-o", "a.vec", code=3).stderr


def test_an_installed_trainer_is_listed_and_trains(call, folder, texts, monkeypatch):
    site = folder / "site"
    (site / "mine-1.0.dist-info").mkdir(parents=True)
    (site / "mine-1.0.dist-info" / "METADATA").write_text("Name: mine\n", "utf-8")
    entry = site / "mine-1.0.dist-info" / "entry_points.txt"
    entry.write_text("[lexiscope.trainers]\nscaled-svd = mine_trainer:Mine\n", "utf-8")
    (site / "mine_trainer.py").write_text(PLUGIN, "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), *sys.path]))

    assert "scaled-svd SVD with a scale." in " ".join(call("trainers").stdout.split())
    assert "scaled-svd" in call("train", "--help").stdout
    call("train", "scaled-svd", "texts", "-o", "a.vec", "--dimension", "2")
    assert lexiscope.load(folder / "a.vec").dimension == 2

    entry.write_text("[lexiscope.trainers]\nsvd = mine_trainer:Mine\n", "utf-8")
    refused = call("train", "svd", "texts", "-o", "b.vec", code=2).stderr
    assert "package 'mine' provides 'svd'" in refused
    assert "the name of a built-in trainer" in refused
    call("--help")  # does not look for plug-ins


def test_json_is_the_training_record(call, folder, texts):
    order = ("train", "svd", "texts", "-o", "a.vec", "--dimension", "2", "--json")

    record = json.loads(call(*order).stdout)

    assert record["embedding"]["dimension"] == 2
    assert json.loads(call(*order).stdout)["embedding"] == record["embedding"]
