"""The linear SVM of the subspace study, against scikit-learn and by hand."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.sparse import csr_array
from sklearn.svm import LinearSVC

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.grammar import Question
from lexiscope.data.grammars import read
from lexiscope.studies.subspace import Subspace
from tests.studies.made import GENDER, grammar, vectors

# Columns: is a noun, is feminine, is masculine.
BY_HAND = [[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1], [3, 0, 0], [0, 0, 0], [0, 5, 0], [0, 0, 5]]


def asked(study, rows, question=GENDER):
    return study.answer(vectors(rows), grammar(question), "it", default_rng(0))


def test_a_gender_learned_from_nouns_is_found_in_adjectives():
    replies = asked(Subspace(), BY_HAND)

    assert replies.items == ("xaf", "xam")
    assert replies.given == replies.gold == ("yes", "no")


def test_sparse_vectors_get_the_same_answers_as_dense_ones():
    sparse = vectors(csr_array(np.array(BY_HAND, np.float32)))
    rng = default_rng(0)

    assert Subspace().answer(sparse, grammar(GENDER), "it", rng) == asked(Subspace(), BY_HAND)


@pytest.mark.parametrize("cost", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("contexts", [True, False])
def test_answers_are_those_of_a_plain_call_of_liblinear(cost, normalise, contexts):
    made, rng = read("ambiguity"), default_rng(3)
    rows = rng.normal(size=(len(made.words), 10))
    found = Subspace(cost, contexts, normalise).answer(
        vectors(rows, made.words), made, "ambiguity", rng
    )

    rows = rows.astype(np.float32).astype(np.float64)
    if normalise:
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    of = dict(zip(made.words, rows, strict=True))
    learned = [f"w{i}" for i in range(5, 50)] + [f"v{i}" for i in range(50)]
    if contexts:
        learned += [f"{letter}{i}" for letter in "abcd" for i in range(10)]
    # The dual form of the same problem, which is solved in another way.
    svm = LinearSVC(C=cost, dual=True, random_state=0, tol=1e-8, max_iter=1_000_000)
    svm.fit([of[word] for word in learned], [word[0] == "w" for word in learned])
    direct = svm.predict([of[f"w{i}"] for i in range(5)])
    assert [given == "yes" for given in found.given] == direct.tolist()
    assert found.gold == ("yes",) * 5


def test_every_setting_can_change_an_answer():
    # Long vectors of contexts pull the cut; without them, or made short, it lies elsewhere.
    rows = [[2, 1], [2, -1], [1, 0.1], [1, -0.3], [0.1, 9], [0, 9], [-9, 3], [0, -9]]
    question = Question(
        ("xnf", "xaf"), ("xnm", "xam", "n", "a", "f", "m"), ("xaf", "xam"), ("n", "a", "f", "m")
    )
    usual = asked(Subspace(), rows, question)

    assert asked(Subspace(contexts=False), rows, question) != usual
    assert asked(Subspace(cost=1e-9), rows, question).given == ("no", "no")
    through = asked(Subspace(cost=1e-9, intercept=False), rows, question)
    assert through.given != asked(Subspace(cost=1e-9), rows, question).given
    short = [[0.002, 0.001], [0.002, -0.001], [0.001, 0.001], [0.001, -0.001], *rows[4:]]
    assert asked(Subspace(cost=100.0, normalise=False), short, question).given == ("no", "no")
    assert asked(Subspace(cost=100.0), short, question).given == ("yes", "no")


def test_a_zero_vector_is_answered_like_any_other():
    rows = [*BY_HAND[:3], [0, 0, 0], *BY_HAND[4:]]

    assert asked(Subspace(), rows).items == ("xaf", "xam")


def test_a_word_that_was_never_sampled_is_told():
    some = vectors(BY_HAND[:3], ("xnf", "xnm", "xaf"))

    with pytest.raises(BadData, match=r"'xam' stands in none of the sampled sentences. Sample"):
        Subspace().answer(some, grammar(GENDER), "it", default_rng(0))


def test_a_cost_must_be_positive():
    with pytest.raises(BadUsage, match="cost must be more than 0, found 0"):
        Subspace(cost=0)
