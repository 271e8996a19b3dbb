"""What holds for every trainer that goes in steps. A new one is found here by its file."""

import numpy as np
import pytest

from lexiscope import trainers
from lexiscope.core.discovery import load, names
from lexiscope.core.trainer import Stepwise, Trainer
from lexiscope.data.vectors import checkpoints
from lexiscope.trainers import _rounds
from tests.checks.test_every_trainer import small
from tests.making import text

STEPWISE = [name for name in names(trainers) if issubclass(load(trainers, name, Trainer), Stepwise)]


@pytest.fixture(params=STEPWISE)
def name(request, monkeypatch):
    """A trainer that makes many small steps, as it does with a long text."""
    monkeypatch.setattr(_rounds, "_TOKENS", 100)
    monkeypatch.setattr(_rounds, "_LEVELS", 1)
    return request.param


def begun(trainer):
    return trainer.begin(text(), np.random.default_rng(3))


def shapes(state):
    return {name: (array.shape, array.dtype) for name, array in state.items()}


def test_what_stops_and_goes_on_from_a_file_ends_with_the_same_bytes(name, tmp_path):
    trainer, words = small(name), text()
    whole = trainer.train(words, np.random.default_rng(3))
    state, stopped = begun(trainer), 0

    while True:
        if next(trainer.steps(words, state), "the end") == "the end":
            break
        stopped += 1
        checkpoints.write(tmp_path / "c", trainer.finish(words, state), state, {})
        state = begun(trainer)
        checkpoints.fill(state, tmp_path / "c")

    assert stopped > 3
    assert trainer.finish(words, state).fingerprint == whole.fingerprint


def test_arrays_keep_their_shapes(name):
    trainer, words = small(name), text()
    state = begun(trainer)
    before = shapes(state)

    for _ in trainer.steps(words, state):
        assert shapes(state) == before


def test_an_unfinished_training_has_vectors(name):
    trainer, words = small(name), text()
    state = begun(trainer)

    next(trainer.steps(words, state))
    found = trainer.finish(words, state)
    before = found.vectors.copy()
    next(trainer.steps(words, state))

    assert list(found.words) == list(words.vocabulary.words)
    assert np.isfinite(found.lengths).all()
    assert (found.vectors == before).all()  # what comes later does not change them
