"""Properties of every trainer that works in steps. A new one is found by its file."""

import numpy as np
import pytest

from lexiscope import trainers
from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.trainer import Stepwise, Trainer
from lexiscope.data.vectors import checkpoints
from lexiscope.trainers import _sharding
from tests.builders import text
from tests.checks.test_every_trainer import small

STEPWISE = [name for name in names(trainers) if issubclass(load(trainers, name, Trainer), Stepwise)]


@pytest.fixture(params=STEPWISE)
def name(request, monkeypatch):
    """The name of a trainer, with many small steps as for a long text."""
    monkeypatch.setattr(_sharding, "_TOKENS", 100)
    monkeypatch.setattr(_sharding, "_LEVELS", 1)
    return request.param


def initial(trainer):
    return trainer.begin(text(), np.random.default_rng(3))


def shapes(state):
    return {name: (array.shape, array.dtype) for name, array in state.items()}


def test_a_training_resumed_from_checkpoints_gives_the_same_bytes(name, tmp_path):
    trainer, words = small(name), text()
    whole = trainer.train(words, np.random.default_rng(3))
    state, stopped = initial(trainer), 0

    while True:
        if next(trainer.steps(words, state), "end") == "end":
            break
        stopped += 1
        checkpoints.write(tmp_path / "c", trainer.finish(words, state), state, {})
        state = initial(trainer)
        checkpoints.fill(state, tmp_path / "c")

    assert stopped > 3
    assert trainer.finish(words, state).fingerprint == whole.fingerprint


def test_shapes_of_the_state_do_not_change(name):
    trainer, words = small(name), text()
    state = initial(trainer)
    before = shapes(state)

    for _ in trainer.steps(words, state):
        assert shapes(state) == before


def test_an_unfinished_training_has_vectors(name):
    trainer, words = small(name), text()
    state = initial(trainer)

    next(trainer.steps(words, state))
    found = trainer.finish(words, state)
    before = found.vectors.copy()
    next(trainer.steps(words, state))

    assert list(found.words) == list(words.vocabulary.words)
    assert np.isfinite(found.lengths).all()
    assert (found.vectors == before).all()  # later steps do not change them
