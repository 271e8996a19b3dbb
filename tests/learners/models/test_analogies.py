import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.contracts.learner import Fold, Outcome
from lexiscope.learners.models._analogies import (
    questions_of,
    random_partners,
    sums,
    validation_questions,
)
from lexiscope.learners.models._analogy_search import gold_is_highest, highest
from lexiscope.learners.models._network import (
    Hyperparameters,
    State,
    cost,
    gradient,
    network_inputs,
    train_epoch,
    untrained,
)
from lexiscope.learners.problems import AnalogyPairs
from lexiscope.linalg import analogy_search
from tests.learners.models.material import analogies, fit, training_set


def plain_prediction(problem, a, b, c, score):
    """The best word by a loop over all candidates."""
    scores = [
        -np.inf if word in (a, b, c) else score(problem.vectors[word])
        for word in range(len(problem.vectors))
    ]
    return int(np.argmax(scores))


def plain(problem, sets, score):
    return [
        plain_prediction(problem, a, b, c, score(*(problem.vectors[[a, b, c]].astype(float)), i))
        for i, a, b, c in zip(*questions_of(problem, sets.test)[:4], strict=True)
    ]


def test_constant_models_equal_a_plain_loop():
    problem, sets = analogies(), training_set(60, 30)

    def add(a, b, c, item):
        return lambda v: v @ (b - a + c)

    def mul(a, b, c, item):
        return lambda v: (1 + v @ b) / 2 * (1 + v @ c) / 2 / ((1 + v @ a) / 2 + 0.001)

    def near(a, b, c, item):
        return lambda v: v @ c

    for name, score in (("three_cos_add", add), ("three_cos_mul", mul), ("nearest_word", near)):
        assert fit(name, problem, sets).predicted.tolist() == plain(problem, sets, score), name


def test_3cosadd_equals_the_search_of_the_analogy_task():
    problem, sets = analogies(candidates=9000), training_set(60, 30)
    asked = questions_of(problem, sets.test)

    found = fit("three_cos_add", problem, sets).predicted

    expected = analogy_search.three_cos_add(problem.vectors, asked.a, asked.b, asked.c)
    assert_array_equal(found, expected)
    assert_array_equal(found, highest(problem.vectors, sums(problem, asked), asked.excluded))


def test_3cosavg_adds_the_mean_offset_of_the_training_pairs():
    problem, sets = analogies(), training_set(60, 30)

    def score(a, b, c, item):
        train = sets.train[problem.relation[sets.train] == problem.relation[item]]
        offsets = problem.vectors[problem.target[train]] - problem.vectors[problem.source[train]]
        return lambda v: v @ (c + offsets.mean(axis=0))

    assert fit("three_cos_avg", problem, sets).predicted.tolist() == plain(problem, sets, score)


def test_a_relation_without_training_pairs_has_the_offset_of_the_question():
    problem, sets = analogies(), training_set(60, 30)
    only = sets.train[problem.relation[sets.train] == 0]
    other = problem.relation[sets.test] == 1

    found = fit("three_cos_avg", problem, sets._replace(train=only, folds=()))

    expected = fit("three_cos_add", problem, sets)
    assert_array_equal(found.predicted[other], expected.predicted[other])


def test_validation_is_the_accuracy_of_the_full_search():
    problem, sets = analogies(candidates=9000), training_set(60, 36)
    scores = []
    for fold in sets.folds:
        asked = validation_questions(problem, fold)
        best = highest(problem.vectors, sums(problem, asked), asked.excluded)
        correct = gold_is_highest(problem.vectors, sums(problem, asked), asked.excluded, asked.gold)
        assert_array_equal(correct, best == asked.gold)
        scores.append(correct.mean())

    assert 0 < np.mean(scores) < 1
    assert fit("three_cos_add", problem, sets).validation == pytest.approx(np.mean(scores))


def test_partners_have_the_same_relation_and_no_word_in_common():
    rng = np.random.default_rng(0)
    relation = np.repeat([0, 1], 30)
    source, target = rng.integers(12, size=(2, 60))
    problem = AnalogyPairs(np.eye(12, dtype=np.float32), source, target, relation, relation)

    items, partners = random_partners(problem, np.arange(60), 4, rng)

    assert_array_equal(relation[items], relation[partners])
    for item, partner in zip(items, partners, strict=True):
        assert not {source[item], target[item]} & {source[partner], target[partner]}
    assert set(np.bincount(items, minlength=60).tolist()) <= {0, 4}


def test_pairs_without_a_possible_partner_are_left_out():
    vectors = np.eye(5, dtype=np.float32)
    source, target = np.array([0, 1, 2]), np.array([4, 4, 3])
    relation = np.array([0, 0, 1])
    problem = AnalogyPairs(vectors, source, target, relation, np.full(3, -1))

    asked = validation_questions(problem, Fold(np.empty(0, np.int64), np.arange(3)))

    assert not len(asked.item)


def test_validation_questions_depend_on_the_fold_only():
    problem, sets = analogies(), training_set(60, 30)

    first, second = (validation_questions(problem, sets.folds[0]) for _ in range(2))

    assert_array_equal(first, second)


def test_an_excluded_gold_answer_is_never_correct():
    problem = analogies()
    asked = questions_of(problem, np.arange(40, 60))
    gold = asked.b

    assert not gold_is_highest(problem.vectors, sums(problem, asked), asked.excluded, gold).any()


def random_network(seed=0, questions=7, dimension=5):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(20, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    inputs = network_inputs(vectors, rng.integers(20, size=(questions, 3)))
    weights = untrained(dimension, np.float64).weights + 0.3 * rng.normal(size=(16, dimension))
    return weights, inputs, vectors[rng.integers(20, size=questions)]


def test_the_gradient_equals_finite_differences():
    weights, inputs, targets = random_network()
    expected, step = np.empty_like(weights), 1e-6
    for place in np.ndindex(weights.shape):
        shift = np.zeros_like(weights)
        shift[place] = step
        up, down = (cost(weights + sign * shift, inputs, targets) for sign in (1, -1))
        expected[place] = (up - down) / (2 * step)

    assert_allclose(gradient(weights, inputs, targets), expected, atol=1e-8)


def test_adam_by_its_equations():
    weights, inputs, targets = random_network()
    state = State(weights.copy())
    option = Hyperparameters("adam", 100, 0.01)
    first = second = np.zeros_like(weights)
    for t in (1, 2, 3):
        slope = gradient(weights, inputs, targets)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        unbiased = second / (1 - 0.999**t)
        weights = weights - 0.01 * first / (1 - 0.9**t) / (np.sqrt(unbiased) + 1e-8)
        train_epoch(state, inputs, targets, option, np.random.default_rng(t))

    assert_allclose(state.weights, weights)


@pytest.mark.parametrize("option", [("adam", 4, 0.01), ("sgd", 4, 0.5)])
def test_training_lowers_the_cost(option):
    weights, inputs, targets = random_network()
    state = State(weights.copy())
    for _ in range(20):
        train_epoch(state, inputs, targets, Hyperparameters(*option), np.random.default_rng(0))

    assert cost(state.weights, inputs, targets) < cost(weights, inputs, targets) - 0.1


def test_the_untrained_network_is_3cosadd():
    problem, sets = analogies(), training_set(60, 30)

    found = fit("analogy_network", problem, sets, epochs=(0,))

    expected = fit("three_cos_add", problem, sets)
    assert_array_equal(found.predicted, expected.predicted)
    assert found.validation == expected.validation


def test_the_network_learns_a_rotation_that_3cosadd_cannot_express():
    problem, sets = analogies(items=300, candidates=700, noise=0.1), training_set(300, 200)

    constant = fit("three_cos_add", problem, sets)
    own = fit("analogy_network", problem, sets, constant, learning_rate=(0.01,))

    gold = problem.gold[sets.test]
    assert np.mean(own.predicted == gold) > np.mean(constant.predicted == gold) + 0.1


@pytest.mark.parametrize("name", ["three_cos_avg", "analogy_network"])
def test_a_fallback_that_is_as_good_on_the_folds_is_selected(name):
    problem, sets = analogies(), training_set(60, 30)
    simpler = Outcome(np.zeros(20, np.int64), 1.0, {})

    found = fit(name, problem, sets, simpler)

    assert found.selected == {"fallback": "three_cos_add"}
    assert_array_equal(found.predicted, simpler.predicted)
