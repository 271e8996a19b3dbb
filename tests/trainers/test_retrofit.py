from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from lexiscope import trainers
from lexiscope.core.contracts.registry import load
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import corpus, empty_corpus
from lexiscope.core.errors import BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.trainers._retrofitting import retrofitted
from lexiscope.trainers.retrofit import Retrofit
from tests.builders import seeded

NEAR = Lexicon("near", {"a": ("b",), "b": ("a",)})


@dataclass(frozen=True)
class Random(Trainer):
    """Random vectors."""

    paper: ClassVar[str] = "none"

    def train(self, corpus, rng, progress=None):
        progress("Sampling", 1, 1)
        return corpus.embedding("random", rng.normal(size=(len(corpus.vocabulary), 3)))


def test_a_base_trainer_is_trained_first():
    text = corpus("text", [["a", "b", "c"], ["a", "c"]])
    reports = []

    trained = Retrofit(Random(), NEAR, iterations=1).train(
        text, np.random.default_rng(0), lambda *report: reports.append(report)
    )

    base = Random().train(text, np.random.default_rng(0), lambda *_: None)
    np.testing.assert_array_equal(trained.vectors, retrofitted(base, NEAR, 1).vectors)
    assert trained.name == "random+near"
    assert trained.counts.tolist() == [2, 2, 1]
    assert reports == [("Sampling", 1, 1), ("Retrofitting", 1, 1)]


def test_existing_vectors_need_no_text():
    given = seeded("given", ["a", "b", "c"])
    trainer = Retrofit(given, NEAR)

    trained = trainer.train(empty_corpus(), np.random.default_rng(0))

    assert not trainer.needs_text
    np.testing.assert_array_equal(trained.vectors, retrofitted(given, NEAR, 10).vectors)


def test_a_retrofit_of_a_retrofit_needs_text_if_its_base_does():
    assert Retrofit(Retrofit(Random(), NEAR), NEAR).needs_text
    assert not Retrofit(Retrofit(seeded("e", ["a", "b"]), NEAR), NEAR).needs_text


def test_base_and_lexicon_are_required():
    with pytest.raises(TypeError, match="base"):
        Retrofit()


def test_zero_iterations_are_refused():
    with pytest.raises(BadUsage, match="iterations must be 1 or more"):
        Retrofit(Random(), NEAR, iterations=0)


def test_it_is_found_by_its_name():
    assert load(trainers, "retrofit", Trainer) is Retrofit
