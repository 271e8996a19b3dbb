import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import Undefined
from lexiscope.learners.text_classifiers import (
    bag_of_words,
    fit_predict,
    logistic_regression,
    means_of_vectors,
    select_c,
    sums_of_vectors,
)
from tests.builders import texts

SOME = texts(("the cat the hat", "a"), ("a hat", "b"), ("zyx", "a"))


def test_a_bag_of_words_is_scikit_learns():
    counts = bag_of_words(SOME.encoded)

    vectorizer = CountVectorizer(vocabulary=SOME.encoded.words, token_pattern=r"\S+")
    assert_array_equal(counts.toarray(), vectorizer.fit_transform(SOME.text).toarray())
    assert SOME.encoded.words == ("the", "cat", "hat", "a", "zyx")


def test_a_bag_of_given_words_ignores_others():
    counts = bag_of_words(SOME.encoded, ("hat", "sun", "the"))

    assert counts.toarray().tolist() == [[1, 0, 2], [1, 0, 0], [0, 0, 0]]


def test_sums_and_means_of_vectors_by_hand():
    vectors = embedding("e", ["the", "hat", "cat"], [[1, 0], [0, 3], [2, 2]])

    assert sums_of_vectors(SOME.encoded, vectors).tolist() == [[4, 5], [0, 3], [0, 0]]
    assert means_of_vectors(SOME.encoded, vectors).tolist() == [[1, 1.25], [0, 3], [0, 0]]


def classes(number, labels, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(labels, size=number)
    features = rng.normal(size=(number, 4)) + np.eye(labels, 4)[numbers]
    return features, word_array([f"label{k}" for k in numbers])


def test_predictions_of_two_classes_are_scikit_learns():
    (features, labels), (test, _) = classes(80, 2, 0), classes(40, 2, 1)

    found = fit_predict(logistic_regression(0.5), features, labels, test)

    direct = LogisticRegression(solver="liblinear", C=0.5).fit(features, labels.tolist())
    assert found.tolist() == direct.predict(test).tolist()


def test_of_three_classes_the_highest_decision_value_wins():
    (features, labels), (test, _) = classes(120, 3, 0), classes(40, 3, 1)

    found = fit_predict(logistic_regression(), features, labels, test)

    labels_in_order = sorted(set(labels))
    decisions = [
        LogisticRegression(solver="liblinear").fit(features, labels == kind).decision_function(test)
        for kind in labels_in_order
    ]
    assert found.tolist() == [labels_in_order[k] for k in np.argmax(decisions, axis=0)]


def test_one_class_cannot_be_learned():
    with pytest.raises(Undefined, match="only one class"):
        fit_predict(logistic_regression(), np.ones((2, 1)), word_array("aa"), np.ones((1, 1)))


def test_the_best_c_on_the_development_set_is_selected_and_of_ties_the_smallest():
    train, dev = classes(60, 2, 0), classes(60, 2, 1)

    found = select_c((1.0, 0.01, 100.0), train, dev)

    accuracies = {
        c: np.mean(
            LogisticRegression(solver="liblinear", C=c)
            .fit(train[0], train[1].tolist())
            .predict(dev[0])
            == dev[1]
        )
        for c in (0.01, 1.0, 100.0)
    }
    assert found.c == max(accuracies, key=accuracies.get)  # the first of ties
    assert found.accuracy == max(accuracies.values())
