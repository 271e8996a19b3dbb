"""What holds for every model; new ones are found by themselves."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.core.contracts.learner import COMPLEXITIES, FAMILIES
from tests.learners.models.material import (
    NAMES,
    PROBLEMS,
    analogies,
    fit,
    model_class,
    pairs,
    training_set,
    words,
)

SMALL = {
    "random_forest": {"trees": 10, "fold_trees": 5},
    "forest_regression": {"trees": 10, "fold_trees": 5},
    "cnn": {"maps": 4, "max_epochs": 2},
}
CLASSIFIERS = [name for name in NAMES if set(model_class(name).families) & {"words"}]
REGRESSIONS = [name for name in NAMES if "pairs" in model_class(name).families]
RELATIONS = [name for name in NAMES if "analogies" in model_class(name).families]
CASES = [(name, family) for name in NAMES for family in model_class(name).families]


def run(name, problem, sets, seed=0):
    if name == "cnn":
        pytest.importorskip("torch")
    return fit(name, problem, sets, seed=seed, **SMALL.get(name, {}))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_declares_itself(name):
    kind = model_class(name)

    assert set(kind.families) <= set(FAMILIES)
    assert kind.complexity in COMPLEXITIES
    assert set(kind.fallback) <= set(kind.families)
    simplicity = {each: number for number, each in enumerate(COMPLEXITIES)}
    for simpler in kind.fallback.values():
        assert simplicity[model_class(simpler).complexity] < simplicity[kind.complexity]
    assert kind.complexity != "non-linear" or set(kind.fallback) == set(kind.families)
    assert kind().settings == kind(**kind().settings).settings


@pytest.mark.parametrize(("name", "family"), CASES)
@pytest.mark.parametrize("train", [10, 36])
def test_the_same_seed_gives_the_same_outcome(name, family, train):
    problem, sets = PROBLEMS[family](items=60), training_set(60, train)

    first, second = (run(name, problem, sets) for _ in range(2))

    assert first.predicted.shape == (20,)
    assert_array_equal(first.predicted, second.predicted)
    assert first[1:] == second[1:]


@pytest.mark.parametrize(("name", "family"), [case for case in CASES if case[1] != "analogies"])
def test_labels_of_test_items_are_not_used(name, family):
    problem, sets = PROBLEMS[family](items=60), training_set(60, 30)
    changed = problem.gold.copy()
    changed[sets.test] = changed[sets.test][::-1]

    own = run(name, problem, sets)

    found = run(name, replace(problem, gold=changed), sets)
    assert_array_equal(found.predicted, own.predicted)


@pytest.mark.parametrize("name", RELATIONS)
def test_targets_of_test_pairs_are_not_used(name):
    problem, sets = analogies(relations=1), training_set(60, 30)
    given, asked = sets.test[0], sets.test[1:]  # one pair is given in all questions
    partner = np.full(60, given)
    changed = problem.target.copy()
    changed[asked] = changed[asked][::-1]
    sets = sets._replace(test=asked)

    own = run(name, replace(problem, partner=partner), sets)

    found = run(name, replace(problem, partner=partner, target=changed), sets)
    assert_array_equal(found.predicted, own.predicted)


@pytest.mark.parametrize(("name", "family"), CASES)
def test_no_folds_no_validation(name, family):
    problem, sets = PROBLEMS[family](items=60), training_set(60, 10, folds=0)

    assert np.isnan(run(name, problem, sets).validation)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_training_set_with_one_class_predicts_it(name):
    problem, sets = words(items=60), training_set(60, 12)
    problem.gold[sets.train] = 1

    own = run(name, problem, sets)

    assert set(own.predicted.tolist()) == {1}
    assert own.bits is None or np.isfinite(own.bits)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("folds", [0, 3])
def test_classes_may_be_missing_in_folds_and_in_the_training_set(name, folds):
    problem, sets = words(items=90, classes=7), training_set(90, 10, folds=folds)
    problem.gold[sets.train] = [5, 5, 5, 5, 5, 2, 2, 2, 4, 5]
    problem.gold[sets.following[:7]] = np.arange(7)

    own = run(name, problem, sets)

    assert set(own.predicted.tolist()) <= {2, 4, 5}
    assert own.bits is None or np.isfinite(own.bits)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_equal_vectors_are_classified(name):
    problem, sets = words(items=60), training_set(60, 30)
    same = replace(problem, features=np.tile(problem.features[:1], (60, 1)))
    doubled = replace(problem, features=problem.features[np.arange(60) // 2])

    for each in (same, doubled):
        assert set(run(name, each, sets).predicted.tolist()) <= {0, 1}


@pytest.mark.parametrize("name", REGRESSIONS)
def test_equal_pairs_and_equal_ratings(name):
    problem, sets = pairs(items=60), training_set(60, 30)
    ones = np.ones((60, 1)) / np.sqrt(8)
    same = replace(problem, left=np.tile(ones, 8), right=np.tile(ones, 8))
    rated = replace(problem, gold=np.full(60, 3.0))

    for each in (same, rated):
        own = run(name, each, sets)
        assert np.isfinite(own.predicted).all()
        assert own.validation == pytest.approx(0)


@pytest.mark.parametrize("name", RELATIONS)
def test_the_words_of_a_question_are_not_predicted(name):
    problem, sets = analogies(), training_set(60, 30)

    own = run(name, problem, sets)

    partner = problem.partner[sets.test]
    for words_of in (problem.source[sets.test], problem.source[partner], problem.target[partner]):
        assert not (own.predicted == words_of).any()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_permuted_labels_stay_at_chance(name):
    problem, sets = words(items=900, signal=3.0), training_set(900, 200)
    problem.gold[:] = np.random.default_rng(5).permutation(problem.gold)

    own = run(name, problem, sets)

    accuracy = np.mean(own.predicted == problem.gold[sets.test])
    assert abs(accuracy - 0.5) < 4 * np.sqrt(0.25 / len(sets.test))


@pytest.mark.parametrize("name", REGRESSIONS)
def test_permuted_ratings_stay_at_chance(name):
    problem, sets = pairs(items=900), training_set(900, 200)
    problem.gold[:] = np.random.default_rng(5).permutation(problem.gold)

    own = run(name, problem, sets)

    if np.ptp(own.predicted) > 0:
        correlation = np.corrcoef(own.predicted, problem.gold[sets.test])[0, 1]
        assert abs(correlation) < 4 / np.sqrt(len(sets.test))


@pytest.mark.parametrize("name", RELATIONS)
def test_permuted_targets_stay_at_chance(name):
    problem, sets = analogies(items=300, candidates=700, noise=0.1), training_set(300, 60)
    shuffled = np.random.default_rng(5).permutation(problem.target)

    own = run(name, replace(problem, target=shuffled), sets)

    assert np.mean(own.predicted == shuffled[sets.test]) < 0.06
