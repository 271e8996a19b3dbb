"""What holds for every trainer. A new trainer is found here by its file, nothing is to be added."""

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
from lexiscope.core.corpus import corpus
from lexiscope.core.discovery import load, names, summary
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.trainer import Trainer
from lexiscope.trainers.svd import Svd
from tests.making import text
from tests.stats.counted import zipf

TIES = Lexicon("ties", {"w1": ("w2", "w3"), "w2": ("w1",), "w5": ("w6", "absent"), "a": ("b",)})
SMALL = {"dimension": 4, "epochs": 3}


def small(name, **changes):
    """A trainer with small settings, whatever it needs."""
    kind = load(trainers, name, Trainer)
    hints = get_type_hints(kind)
    given = {field.name: SMALL[field.name] for field in fields(kind) if field.name in SMALL}
    for field in fields(kind):
        if field.default is MISSING and field.default_factory is MISSING:
            given[field.name] = TIES if hints[field.name] is Lexicon else Svd(dimension=4)
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
    prints = set()
    for threads in "123":
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        prints.add(trained(trainer).fingerprint)

    assert len(prints) == 1


def test_the_threads_of_matrix_products_change_nothing(name):
    """From half a million numbers on, libraries divide even a vector times a matrix."""
    asked = {"dimension": 100, "window": 1, "epochs": 1, "batch": 5_000}
    changes = {key: asked[key] for key in small(name).settings if key in asked}
    words, prints = zipf(6_000, 40_000), set()
    for threads in (1, 2):
        with threadpool_limits(threads, "blas"):
            prints.add(trained(small(name, **changes), words).fingerprint)

    assert len(prints) == 1


def test_every_number_is_finite(trainer):
    found = trained(trainer)

    assert np.isfinite(found.lengths).all()
    assert found.lengths.max() > 0


def test_words_and_counts_are_those_of_the_corpus(trainer):
    words = text()

    found = trained(trainer, words)

    assert tuple(found.words) == tuple(words.vocabulary.words)
    assert_array_equal(found.counts, words.counts)


def test_corpus_and_trainer_are_left_as_they_were(trainer):
    words = text()
    before = words.tokens.copy(), words.starts.copy(), trainer.settings

    trained(trainer, words)

    assert_array_equal(words.tokens, before[0])
    assert_array_equal(words.starts, before[1])
    assert trainer.settings == before[2]
    with pytest.raises(FrozenInstanceError):
        trainer.version = 2


def test_sentence_borders_stop_contexts(name):
    changes = {"window": 1} if "window" in small(name).settings else {}
    apart = corpus("apart", [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]] * 5)
    joined = corpus("joined", [["a", "b", "c", "d", "e", "f", "g", "h", "i"]] * 5)

    with_borders, without = (trained(small(name, **changes), words) for words in (apart, joined))

    assert with_borders.fingerprint != without.fingerprint


@pytest.mark.parametrize(
    "words",
    [
        corpus("one word", [["a"]]),
        corpus("one word again and again", [["a", "a", "a"], ["a"]]),
        corpus("two words", [["a", "b"], ["b", "a"]]),
        corpus("lonely words", [["a"], ["b"], ["c"]]),
        corpus("three words", [["a", "b", "c"]]),
    ],
    ids=lambda words: words.name,
)
def test_a_tiny_corpus_gives_vectors_or_one_clear_sentence(trainer, words):
    found = problem = None
    try:
        found = trained(trainer, words)
    except LexiscopeError as told:
        problem = str(told)

    if problem:
        assert problem.endswith(".")
        assert len(problem) < 300
    else:
        assert len(found) == len(words.vocabulary)
        assert np.isfinite(found.lengths).all()


def test_progress_never_goes_back_nor_beyond_the_end(trainer):
    told = {}

    def tell(what, done, of):
        assert 0 <= done <= of
        assert told.get(what, 0) <= done
        told[what] = done

    trainer.train(text(), np.random.default_rng(0), tell)

    assert told


def test_it_can_be_saved_and_asked(trainer, tmp_path):
    found = trained(trainer).named("trained")

    lexiscope.save(found, tmp_path / "trained.safetensors")
    again = lexiscope.load(tmp_path / "trained.safetensors")

    assert again.fingerprint == found.fingerprint
    near = lexiscope.neighbours(again, ["w0"], 3)["w0"]
    assert len(near) == 3


def test_file_class_and_settings_say_what_they_are(name, trainer):
    kind = type(trainer)

    assert len(import_module(kind.__module__).__doc__) > 40
    assert summary(trainers, name)
    assert vars(kind)["__doc__"].strip().endswith(".")
    assert any(character.isdigit() for character in kind.paper)  # the year
    assert kind.version >= 1
    for field in fields(kind):
        assert len(field.metadata.get("about", "")) > 10, field.name


def test_no_setting_has_the_name_of_an_option_that_every_trainer_has(trainer):
    assert not set(trainer.settings) & set(RESERVED)


def test_numbers_that_make_no_sense_are_refused(name):
    for field in fields(load(trainers, name, Trainer)):
        least, above = field.metadata.get("least"), field.metadata.get("above")
        bad = least - 1 if least is not None else above
        if bad is not None:
            with pytest.raises(LexiscopeError, match=field.name):
                small(name, **{field.name: bad})
