"""The linear SVM of the subspace probe, against scikit-learn and by hand."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.sparse import csr_array
from sklearn.svm import LinearSVC

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.pcfg.grammar import Target
from lexiscope.pcfg.reader import read
from lexiscope.probes.subspace import Subspace
from tests.probes.corpora import GENDER, grammar, vectors

# Columns: is a noun, is feminine, is masculine.
BY_HAND = [[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1], [3, 0, 0], [0, 0, 0], [0, 5, 0], [0, 0, 5]]


def predicted(probe, rows, target=GENDER):
    return probe.predict(vectors(rows), grammar(target), "it", default_rng(0))


def test_gender_is_trained_on_nouns_and_predicted_for_adjectives():
    predictions = predicted(Subspace(), BY_HAND)

    assert predictions.items == ("xaf", "xam")
    assert predictions.predicted == predictions.gold == ("yes", "no")


def test_sparse_vectors_give_the_same_predictions_as_dense_ones():
    sparse = vectors(csr_array(np.array(BY_HAND, np.float32)))
    rng = default_rng(0)

    assert Subspace().predict(sparse, grammar(GENDER), "it", rng) == predicted(Subspace(), BY_HAND)


@pytest.mark.parametrize("cost", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("contexts", [True, False])
def test_predictions_are_those_of_a_plain_call_of_liblinear(cost, normalise, contexts):
    language, rng = read("ambiguity"), default_rng(3)
    rows = rng.normal(size=(len(language.words), 10))
    found = Subspace(cost, contexts, normalise).predict(
        vectors(rows, language.words), language, "ambiguity", rng
    )

    rows = rows.astype(np.float32).astype(np.float64)
    if normalise:
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    of = dict(zip(language.words, rows, strict=True))
    training = [f"w{i}" for i in range(5, 50)] + [f"v{i}" for i in range(50)]
    if contexts:
        training += [f"{letter}{i}" for letter in "abcd" for i in range(10)]
    # The dual form of the same problem, with another solver.
    svm = LinearSVC(C=cost, dual=True, random_state=0, tol=1e-8, max_iter=1_000_000)
    svm.fit([of[word] for word in training], [word[0] == "w" for word in training])
    direct = svm.predict([of[f"w{i}"] for i in range(5)])
    assert [given == "yes" for given in found.predicted] == direct.tolist()
    assert found.gold == ("yes",) * 5


def test_every_setting_can_change_a_prediction():
    # Long context vectors move the hyperplane; without them, or normalised, it lies elsewhere.
    rows = [[2, 1], [2, -1], [1, 0.1], [1, -0.3], [0.1, 9], [0, 9], [-9, 3], [0, -9]]
    target = Target(
        ("xnf", "xaf"), ("xnm", "xam", "n", "a", "f", "m"), ("xaf", "xam"), ("n", "a", "f", "m")
    )
    usual = predicted(Subspace(), rows, target)

    assert predicted(Subspace(contexts=False), rows, target) != usual
    assert predicted(Subspace(cost=1e-9), rows, target).predicted == ("no", "no")
    through = predicted(Subspace(cost=1e-9, intercept=False), rows, target)
    assert through.predicted != predicted(Subspace(cost=1e-9), rows, target).predicted
    short = [[0.002, 0.001], [0.002, -0.001], [0.001, 0.001], [0.001, -0.001], *rows[4:]]
    assert predicted(Subspace(cost=100.0, normalise=False), short, target).predicted == ("no", "no")
    assert predicted(Subspace(cost=100.0), short, target).predicted == ("yes", "no")


def test_a_zero_vector_has_a_prediction():
    rows = [*BY_HAND[:3], [0, 0, 0], *BY_HAND[4:]]

    assert predicted(Subspace(), rows).items == ("xaf", "xam")


def test_a_word_that_was_never_sampled_is_refused():
    some = vectors(BY_HAND[:3], ("xnf", "xnm", "xaf"))

    with pytest.raises(BadData, match=r"'xam' occurs in none of the sampled sentences. Sample"):
        Subspace().predict(some, grammar(GENDER), "it", default_rng(0))


def test_a_cost_must_be_positive():
    with pytest.raises(BadUsage, match="cost must be more than 0, found 0"):
        Subspace(cost=0)
