"""A training that was interrupted, or killed, ends with the bytes of one that was not."""

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
from lexiscope.bench import resuming
from lexiscope.bench.planfile import read as read_plan
from lexiscope.bench.planned import train_all
from lexiscope.bench.recording import Spent, already, outcome, place_of
from lexiscope.bench.resuming import drop, waits
from lexiscope.bench.training import corpus_of, make, ordered, trainer_from
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.progress import silent
from lexiscope.data.library import Library
from lexiscope.data.vectors import checkpoints
from lexiscope.trainers import _rounds

ROOT = Path(__file__).parents[2]
WORDS = ["the", "cat", "dog", "king", "drinks", "sees", "tea", "milk", "a", "moon", "and"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a text; rounds of 100 words, four of them in a step, as for a long text."""
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_rounds, "_TOKENS", 100)
    monkeypatch.setattr(_rounds, "_LEVELS", 2)
    write_text(tmp_path / "text.txt")
    # A test run in the background would hand down that interrupts are ignored.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield tmp_path
    signal.signal(signal.SIGINT, usual)


def write_text(path, sentences=300):
    chance = np.random.default_rng(2)
    drawn = (chance.choice(WORDS, chance.integers(3, 12)) for _ in range(sentences))
    path.write_text("\n".join(map(" ".join, drawn)), "utf-8")


def order(place, trainer="skipgram", name="made", **settings):
    small = {"dimension": 5, "epochs": 3, "window": 2, **settings}
    return ordered(trainer, small, [str(place / "text.txt")], Library(), name=name)


def interrupted(training, out, after, **more):
    """Carry out a training that is interrupted in a step of this process."""
    steps = 0

    def tell(what, done, of):
        nonlocal steps
        steps += what.endswith("Training")
        if steps == after:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        make(training, Library(), out, tell, **more)


@pytest.mark.parametrize("trainer", ["skipgram", "cbow"])
@pytest.mark.parametrize("shards", [1, 2])
def test_after_an_interrupt_the_same_bytes_come_out(place, trainer, shards):
    training = order(place, trainer, shards=shards)
    make(training, Library(), place / "whole.safetensors")

    out = place / "parts.safetensors"
    interrupted(training, out, 2)
    assert not out.exists()
    assert waits(training, Library(), out)
    interrupted(training, out, 3, resume=True)
    make(training, Library(), out, resume=True)

    assert out.read_bytes() == (place / "whole.safetensors").read_bytes()
    assert not resuming.place_of(out).exists()


def test_an_interrupt_in_each_step_leaves_a_checkpoint_after_it(place):
    training = order(place, epochs=1)
    whole = make(training, Library(), place / "whole.safetensors").embedding

    corpus = corpus_of(training, Library(), silent)
    for after in (2, 3, 4, 5):
        out = place / f"{after}.safetensors"
        interrupted(training, out, after)
        state = training.trainer.begin(corpus, np.random.default_rng(0))
        checkpoints.fill(state, resuming.place_of(out))
        assert state["done"].tolist() == [after]
        assert make(training, Library(), out, resume=True).embedding.fingerprint == (
            whole.fingerprint
        )


def test_an_interrupt_before_the_first_step_is_done_leaves_nothing(place):
    interrupted(order(place), place / "a.safetensors", 1)

    assert not waits(order(place), Library(), place / "a.safetensors")


def test_the_record_counts_all_parts(place):
    training, out = order(place), place / "a.safetensors"
    interrupted(training, out, 3)
    before = checkpoints.about(resuming.place_of(out))["spent"]

    record = make(training, Library(), out, resume=True).record

    assert record["parts"] == 2
    assert record["seconds"]["training"] >= round(before[1], 3)
    assert record["seconds"]["reading"] >= round(before[0], 3)
    assert already(training, Library(), out)


def test_the_record_says_how_many_words_were_learned_from_in_a_second(place):
    steps, piece = order(place), ordered("svd", {}, [str(place / "text.txt")], Library())
    corpus = corpus_of(steps, Library(), silent)
    found = embedding("a", ["b"], [[1.0]])

    record = outcome(steps, corpus, found, Spent(1.0, 0.5, 2))

    assert record["words_per_second"] == len(corpus) * 3 * 2  # three epochs in half a second
    assert record["seconds"] == {"reading": 1.0, "training": 0.5}
    assert "words_per_second" not in outcome(piece, corpus, found, Spent(1.0, 0.5))


def test_a_checkpoint_is_a_vector_file(place):
    interrupted(order(place), place / "a.vec", 3)

    found = lexiscope.load(place / "a.vec.checkpoint")

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
def test_a_checkpoint_of_another_training_is_refused_by_what_differs(place, changes, named):
    interrupted(order(place), place / "a.safetensors", 2)

    with pytest.raises(BadUsage, match=rf"a\.safetensors\.checkpoint: .*\({named}\).*--force"):
        waits(order(place, **changes), Library(), place / "a.safetensors")


def test_a_checkpoint_of_another_text_is_refused(place):
    interrupted(order(place), place / "a.safetensors", 2)
    write_text(place / "text.txt", 200)

    with pytest.raises(BadUsage, match=r"another training \(texts\)"):
        waits(order(place), Library(), place / "a.safetensors")
    with pytest.raises(BadUsage, match="another text"):  # as from standard input
        make(order(place), Library(), place / "a.safetensors", resume=True)


def test_racing_threads_must_stay_as_many(place, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    training, out = order(place, racing=True), place / "a.safetensors"
    interrupted(training, out, 2)

    monkeypatch.setenv("LEXISCOPE_THREADS", "3")
    with pytest.raises(BadUsage, match=r"\(threads\)"):
        waits(training, Library(), out)
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    record = make(training, Library(), out, resume=True).record

    assert record["repeatable"] is False
    assert record["threads"] == 2
    assert lexiscope.load(out).origin.startswith("skipgram, with racing threads, never the same")
    assert already(training, Library(), out)


def test_more_threads_may_go_on_with_what_does_not_race(place, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "1")
    training, out = order(place, shards=2), place / "a.safetensors"
    interrupted(training, out, 2)
    monkeypatch.setenv("LEXISCOPE_THREADS", "3")

    found = make(training, Library(), out, resume=True)

    again = make(training, Library(), place / "b.safetensors")
    assert found.embedding.fingerprint == again.embedding.fingerprint


def test_what_holds_a_racing_trainer_cannot_be_repeated_either():
    ties = {"cat": ["dog"]}
    racing, calm = (
        trainer_from("retrofit", {"base": base, "lexicon": ties}, Library())
        for base in ("skipgram:racing=true", "skipgram")
    )

    assert (racing.repeatable, calm.repeatable) == (False, True)


def damage_nothing_left(content):
    return b""


def damage_end_missing(content):
    return content[:-1]


def damage_one_bit(content):
    place = content.index(b"}}") + 2000
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


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
def test_a_damaged_checkpoint_gets_one_sentence(place, damage):
    training, out = order(place, dimension=50), place / "a.safetensors"
    interrupted(training, out, 2)
    where = resuming.place_of(out)
    where.write_bytes(damage(where.read_bytes()))

    with pytest.raises(BadData, match=r"a\.safetensors\.checkpoint: the checkpoint is damaged"):
        waits(training, Library(), out) and make(training, Library(), out, resume=True)


def test_a_file_that_is_no_checkpoint_is_not_taken_for_one(place):
    make(order(place), Library(), place / "other.safetensors")
    (place / "a.safetensors.checkpoint").write_bytes((place / "other.safetensors").read_bytes())

    with pytest.raises(BadData, match="does not say what training it is of"):
        waits(order(place), Library(), place / "a.safetensors")


def test_checkpoints_are_written_now_and_then_and_take_a_small_share_of_the_time(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(resuming.time, "perf_counter", lambda: clock[0])
    kept = []

    def steps():
        for _ in range(100):
            clock[0] += 10
            yield

    def keep():
        kept.append(clock[0])
        clock[0] += 6  # seconds of writing, for 114 of training

    resuming.go_through(steps(), keep, size=800_000_000)  # eight seconds, so it would seem

    assert kept[0] == 170
    assert np.diff(kept).tolist() == [126] * (len(kept) - 1)


def test_a_small_state_is_kept_every_minute(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(resuming.time, "perf_counter", lambda: clock[0])
    kept = []

    def steps():
        for _ in range(20):
            clock[0] += 10
            yield

    resuming.go_through(steps(), lambda: kept.append(clock[0]), size=1000)

    assert kept == [70, 130, 190]


def test_a_second_interrupt_ends_at_once_and_keeps_nothing(place, monkeypatch):
    monkeypatch.setattr(resuming, "_SAME", 0.0)
    kept = []

    def steps():
        yield
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.01)
        yield  # pragma: no cover - never reached

    with pytest.raises(KeyboardInterrupt):
        resuming.go_through(steps(), lambda: kept.append(1), size=0)
    assert not kept
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_is_told_twice_at_once_is_one(place):
    kept = []

    def steps():
        yield
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        yield

    with pytest.raises(KeyboardInterrupt):
        resuming.go_through(steps(), lambda: kept.append(1), size=0)
    assert kept == [1]


def test_a_thread_beside_the_main_one_trains_as_well(place):
    made = []
    worker = threading.Thread(
        target=lambda: made.append(make(order(place), Library(), place / "a.safetensors"))
    )
    worker.start()
    worker.join()

    assert made[0].record["parts"] == 1


def test_a_plan_goes_on_with_what_was_interrupted(place):
    (place / "plan.toml").write_text(
        "[text]\nsources = 'text.txt'\n[[train]]\ntrainer = 'skipgram'\ndimension = 5\n"
        "[[train]]\ntrainer = 'cbow'\ndimension = 5\n",
        "utf-8",
    )
    told = []

    def tell(what, done, of):
        told.append(what)
        if told.count("cbow: Training") == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        list(train_all(read_plan(place / "plan.toml"), Library(), tell))
    made = list(train_all(read_plan(place / "plan.toml"), Library()))

    records = [json.loads(place_of(path).read_bytes()) for path in made]
    assert [record["parts"] for record in records] == [1, 2]
    whole = list(train_all(read_plan(place / "plan.toml"), Library(), force=True))
    again = [json.loads(place_of(path).read_bytes()) for path in whole]
    assert [r["embedding"] for r in records] == [r["embedding"] for r in again]
    assert [record["parts"] for record in again] == [1, 1]


def test_a_checkpoint_in_the_folder_of_the_text_changes_nothing_of_it(place):
    (place / "texts").mkdir()
    (place / "text.txt").rename(place / "texts" / "text.txt")
    training = ordered("cbow", {"dimension": 5}, [str(place / "texts")], Library(), name="a")
    out = place / "texts" / "a.vec"
    interrupted(training, out, 2)

    assert waits(training, Library(), out)
    assert make(training, Library(), out, resume=True).record["parts"] == 2


def test_what_is_not_there_can_be_dropped(place):
    drop(place / "a.safetensors")


SCRIPT = """
import sys, time
from lexiscope.bench import resuming
from lexiscope.trainers import _rounds

_rounds._TOKENS, _rounds._LEVELS, resuming._EVERY, resuming._SHARE = 100, 2, 0.0, 1e9
usual = _rounds._worker

def slower(*arguments):
    work = usual(*arguments)
    def slow(*given):
        time.sleep(float(sys.argv[1]))
        work(*given)
    return slow

_rounds._worker = slower
from lexiscope.cli.main import main
main(sys.argv[2:])
"""
ORDER = ("train", "skipgram", "text.txt", "--dimension", "5", "--shards", "2", "--epochs", "3")


def started(place, pause, *more):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, pause, *ORDER, "-o", *more],
        stderr=subprocess.PIPE,
        cwd=place,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        text=True,
    )


def kill_when_it_is_written_again(process, checkpoint):
    seen, deadline = set(), time.monotonic() + 60
    while len(seen) < 3:
        assert process.poll() is None
        assert time.monotonic() < deadline
        if checkpoint.exists():
            seen.add(checkpoint.stat().st_ino)
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_training_that_is_killed_again_and_again_ends_as_if_undisturbed(place):
    out, resume = place / "a.safetensors", ()
    for _ in range(2):
        process = started(place, "0.1", "a.safetensors", *resume)
        kill_when_it_is_written_again(process, resuming.place_of(out))
        assert process.returncode == -signal.SIGKILL
        assert not out.exists()
        resume = ("--resume",)

    last = started(place, "0", "a.safetensors", "--resume")
    assert "\na.safetensors: " in f"\n{last.communicate(timeout=60)[1]}"
    undisturbed = started(place, "0", "b.safetensors", "--name", "a")
    undisturbed.communicate(timeout=60)

    assert (last.returncode, undisturbed.returncode) == (0, 0)
    assert out.read_bytes() == (place / "b.safetensors").read_bytes()
    assert json.loads(place_of(out).read_bytes())["parts"] == 3
    assert not resuming.place_of(out).exists()
