import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import lexiscope
from lexiscope.core.datasets.texts import Phrases
from lexiscope.core.errors import BadUsage
from lexiscope.learners.splits import stratified_folds
from lexiscope.tasks.metaphor import Metaphor
from tests.builders import phrases, seeded


@pytest.fixture
def items():
    return Phrases.example()


def directly(features, labels, folds, trees, rng):
    fold = stratified_folds(labels, folds, rng)
    seed = int(rng.integers(1 << 31))
    predicted = np.empty(len(labels), object)
    for number in range(folds):
        here = fold == number
        forest = RandomForestClassifier(trees, random_state=seed)
        predicted[here] = forest.fit(features[~here], labels[~here].astype(str)).predict(
            features[here]
        )
    return predicted.tolist()


def test_predictions_are_those_of_a_random_forest_on_both_vectors(items):
    vectors = seeded("seeded", sorted(items.all_words), 2, dimension=4)

    found = Metaphor(folds=4, trees=7).predict(vectors, items, np.random.default_rng(3))

    features = np.array(
        [[*vectors[a], *vectors[n]] for a, n in zip(items.adjective, items.noun, strict=True)]
    )
    assert found.predicted.tolist() == directly(
        features, items.label, 4, 7, np.random.default_rng(3)
    )


def test_without_vectors_the_features_are_one_hot_words(items):
    found = Metaphor(folds=4, trees=7).without_vectors(items, np.random.default_rng(3))

    columns = [
        [word == each for word in column] for column in items.words for each in sorted(set(column))
    ]
    features = np.array(columns, float).T
    assert found.predicted.tolist() == directly(
        features, items.label, 4, 7, np.random.default_rng(3)
    )


def test_phrases_with_an_unknown_word_are_not_covered_and_controls_have_the_same_items():
    rows = [(f"a{k % 4}", f"n{k}", "literal" if k % 2 else "metaphor") for k in range(30)]
    known = [*(f"a{k}" for k in range(4)), *(f"n{k}" for k in range(25))]

    results = lexiscope.run(seeded("e", known), "metaphor", [phrases(*rows)])

    (score,) = results.main()
    assert (score.used, score.total) == (25, 30)
    assert [c.items for c in results.control_comparisons] == [25, 25]
    assert all(c.p is not None for c in results.control_comparisons)


@pytest.mark.parametrize("setting", [{"folds": 1}, {"trees": 0}])
def test_settings_out_of_bounds_are_refused(setting):
    with pytest.raises(BadUsage, match=f"metaphor.{next(iter(setting))}"):
        Metaphor(**setting)
