"""The trainers of terms: finding terms in a corpus, and what they share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.contracts.term_model import TERM
from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.terms import Terms
from lexiscope.learners.backgrounds import background_from
from lexiscope.learners.induction_map import InductionMap, learned_map
from lexiscope.learners.term_models.nonce2vec import Nonce2vec as Model
from lexiscope.trainers._terms import _chunks, occurrences
from lexiscope.trainers.additive import Additive
from lexiscope.trainers.alacarte import Alacarte
from lexiscope.trainers.nonce2vec import Nonce2vec
from lexiscope.trainers.skipgram import Skipgram
from tests.builders import counted, seeded, text

BOOK = corpus(
    "book",
    [
        ["set", "theory", "is", "a", "theory"],
        ["a", "set", "of", "sets"],
        ["theory", "set"],
        ["theory", "of", "set", "theory"],
    ],
)
UNIT = counted("unit", ["is", "a", "of", "sets", "set"], np.eye(5), None)


def rng():
    return np.random.default_rng(0)


def lines(terms):
    """The samples of each term, as words, with the term as "*"."""
    found = occurrences(BOOK, Terms("terms", tuple(terms)))
    codes = BOOK.tokens.astype(np.int64)
    (samples,) = _chunks(BOOK, codes, found)
    names = BOOK.vocabulary.words
    read = [
        [" ".join("*" if code == TERM else names[code] for code in line) for line in sample]
        for sample in samples
    ]
    return dict(zip(found.words, read, strict=True))


def test_the_longest_term_is_found_first():
    assert lines(["theory", "set theory"]) == {
        "theory": ["set theory is a *", "* set", "* of set theory"],
        "set_theory": ["* is a theory", "theory of *"],
    }


def test_a_term_does_not_cross_a_sentence_boundary():
    """ "sets" ends a sentence and "theory" begins the next one."""
    with pytest.raises(BadData, match="none of the 1 terms occurs"):
        lines(["sets theory"])


def test_two_occurrences_in_a_sentence_are_one_sentence():
    assert lines(["theory"])["theory"][0] == "set * is a *"


def test_terms_are_compared_like_the_text_and_counted_most_frequent_first():
    found = occurrences(
        corpus("b", [["a", "b", "a"]]), Terms("terms", ("b", "a", "absent", "a b", "a"))
    )

    assert found.words == ("a", "a_b")
    assert found.counts.tolist() == [1, 1]
    assert found.absent == ("b", "absent")


def test_all_words_are_terms_by_default():
    trained = Additive(seeded("s", ["set", "a", "is", "of"])).train(BOOK, rng())

    assert trained.words[0] == "theory"
    assert trained.counts[0] == 5
    assert trained.name == "additive"


def test_vectors_are_sums_and_what_is_missing_is_reported():
    terms = Terms("terms", ("theory", "sets", "set theory", "logic"))

    trained = Additive(UNIT, terms, window=1).train(BOOK, rng())

    assert trained.words == ("theory", "set_theory", "sets")
    assert trained["set_theory"].tolist() == [1, 0, 1, 0, 0]
    assert trained["sets"].tolist() == [0, 0, 1, 0, 0]
    assert trained.repairs[1:] == ("Terms that do not occur in the text (1): logic",)
    assert "not subsampled" in trained.repairs[0]


def test_a_term_without_a_known_context_word_is_left_out_and_reported():
    only = counted("only", ["is"], [[1.0, 2.0]], None)

    trained = Additive(only, Terms("terms", ("theory", "sets"))).train(BOOK, rng())

    assert trained.words == ("theory",)
    assert trained.repairs[1:] == ("Terms that have no context word in the background (1): sets",)


def test_a_background_of_another_language_is_an_error():
    with pytest.raises(BadData, match="same language and case"):
        Additive(seeded("s", ["und", "der"])).train(BOOK, rng())


def test_a_term_has_the_same_vector_whatever_the_other_terms():
    words = text()
    base = Skipgram(dimension=4, space="both").train(words, rng())
    settings = {"background_space": "both", "subsample": 0.01}

    few = Nonce2vec(base, Terms("few", ("w3", "w7")), **settings).train(words, rng())
    more = Nonce2vec(base, Terms("more", ("w9", "w7", "w1")), **settings).train(words, rng())

    assert few["w7"].tolist() == more["w7"].tolist()


def test_nonce2vec_uses_both_halves_of_the_background():
    words = text()
    base = Skipgram(dimension=4, space="both").train(words, rng())
    space = background_from(base, "both")

    trained = Nonce2vec(base, background_space="both").train(words, rng())

    assert trained.dimension == 4
    assert base.dimension == 8
    assert_allclose(np.hstack([space.vectors, space.output]), base.vectors)
    assert Model.needs_output


def test_nonce2vec_refuses_a_background_without_output_vectors():
    with pytest.raises(BadData, match="use it with --background-space both"):
        Nonce2vec(seeded("glove", ["set", "a"])).train(BOOK, rng())


def test_an_odd_dimension_cannot_be_two_spaces():
    with pytest.raises(BadUsage, match="has 5 dimensions"):
        background_from(UNIT, "both")


def test_alacarte_learns_its_map_from_the_text_without_the_terms():
    words, base = text(), seeded("base", [f"w{n}" for n in range(40)], dimension=3)
    terms = Terms("terms", ("w5", "w9"))

    found = Alacarte(base, terms, window=2).train(words, rng())

    space = background_from(base)
    codes = base.vocabulary.find(words.vocabulary.words)[words.tokens]
    learned = learned_map("text", codes, words.starts, space, window=2, exclude=[5, 9])
    same = Alacarte(base, terms, window=2, map=learned).train(words, rng())
    assert found.vectors.tolist() == same.vectors.tolist()


def test_alacarte_takes_another_text_or_a_matrix():
    words, base = text(), seeded("base", [f"w{n}" for n in range(40)], dimension=3)
    terms = Terms("terms", ("w5",))

    own, other = (
        Alacarte(base, terms, map=source).train(words, rng()).vectors
        for source in (None, text(seed=5))
    )
    plain = Alacarte(base, terms, window=2, map=InductionMap("one", np.eye(3)))
    summed = Additive(base, terms, window=2)

    assert own.tolist() != other.tolist()
    mean, total = plain.train(words, rng()), summed.train(words, rng())
    assert_allclose(mean.vectors * mean.counts[0], total.vectors, rtol=1e-5)
