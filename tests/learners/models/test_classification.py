"""Each classifier equals a search with scikit-learn on the same splits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from lexiscope.core.contracts.learner import Outcome
from tests.learners.models.material import fit, training_set, words


def folds_of(sets):
    place = {item: number for number, item in enumerate(sets.train.tolist())}
    return [[[place[i] for i in part.tolist()] for part in fold] for fold in sets.folds]


def search(estimator, grid, problem, sets):
    found = GridSearchCV(estimator, grid, cv=folds_of(sets), scoring="accuracy")
    return found.fit(problem.features[sets.train], problem.gold[sets.train])


def assert_equal_search(own, plain, problem, sets, names):
    assert own.validation == pytest.approx(plain.best_score_)
    assert {names[name]: value for name, value in plain.best_params_.items()} == own.selected
    assert_array_equal(own.predicted, plain.predict(problem.features[sets.test]))


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(("train", "dimension"), [(30, 40), (150, 12)])
def test_logistic_regression_is_scikit_learns(classes, train, dimension):
    problem, sets = words(classes=classes, dimension=dimension), training_set(240, train)

    own = fit("logistic_regression", problem, sets)

    model = LogisticRegression(tol=1e-8, max_iter=10_000)
    plain = search(model, {"C": [0.01, 0.1, 1.0, 10.0, 100.0]}, problem, sets)
    assert_equal_search(own, plain, problem, sets, {"C": "c"})


@pytest.mark.parametrize("classes", [2, 4])
def test_the_code_has_the_regularisation_with_the_shortest_code_on_the_folds(classes):
    problem, sets = words(classes=classes), training_set(240, 60)

    own = fit("logistic_regression", problem, sets)

    def bits(c, train, items):
        model = LogisticRegression(C=c, tol=1e-8, max_iter=10_000)
        model.fit(problem.features[train], problem.gold[train])
        found = model.predict_proba(problem.features[items])
        right = found[np.arange(len(items)), problem.gold[items]]
        return -np.log2((len(train) * right + 1 / classes) / (len(train) + 1)).sum()

    def on_folds(c):
        return np.mean([bits(c, *fold) / len(fold.validate) for fold in sets.folds])

    best = min((0.01, 0.1, 1.0, 10.0, 100.0), key=on_folds)
    assert own.bits == pytest.approx(bits(best, sets.train, sets.following), rel=1e-5)


@pytest.mark.parametrize("classes", [2, 4])
def test_svm_is_scikit_learns(classes):
    problem, sets = words(classes=classes), training_set(240, 90)

    own = fit("svm", problem, sets)

    rows = problem.features[sets.train]
    mean = np.mean([[np.sum((x - y) ** 2) for x in rows] for y in rows])
    grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": [g / mean for g in (0.25, 1.0, 4.0)]}
    plain = search(SVC(), grid, problem, sets)
    own.selected["gamma"] /= mean
    assert own.selected["gamma"] == pytest.approx(plain.best_params_["gamma"])
    own.selected["gamma"] = plain.best_params_["gamma"]
    assert_equal_search(own, plain, problem, sets, {"C": "c", "gamma": "gamma"})
    assert own.bits is None


@pytest.mark.parametrize("classes", [2, 4])
def test_naive_bayes_is_scikit_learns(classes):
    problem, sets = words(classes=classes), training_set(240, 90)

    own = fit("naive_bayes", problem, sets)

    plain = search(GaussianNB(), {"var_smoothing": [0.1, 1e-3, 1e-9]}, problem, sets)
    assert_equal_search(own, plain, problem, sets, {"var_smoothing": "smoothing"})


@pytest.mark.parametrize("classes", [2, 4])
def test_nearest_neighbours_are_scikit_learns(classes):
    problem, sets = words(classes=classes), training_set(240, 90)

    own = fit("nearest_neighbours", problem, sets)

    grid = {"n_neighbors": [20, 10, 5, 3, 1]}
    plain = search(KNeighborsClassifier(algorithm="brute"), grid, problem, sets)
    assert_equal_search(own, plain, problem, sets, {"n_neighbors": "k"})


def test_a_random_forest_is_scikit_learns():
    problem, sets = words(classes=3), training_set(240, 90)

    own = fit("random_forest", problem, sets, trees=20, fold_trees=10)

    seed = int(np.random.default_rng(0).integers(2**31))
    rows, labels = problem.features[sets.train], problem.gold[sets.train]
    scores = cross_val_score(
        RandomForestClassifier(10, random_state=seed), rows, labels, cv=folds_of(sets)
    )
    model = RandomForestClassifier(20, random_state=seed).fit(rows, labels)
    assert own.validation == pytest.approx(scores.mean())
    assert_array_equal(own.predicted, model.predict(problem.features[sets.test]))


def test_the_majority_class_and_its_code_by_hand():
    problem, sets = words(items=90, classes=3), training_set(90, 10, following=5)
    problem.gold[sets.train] = [0, 1, 1, 1, 2, 1, 0, 1, 1, 1]
    problem.gold[sets.following] = [1, 0, 0, 2, 1]

    own = fit("majority", problem, sets)

    assert set(own.predicted.tolist()) == {1}
    assert own.bits == pytest.approx(-np.log2([8 / 13, 3 / 13, 3 / 13, 2 / 13, 8 / 13]).sum())


@pytest.mark.parametrize("name", ["svm", "random_forest", "naive_bayes", "nearest_neighbours"])
def test_a_fallback_that_is_as_good_on_the_folds_is_selected(name):
    problem, sets = words(), training_set(240, 60)
    own = fit(name, problem, sets)
    simpler = Outcome(np.zeros(80, np.int64), own.validation, {"c": 1.0}, 7.0)

    found = fit(name, problem, sets, simpler)
    better = fit(name, problem, sets, simpler._replace(validation=own.validation - 0.01))

    assert found.selected == {"fallback": "logistic_regression"}
    assert_array_equal(found.predicted, simpler.predicted)
    assert found.bits == (None if name == "svm" else 7.0)
    assert_array_equal(better.predicted, own.predicted)


def test_more_labels_of_the_training_set_shorten_the_code():
    problem = words(items=600, signal=1.5)
    few, many = (training_set(600, n, following=100) for n in (20, 300))

    def bits(sets):
        return fit("logistic_regression", problem, sets).bits

    assert bits(many._replace(following=few.following)) < bits(few)
    assert_allclose(bits(many._replace(following=np.empty(0, np.int64))), 0)
