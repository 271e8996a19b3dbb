"""Sentences that samples of a term have in common word for word."""

import numpy as np
import pytest

from lexiscope.core.corpus import corpus
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.consistency.repetition import repetition, repetition_warning
from lexiscope.experiments.consistency.samples import samples_of
from lexiscope.experiments.consistency.texts import read_texts
from tests.data.local_files import shared

TEXT = corpus("text", [["a", "b"], ["a", "c"], ["a", "b"], ["a", "b", "c"]])


def _numbers(*samples):
    return [np.array(sample, np.int64) for sample in samples]


def test_equal_sentences_of_different_samples_count():
    assert repetition(TEXT, [_numbers([0, 1], [2, 3])]) == 0.5


def test_equal_sentences_of_one_sample_or_of_different_terms_do_not():
    assert repetition(TEXT, [_numbers([0, 2], [1, 3])]) == 0
    assert repetition(TEXT, [_numbers([0], [1]), _numbers([2], [3])]) == 0
    assert repetition(TEXT, []) == 0


def _book(repeats):
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(50)]
    lines = [[*rng.choice(words, 6), "mind"] for _ in range(60)]
    return lines * repeats


@pytest.mark.parametrize("split", ["random", "halves"])
def test_a_text_that_is_given_twice_is_a_warning(split):
    words = [f"word{number}" for number in range(50)]

    once, twice = (samples_of(_book(n), ["mind"], split, words) for n in (1, 2))

    assert once.warnings == ()
    (warning,) = twice.warnings
    assert "repeated word for word in another sample" in warning
    assert split != "halves" or warning.startswith("text: 100% of the sampled sentences")


def test_a_few_repeated_sentences_are_no_warning():
    lines = [[f"w{number}", "mind"] for number in range(100)]
    samples = [_numbers(range(50), range(50, 100))]

    assert repetition_warning(corpus("text", lines), samples) == ""
    lines[50:52] = lines[:2]
    assert repetition_warning(corpus("text", lines), samples) == ""
    lines[50:53] = lines[:3]
    assert repetition_warning(corpus("text", lines), samples).startswith("text: 6% of")


def test_a_book_has_few_repeated_sentences():
    text = read_texts("russell-mind", local_data=LocalData(shared()))
    words = text.vocabulary.words
    terms = ["belief", "memory", "sensation", "image", "desire", "knowledge"]

    found = samples_of(text, terms, "random", words)

    assert repetition(text, [each.numbers for each in found.terms]) < 0.01
