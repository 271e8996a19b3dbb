"""A save that fails at any step leaves words and vectors that belong together, or nothing."""

import errno
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadData
from lexiscope.training.record import save_with_record
from tests.builders import seeded

WORDS = [f"w{k}" for k in range(20)]
OLD = seeded("v", WORDS, 1)
NEW = seeded("v", WORDS[::-1], 2)


def rows(embedding):
    return {word: tuple(embedding[word].tolist()) for word in embedding.words}


class Failing:
    """A function that fails at its n-th call."""

    def __init__(self, function, number):
        self.function = function
        self.left = number

    def __call__(self, *arguments):
        self.left -= 1
        if self.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.function(*arguments)


@pytest.mark.parametrize("ending", [".npy", ".npy.gz"])
@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.parametrize(("owner", "name"), [(os, "fsync"), (Path, "replace"), (np, "save")])
def test_a_full_disk_leaves_the_old_vectors(tmp_path, monkeypatch, owner, name, number, ending):
    path = tmp_path / f"v{ending}"
    lexiscope.save(OLD, path)
    failing = Failing(getattr(owner, name), number)
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, lambda *given, **_: failing(*given))
        try:
            lexiscope.save(NEW, path)
            failed = False
        except BadData as problem:
            failed = "No space left" in str(problem)

    assert failed == (failing.left <= 0)
    assert rows(lexiscope.load(path)) == rows(OLD if failed else NEW)
    assert {each.name for each in tmp_path.iterdir()} == {path.name, "v.words"}


def save(embedding, path):
    lexiscope.save(embedding, path)


def save_after_training(embedding, path):
    save_with_record(embedding, {}, path)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # fork, from Python 3.12 on
@pytest.mark.parametrize("write", [save, save_after_training])
@pytest.mark.parametrize("ending", [".npy", ".npy.gz"])
@pytest.mark.parametrize("number", range(1, 8))
def test_a_kill_leaves_no_words_with_the_vectors_of_others(tmp_path, number, ending, write):
    path = tmp_path / f"v{ending}"
    write(OLD, path)
    child = os.fork()
    if child == 0:
        usual, calls = Path.replace, []

        def replace(*given):
            calls.append(1)
            if len(calls) == number:
                os._exit(9)
            return usual(*given)

        Path.replace = replace
        write(NEW, path)
        os._exit(0)
    os.waitpid(child, 0)

    if path.exists():
        assert rows(lexiscope.load(path)) in (rows(OLD), rows(NEW))
    else:
        with pytest.raises(BadData, match="there is no such file"):
            lexiscope.load(path)

    write(NEW, path)
    assert rows(lexiscope.load(path)) == rows(NEW)


@pytest.mark.parametrize("number", range(1, 7))
def test_a_training_that_cannot_be_saved_leaves_the_old_vectors(tmp_path, monkeypatch, number):
    path = tmp_path / "v.npy"
    save_after_training(OLD, path)
    failing = Failing(Path.replace, number)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", lambda *given: failing(*given))
        with suppress(OSError, BadData):
            save_after_training(NEW, path)

    assert rows(lexiscope.load(path)) == rows(OLD if failing.left <= 0 else NEW)
    assert {each.name for each in tmp_path.iterdir()} == {"v.npy", "v.words", "v.npy.json"}
