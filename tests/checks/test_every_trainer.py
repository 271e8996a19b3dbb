"""Properties of every trainer. A new trainer is found by its file; nothing has to be added here."""

from dataclasses import MISSING, FrozenInstanceError, fields
from importlib import import_module
from typing import get_type_hints

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_limits

import lexiscope
from lexiscope import trainers
from lexiscope.cli.commands.train import RESERVED
from lexiscope.core.contracts.registry import load, names, summary
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import corpus
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.lexicon import Lexicon
from lexiscope.trainers.skipgram import Skipgram
from lexiscope.trainers.svd import Svd
from tests.builders import text
from tests.cooccurrence.reference_counts import zipf

LEXICON = Lexicon(
    "lexicon", {"w1": ("w2", "w3"), "w2": ("w1",), "w5": ("w6", "absent"), "a": ("b",)}
)
SMALL = {"dimension": 4, "epochs": 3}
WITH_OUTPUT = Skipgram(dimension=4, space="both")  # for models that need output vectors


def small(name, **changes):
    """A trainer with small settings, and values for all required ones."""
    kind = load(trainers, name, Trainer)
    hints = get_type_hints(kind)
    base = WITH_OUTPUT if getattr(kind, "needs_output", False) else Svd(dimension=4)
    given = {field.name: SMALL[field.name] for field in fields(kind) if field.name in SMALL}
    for field in fields(kind):
        if field.default is MISSING and field.default_factory is MISSING:
            given[field.name] = LEXICON if hints[field.name] is Lexicon else base
    return kind(**{**given, **changes})


@pytest.fixture(params=names(trainers))
def name(request):
    return request.param


@pytest.fixture
def trainer(name):
    return small(name)


def trained(trainer, words=None, seed=3):
    return trainer.train(words or text(), np.random.default_rng(seed))


def test_the_same_seed_gives_the_same_bytes(trainer):
    assert trained(trainer).fingerprint == trained(trainer).fingerprint


def test_the_number_of_threads_changes_nothing(trainer, monkeypatch):
    fingerprints = set()
    for threads in "123":
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        fingerprints.add(trained(trainer).fingerprint)

    assert len(fingerprints) == 1


def test_the_threads_of_matrix_products_change_nothing(name):
    """From half a million entries on, BLAS parallelises even a matrix-vector product."""
    settings = {"dimension": 100, "window": 1, "epochs": 1, "batch_size": 5_000}
    changes = {key: settings[key] for key in small(name).settings if key in settings}
    words, fingerprints = zipf(6_000, 40_000), set()
    for threads in (1, 2):
        with threadpool_limits(threads, "blas"):
            fingerprints.add(trained(small(name, **changes), words).fingerprint)

    assert len(fingerprints) == 1


def test_every_number_is_finite(trainer):
    found = trained(trainer)

    assert np.isfinite(found.lengths).all()
    assert found.lengths.max() > 0


def test_words_and_counts_are_those_of_the_corpus(trainer):
    words = text()

    found = trained(trainer, words)

    assert tuple(found.words) == tuple(words.vocabulary.words)
    assert_array_equal(found.counts, words.counts)


def test_corpus_and_trainer_do_not_change(trainer):
    words = text()
    before = words.tokens.copy(), words.starts.copy(), trainer.settings

    trained(trainer, words)

    assert_array_equal(words.tokens, before[0])
    assert_array_equal(words.starts, before[1])
    assert trainer.settings == before[2]
    with pytest.raises(FrozenInstanceError):
        trainer.version = 2


def test_contexts_do_not_cross_sentence_boundaries(name):
    changes = {"window": 1} if "window" in small(name).settings else {}
    separate = corpus("separate", [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]] * 5)
    joined = corpus("joined", [["a", "b", "c", "d", "e", "f", "g", "h", "i"]] * 5)

    separated, together = (trained(small(name, **changes), words) for words in (separate, joined))

    assert separated.fingerprint != together.fingerprint


@pytest.mark.parametrize(
    "words",
    [
        corpus("one word", [["a"]]),
        corpus("one word repeated", [["a", "a", "a"], ["a"]]),
        corpus("two words", [["a", "b"], ["b", "a"]]),
        corpus("isolated words", [["a"], ["b"], ["c"]]),
        corpus("three words", [["a", "b", "c"]]),
    ],
    ids=lambda words: words.name,
)
def test_a_tiny_corpus_gives_vectors_or_a_clear_error(trainer, words):
    found = problem = None
    try:
        found = trained(trainer, words)
    except LexiscopeError as error:
        problem = str(error)

    if problem:
        assert problem.endswith(".")
        assert len(problem) < 300
    else:
        assert len(found) == len(words.vocabulary)
        assert np.isfinite(found.lengths).all()


def test_progress_never_decreases_nor_exceeds_the_total(trainer):
    reported = {}

    def progress(what, done, of):
        assert 0 <= done <= of
        assert reported.get(what, 0) <= done
        reported[what] = done

    trainer.train(text(), np.random.default_rng(0), progress)

    assert reported


def test_vectors_can_be_saved_and_searched(trainer, tmp_path):
    found = trained(trainer).named("trained")

    lexiscope.save(found, tmp_path / "trained.safetensors")
    again = lexiscope.load(tmp_path / "trained.safetensors")

    assert again.fingerprint == found.fingerprint
    near = lexiscope.neighbours(again, ["w0"], 3)["w0"]
    assert len(near) == 3


def test_file_class_and_settings_are_documented(name, trainer):
    kind = type(trainer)

    assert len(import_module(kind.__module__).__doc__) > 40
    assert summary(trainers, name)
    assert vars(kind)["__doc__"].strip().endswith(".")
    assert any(character.isdigit() for character in kind.paper)  # the year
    assert kind.version >= 1
    for field in fields(kind):
        assert len(field.metadata.get("help", "")) > 10, field.name


def test_no_setting_has_the_name_of_a_common_option(trainer):
    assert not set(trainer.settings) & set(RESERVED)


def test_settings_out_of_bounds_are_refused(name):
    for field in fields(load(trainers, name, Trainer)):
        minimum = field.metadata.get("minimum")
        exclusive = field.metadata.get("exclusive_minimum")
        bad = minimum - 1 if minimum is not None else exclusive
        if bad is not None:
            with pytest.raises(LexiscopeError, match=field.name):
                small(name, **{field.name: bad})
