from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from lexiscope import trainers
from lexiscope.core.corpus import NO_TEXT, corpus
from lexiscope.core.discovery import load
from lexiscope.core.errors import BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.trainer import Trainer
from lexiscope.stats.retrofitting import retrofitted
from lexiscope.trainers.retrofit import Retrofit
from tests.making import seeded

NEAR = Lexicon("near", {"a": ("b",), "b": ("a",)})


@dataclass(frozen=True)
class Drawn(Trainer):
    """Vectors by chance."""

    paper: ClassVar[str] = "none"

    def train(self, corpus, rng, tell=None):
        tell("Drawing", 1, 1)
        return corpus.embedding("drawn", rng.normal(size=(len(corpus.vocabulary), 3)))


def test_a_trainer_is_trained_first():
    text = corpus("text", [["a", "b", "c"], ["a", "c"]])
    told = []

    trained = Retrofit(Drawn(), NEAR, rounds=1).train(
        text, np.random.default_rng(0), lambda *report: told.append(report)
    )

    base = Drawn().train(text, np.random.default_rng(0), lambda *_: None)
    np.testing.assert_array_equal(trained.vectors, retrofitted(base, NEAR, 1).vectors)
    assert trained.name == "drawn+near"
    assert trained.counts.tolist() == [2, 2, 1]
    assert told == [("Drawing", 1, 1), ("Retrofitting", 1, 1)]


def test_vectors_that_are_there_need_no_text():
    given = seeded("given", ["a", "b", "c"])
    trainer = Retrofit(given, NEAR)

    trained = trainer.train(NO_TEXT, np.random.default_rng(0))

    assert not trainer.needs_text
    np.testing.assert_array_equal(trained.vectors, retrofitted(given, NEAR, 10).vectors)


def test_a_retrofit_of_a_retrofit_needs_text_if_its_base_does():
    assert Retrofit(Retrofit(Drawn(), NEAR), NEAR).needs_text
    assert not Retrofit(Retrofit(seeded("e", ["a", "b"]), NEAR), NEAR).needs_text


def test_base_and_lexicon_must_be_given():
    with pytest.raises(TypeError, match="base"):
        Retrofit()


def test_rounds_begin_at_one():
    with pytest.raises(BadUsage, match="rounds must be 1 or more"):
        Retrofit(Drawn(), NEAR, rounds=0)


def test_it_is_found_by_its_name():
    assert load(trainers, "retrofit", Trainer) is Retrofit
