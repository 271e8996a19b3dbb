import numpy as np

from lexiscope.core.contracts.term_model import TERM, UNKNOWN
from lexiscope.core.corpus import corpus
from lexiscope.experiments.consistency.joint import mark, marked_corpus

WORDS = ("tea", "milk", "cup")


def sentence(*codes):
    return np.array(codes, np.int64)


def test_each_sample_of_a_term_is_a_word_of_its_own_in_the_joint_text():
    text = corpus("text", [["tea", "milk"]] * 6)
    samples = [((sentence(0, TERM, 1),), (sentence(TERM, UNKNOWN, 0),))]

    found = marked_corpus(["sugar"], samples, WORDS, text)

    words = found.vocabulary.words
    rows = [[words[k] for k in found.tokens[a:b]]
            for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)]  # fmt: skip
    assert rows[:6] == [["tea", "milk"]] * 6
    assert rows[6] == ["tea", mark("sugar", 0), "milk"]
    assert rows[7] == [mark("sugar", 1), "tea"]


def test_rare_words_are_left_out_but_marked_terms_are_kept():
    samples = [((sentence(0, TERM, 2),), (sentence(0, TERM),))]
    text = corpus("text", [["tea", "tea", "tea"]])

    found = marked_corpus(["sugar"], samples, WORDS, text)

    assert set(found.vocabulary.words) == {"tea", mark("sugar", 0), mark("sugar", 1)}
    assert found.left_out == 1


def test_words_are_sorted_by_frequency():
    samples = [((sentence(0, TERM),), (sentence(0, TERM),))]
    found = marked_corpus(["sugar"], samples, WORDS, corpus("text", [["tea"] * 9, ["milk"] * 6]))

    assert found.vocabulary.words[:2] == ("tea", "milk")
