"""Each regression of ratings equals a search with scikit-learn on the same splits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.svm import SVR

from lexiscope.core.contracts.learner import Outcome
from lexiscope.learners.models._selection import rank_correlations
from tests.learners.models.material import fit, pairs, training_set


def search(models, problem, sets):
    """The best of the models by mean Spearman over the folds, trained on all items."""
    scores = []
    for model in models:
        folds = [
            model.fit(problem.features[fold.train], problem.gold[fold.train])
            and spearmanr(
                model.predict(problem.features[fold.validate]), problem.gold[fold.validate]
            ).statistic
            for fold in sets.folds
        ]
        scores.append(round(np.mean(folds), 12))
    best = models[int(np.argmax(scores))]
    best.fit(problem.features[sets.train], problem.gold[sets.train])
    return best, max(scores), best.predict(problem.features[sets.test])


@pytest.mark.parametrize("train", [12, 120])
def test_ridge_is_scikit_learns(train):
    problem, sets = pairs(), training_set(240, train)

    own = fit("ridge", problem, sets)

    models = [Ridge(alpha) for alpha in (100.0, 10.0, 1.0, 0.1, 0.01)]
    best, score, predicted = search(models, problem, sets)
    assert own.selected == {"alpha": best.alpha}
    assert own.validation == pytest.approx(score)
    assert_allclose(own.predicted, predicted)


class StandardisedSVR:
    """SVR of standardised ratings."""

    def __init__(self, c, gamma):
        self.svr = SVR(C=c, gamma=gamma, epsilon=0.1, tol=1e-3)

    def fit(self, features, ratings):
        self.mean, self.deviation = ratings.mean(), ratings.std()
        self.svr.fit(features, (ratings - self.mean) / self.deviation)
        return self

    def predict(self, features):
        return self.svr.predict(features) * self.deviation + self.mean


def test_svr_is_scikit_learns():
    problem, sets = pairs(), training_set(240, 90)

    own = fit("svr", problem, sets)

    rows = problem.features[sets.train]
    mean = np.mean([[np.sum((x - y) ** 2) for x in rows] for y in rows])
    models = [StandardisedSVR(c, g / mean) for c in (0.1, 1.0, 10.0) for g in (0.25, 1.0, 4.0)]
    best, score, predicted = search(models, problem, sets)
    assert own.selected["c"] == best.svr.C
    assert own.selected["gamma"] == pytest.approx(best.svr.gamma * mean)
    assert own.validation == pytest.approx(score, abs=1e-6)
    assert_allclose(own.predicted, predicted, atol=1e-6)


def test_svr_does_not_depend_on_the_scale_of_the_ratings():
    problem, sets = pairs(), training_set(240, 60)

    own = fit("svr", problem, sets)

    problem.gold[:] = 100 * problem.gold + 7
    assert_allclose(fit("svr", problem, sets).predicted, 100 * own.predicted + 7, rtol=1e-3)


def test_a_forest_is_scikit_learns():
    problem, sets = pairs(), training_set(240, 90)

    own = fit("forest_regression", problem, sets, trees=20, fold_trees=20)

    seed = int(np.random.default_rng(0).integers(2**31))
    model = RandomForestRegressor(20, max_features="sqrt", min_samples_leaf=5, random_state=seed)
    _, score, predicted = search([model], problem, sets)
    assert own.validation == pytest.approx(score)
    assert_allclose(own.predicted, predicted)


def test_the_cosine_needs_no_training():
    problem = pairs()
    few, many = (fit("cosine", problem, training_set(240, n)) for n in (12, 90))

    assert_array_equal(few.predicted, many.predicted)
    assert_allclose(few.predicted, np.sum(problem.left * problem.right, axis=1)[160:])


def test_the_mean_rating_has_a_score_of_0():
    problem, sets = pairs(), training_set(240, 12)

    own = fit("mean_rating", problem, sets)

    assert own.validation == 0
    assert_allclose(own.predicted, problem.gold[sets.train].mean())


@pytest.mark.parametrize("name", ["ridge", "svr", "forest_regression"])
def test_a_fallback_that_is_as_good_on_the_folds_is_selected(name):
    problem, sets = pairs(), training_set(240, 60)
    own = fit(name, problem, sets)
    simpler = Outcome(np.zeros(80), own.validation, {})

    found = fit(name, problem, sets, simpler)

    assert found.selected == {"fallback": "cosine"}
    assert_array_equal(found.predicted, simpler.predicted)


def test_undefined_rank_correlations_count_as_0():
    gold = np.array([1.0, 2.0, 3.0])

    assert rank_correlations(np.array([[2.0, 2, 2], [1, 5, 9], [9, 5, 1]]), gold).tolist() == [
        0,
        1,
        -1,
    ]
    assert rank_correlations(gold[:2], gold[:2]).tolist() == [0]
