import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.contracts.term_model import TERM, UNKNOWN, Background
from lexiscope.learners.term_models.additive import Additive
from tests.learners.term_models.material import background, generator, samples, slow_sum


def units(words=6, counts=None):
    """A background whose vectors are unit vectors: a sum counts the words."""
    return Background(tuple("abcdef"[:words]), np.eye(words, dtype=np.float32), counts)


def summed(sentences, **settings):
    sample = tuple(np.array(sentence, np.int64) for sentence in sentences)
    return Additive(**settings).vectors([sample], units(), generator)[0].tolist()


def test_words_within_the_window_of_each_occurrence_are_summed():
    assert summed([[0, 1, TERM, 2, 3]], window=1) == [0, 1, 1, 0, 0, 0]
    assert summed([[0, TERM, 1, TERM, 2]], window=1) == [1, 2, 1, 0, 0, 0]
    assert summed([[0, 1, TERM, 2, 3]]) == [1, 1, 1, 1, 0, 0]


def test_the_window_does_not_leave_the_sentence():
    assert summed([[0, TERM], [1, 2], [TERM, 3]], window=5) == [1, 0, 0, 1, 0, 0]


def test_unknown_words_take_up_no_position():
    assert summed([[0, UNKNOWN, UNKNOWN, TERM]], window=1) == [1, 0, 0, 0, 0, 0]


def test_whole_sentences_are_summed_once_whatever_the_number_of_occurrences():
    assert summed([[0, 0, 1, TERM, TERM]], contexts="sentence") == [2, 1, 0, 0, 0, 0]
    assert summed([[0, 1], [2, TERM]], contexts="sentence") == [0, 0, 1, 0, 0, 0]


def test_types_count_once_in_a_sample():
    assert summed([[0, 0, TERM], [TERM, 0, 1]], contexts="types") == [1, 1, 0, 0, 0, 0]


def test_frequent_words_are_discarded_and_all_are_summed_if_none_is_left():
    counts = np.array([10**9, 1, 1, 1, 1, 1])
    sentence = np.array([0, TERM, 1])
    alone = np.array([0, TERM])

    found = Additive(subsample=1e-9).vectors([(sentence,)], units(counts=counts), generator)
    fallback = Additive(subsample=1e-9).vectors([(alone,)], units(counts=counts), generator)

    assert found[0].tolist() == [0, 1, 0, 0, 0, 0]
    assert fallback[0].tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("contexts", ["window", "sentence", "types"])
@pytest.mark.parametrize("subsample", [0, 1e-3, 1e-1])
@pytest.mark.parametrize("window", [1, 15])
def test_it_equals_a_sum_word_by_word(contexts, subsample, window):
    model = Additive(window, contexts, subsample)
    space, given = background(), samples()

    found = model.vectors(given, space, generator)

    slow = [slow_sum(model, sample, space, generator(n)) for n, sample in enumerate(given)]
    assert_allclose(found, slow, rtol=0, atol=1e-9)


def test_without_counts_nothing_is_discarded_and_a_note_says_so():
    space = background(counts=False)

    found = Additive(subsample=1e-9).vectors(samples(), space, generator)

    assert_array_equal(found, Additive(subsample=0).vectors(samples(), space, generator))
    assert "no counts" in Additive().notes(space)[0]
    assert Additive(subsample=0).notes(space) == ()
    assert Additive().notes(background()) == ()
