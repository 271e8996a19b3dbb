"""A training that was interrupted or killed ends with the same bytes as an uninterrupted one."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import checkpoints
from lexiscope.experiments.config import read as read_experiment
from lexiscope.experiments.runner import train_all
from lexiscope.trainers import _sharding
from lexiscope.training import checkpoint
from lexiscope.training.checkpoint import checkpoint_path, has_checkpoint, remove_checkpoint
from lexiscope.training.record import Timing, is_finished, outcome, record_path
from lexiscope.training.spec import trainer_from, training_from
from lexiscope.training.train import run_training

ROOT = Path(__file__).parents[2]
WORDS = ["the", "cat", "dog", "king", "drinks", "sees", "tea", "milk", "a", "moon", "and"]


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """A folder with a text; rounds of 100 tokens, four of them in a step, as for a long text."""
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_sharding, "_TOKENS", 100)
    monkeypatch.setattr(_sharding, "_LEVELS", 2)
    write_text(tmp_path / "text.txt")
    # Interrupts are ignored in processes that were started in the background.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield tmp_path
    signal.signal(signal.SIGINT, usual)


def write_text(path, sentences=300):
    rng = np.random.default_rng(2)
    lines = (rng.choice(WORDS, rng.integers(3, 12)) for _ in range(sentences))
    path.write_text("\n".join(map(" ".join, lines)), "utf-8")


def training_on(directory, trainer="skipgram", name="made", **settings):
    small = {"dimension": 5, "epochs": 3, "window": 2, **settings}
    return training_from(trainer, small, [str(directory / "text.txt")], LocalData(), name=name)


def interrupted(training, out, after, **more):
    """Run a training that is interrupted in a step of this process."""
    steps = 0

    def progress(what, done, of):
        nonlocal steps
        steps += what.endswith("Training")
        if steps == after:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_training(training, LocalData(), out, progress, **more)


@pytest.mark.parametrize("trainer", ["skipgram", "cbow"])
@pytest.mark.parametrize("shards", [1, 2])
def test_a_resumed_training_gives_the_same_bytes(directory, trainer, shards):
    training = training_on(directory, trainer, shards=shards)
    run_training(training, LocalData(), directory / "whole.safetensors")

    out = directory / "parts.safetensors"
    interrupted(training, out, 2)
    assert not out.exists()
    assert has_checkpoint(training, LocalData(), out)
    interrupted(training, out, 3, resume=True)
    run_training(training, LocalData(), out, resume=True)

    assert out.read_bytes() == (directory / "whole.safetensors").read_bytes()
    assert not checkpoint_path(out).exists()


def test_an_interrupt_in_any_step_leaves_a_checkpoint_after_it(directory):
    training = training_on(directory, epochs=1)
    whole = run_training(training, LocalData(), directory / "whole.safetensors").embedding

    corpus = training.read_corpus(LocalData())
    for after in (2, 3, 4, 5):
        out = directory / f"{after}.safetensors"
        interrupted(training, out, after)
        state = training.trainer.begin(corpus, np.random.default_rng(0))
        checkpoints.fill(state, checkpoint_path(out))
        assert state["done"].tolist() == [after]
        assert run_training(training, LocalData(), out, resume=True).embedding.fingerprint == (
            whole.fingerprint
        )


def test_an_interrupt_in_the_first_step_leaves_no_checkpoint(directory):
    interrupted(training_on(directory), directory / "a.safetensors", 1)

    assert not has_checkpoint(training_on(directory), LocalData(), directory / "a.safetensors")


def test_the_record_counts_interruptions_and_total_time(directory):
    training, out = training_on(directory), directory / "a.safetensors"
    interrupted(training, out, 3)
    before = checkpoints.about(checkpoint_path(out))["timing"]

    record = run_training(training, LocalData(), out, resume=True).record

    assert record["interruptions"] == 1
    assert record["seconds"]["training"] >= round(before[1], 3)
    assert record["seconds"]["reading"] >= round(before[0], 3)
    assert is_finished(training, LocalData(), out)


def test_the_record_has_the_speed_in_tokens_per_second(directory):
    steps, piece = (
        training_on(directory),
        training_from("svd", {}, [str(directory / "text.txt")], LocalData()),
    )
    corpus = steps.read_corpus(LocalData())
    found = embedding("a", ["b"], [[1.0]])

    record = outcome(steps, corpus, found, Timing(1.0, 0.5, 1))

    assert record["tokens_per_second"] == len(corpus) * 3 * 2  # three epochs in half a second
    assert record["seconds"] == {"reading": 1.0, "training": 0.5}
    assert "tokens_per_second" not in outcome(piece, corpus, found, Timing(1.0, 0.5))


def test_a_checkpoint_is_a_vector_file(directory):
    interrupted(training_on(directory), directory / "a.vec", 3)

    found = lexiscope.load(directory / "a.vec.checkpoint")

    assert (found.name, found.dimension, set(found.words)) == ("made", 5, set(WORDS))
    assert found.origin.startswith("unfinished skipgram (")
    assert found.counts[0] == found.counts.max()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"dimension": 6}, "dimension"),
        ({"name": "other"}, "name"),
        ({"epochs": 4, "window": 1}, "window, epochs"),
        ({"trainer": "cbow"}, "trainer.*"),
    ],
)
def test_a_checkpoint_of_another_training_is_refused_by_what_differs(directory, changes, named):
    interrupted(training_on(directory), directory / "a.safetensors", 2)

    with pytest.raises(
        BadUsage, match=rf"a\.safetensors\.checkpoint: .* differs in {named}\. .*--force"
    ):
        has_checkpoint(training_on(directory, **changes), LocalData(), directory / "a.safetensors")


def test_a_checkpoint_of_another_text_is_refused(directory):
    interrupted(training_on(directory), directory / "a.safetensors", 2)
    write_text(directory / "text.txt", 200)

    with pytest.raises(BadUsage, match=r"training that differs in texts\."):
        has_checkpoint(training_on(directory), LocalData(), directory / "a.safetensors")
    with pytest.raises(BadUsage, match="another text"):  # as from standard input
        run_training(training_on(directory), LocalData(), directory / "a.safetensors", resume=True)


def test_hogwild_training_resumes_with_the_same_number_of_threads_only(directory, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    training, out = training_on(directory, hogwild=True), directory / "a.safetensors"
    interrupted(training, out, 2)

    monkeypatch.setenv("LEXISCOPE_THREADS", "3")
    with pytest.raises(BadUsage, match=r"differs in threads\."):
        has_checkpoint(training, LocalData(), out)
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    record = run_training(training, LocalData(), out, resume=True).record

    assert record["repeatable"] is False
    assert record["threads"] == 2
    assert lexiscope.load(out).origin.startswith("skipgram, with hogwild threads, not reproducible")
    assert is_finished(training, LocalData(), out)


def test_training_without_hogwild_resumes_with_any_number_of_threads(directory, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "1")
    training, out = training_on(directory, shards=2), directory / "a.safetensors"
    interrupted(training, out, 2)
    monkeypatch.setenv("LEXISCOPE_THREADS", "3")

    found = run_training(training, LocalData(), out, resume=True)

    again = run_training(training, LocalData(), directory / "b.safetensors")
    assert found.embedding.fingerprint == again.embedding.fingerprint


def test_a_trainer_with_a_hogwild_base_is_not_repeatable():
    lexicon = {"cat": ["dog"]}
    hogwild, without = (
        trainer_from("retrofit", {"base": base, "lexicon": lexicon}, LocalData())
        for base in ("skipgram:hogwild=true", "skipgram")
    )

    assert (hogwild.repeatable, without.repeatable) == (False, True)


def damage_nothing_left(content):
    return b""


def damage_end_missing(content):
    return content[:-1]


def damage_one_bit(content):
    position = content.index(b"}}") + 2000
    flipped = bytes([content[position] ^ 1])
    return content[:position] + flipped + content[position + 1 :]


def damage_no_document(content):
    return content.replace(b'"training"', b'"drainage"', 1)


def damage_other_tensors(content):
    return content.replace(b"state.outputs", b"state.outputz")


@pytest.mark.parametrize(
    "damage",
    [
        damage_nothing_left,
        damage_end_missing,
        damage_one_bit,
        damage_no_document,
        damage_other_tensors,
    ],
)
def test_a_damaged_checkpoint_is_reported(directory, damage):
    training, out = training_on(directory, dimension=50), directory / "a.safetensors"
    interrupted(training, out, 2)
    where = checkpoint_path(out)
    where.write_bytes(damage(where.read_bytes()))

    with pytest.raises(BadData, match=r"a\.safetensors\.checkpoint: the checkpoint is damaged"):
        has_checkpoint(training, LocalData(), out) and run_training(
            training, LocalData(), out, resume=True
        )


def test_a_file_that_is_not_a_checkpoint_is_refused(directory):
    run_training(training_on(directory), LocalData(), directory / "other.safetensors")
    (directory / "a.safetensors.checkpoint").write_bytes(
        (directory / "other.safetensors").read_bytes()
    )

    with pytest.raises(BadData, match="does not identify its training"):
        has_checkpoint(training_on(directory), LocalData(), directory / "a.safetensors")


def test_writing_checkpoints_takes_a_small_fraction_of_the_time(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(checkpoint.time, "perf_counter", lambda: clock[0])
    written = []

    def steps():
        for _ in range(100):
            clock[0] += 10
            yield

    def write():
        written.append(clock[0])
        clock[0] += 6  # seconds of writing, for 114 of training

    checkpoint.run_steps(steps(), write, size=800_000_000)  # an estimated eight seconds

    assert written[0] == 170
    assert np.diff(written).tolist() == [126] * (len(written) - 1)


def test_a_small_state_is_written_every_minute(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(checkpoint.time, "perf_counter", lambda: clock[0])
    written = []

    def steps():
        for _ in range(20):
            clock[0] += 10
            yield

    checkpoint.run_steps(steps(), lambda: written.append(clock[0]), size=1000)

    assert written == [70, 130, 190]


def test_a_second_interrupt_stops_at_once_without_a_checkpoint(directory, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SAME_INTERRUPT", 0.0)
    written = []

    def steps():
        yield
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.01)
        yield  # pragma: no cover - never reached

    with pytest.raises(KeyboardInterrupt):
        checkpoint.run_steps(steps(), lambda: written.append(1), size=0)
    assert not written
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_two_interrupts_at_once_count_as_one(directory):
    written = []

    def steps():
        yield
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        yield

    with pytest.raises(KeyboardInterrupt):
        checkpoint.run_steps(steps(), lambda: written.append(1), size=0)
    assert written == [1]


def test_training_works_outside_the_main_thread(directory):
    made = []
    worker = threading.Thread(
        target=lambda: made.append(
            run_training(training_on(directory), LocalData(), directory / "a.safetensors")
        )
    )
    worker.start()
    worker.join()

    assert made[0].record["interruptions"] == 0


def test_an_experiment_resumes_an_interrupted_training(directory):
    (directory / "experiment.toml").write_text(
        "[text]\nsources = 'text.txt'\n[[train]]\ntrainer = 'skipgram'\ndimension = 5\n"
        "[[train]]\ntrainer = 'cbow'\ndimension = 5\n",
        "utf-8",
    )
    reports = []

    def progress(what, done, of):
        reports.append(what)
        if reports.count("cbow: Training") == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        list(train_all(read_experiment(directory / "experiment.toml"), LocalData(), progress))
    made = list(train_all(read_experiment(directory / "experiment.toml"), LocalData()))

    records = [json.loads(record_path(path).read_bytes()) for path in made]
    assert [record["interruptions"] for record in records] == [0, 1]
    whole = list(train_all(read_experiment(directory / "experiment.toml"), LocalData(), force=True))
    again = [json.loads(record_path(path).read_bytes()) for path in whole]
    assert [r["embedding"] for r in records] == [r["embedding"] for r in again]
    assert [record["interruptions"] for record in again] == [0, 0]


def test_a_checkpoint_in_the_folder_of_the_text_is_not_part_of_the_text(directory):
    (directory / "texts").mkdir()
    (directory / "text.txt").rename(directory / "texts" / "text.txt")
    training = training_from(
        "cbow", {"dimension": 5}, [str(directory / "texts")], LocalData(), name="a"
    )
    out = directory / "texts" / "a.vec"
    interrupted(training, out, 2)

    assert has_checkpoint(training, LocalData(), out)
    assert run_training(training, LocalData(), out, resume=True).record["interruptions"] == 1


def test_removing_a_missing_checkpoint_is_no_error(directory):
    remove_checkpoint(directory / "a.safetensors")


SCRIPT = """
import sys, time
from lexiscope.training import checkpoint
from lexiscope.trainers import _sharding

_sharding._TOKENS, _sharding._LEVELS = 100, 2
checkpoint._INTERVAL, checkpoint._MAX_SHARE = 0.0, 1e9
usual = _sharding._worker

def slower(*arguments):
    work = usual(*arguments)
    def slow(*given):
        time.sleep(float(sys.argv[1]))
        work(*given)
    return slow

_sharding._worker = slower
from lexiscope.cli.main import main
main(sys.argv[2:])
"""
COMMAND = ("train", "skipgram", "text.txt", "--dimension", "5", "--shards", "2", "--epochs", "3")


def started(directory, pause, *more):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, pause, *COMMAND, "-o", *more],
        stderr=subprocess.PIPE,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        text=True,
    )


def kill_after_another_checkpoint(process, checkpoint):
    seen, deadline = set(), time.monotonic() + 60
    while len(seen) < 3:
        assert process.poll() is None
        assert time.monotonic() < deadline
        if checkpoint.exists():
            seen.add(checkpoint.stat().st_ino)
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_training_that_is_killed_repeatedly_gives_the_same_bytes(directory):
    out, resume = directory / "a.safetensors", ()
    for _ in range(2):
        process = started(directory, "0.1", "a.safetensors", *resume)
        kill_after_another_checkpoint(process, checkpoint_path(out))
        assert process.returncode == -signal.SIGKILL
        assert not out.exists()
        resume = ("--resume",)

    last = started(directory, "0", "a.safetensors", "--resume")
    assert "\na.safetensors: " in f"\n{last.communicate(timeout=60)[1]}"
    uninterrupted = started(directory, "0", "b.safetensors", "--name", "a")
    uninterrupted.communicate(timeout=60)

    assert (last.returncode, uninterrupted.returncode) == (0, 0)
    assert out.read_bytes() == (directory / "b.safetensors").read_bytes()
    assert json.loads(record_path(out).read_bytes())["interruptions"] == 2
    assert not checkpoint_path(out).exists()
