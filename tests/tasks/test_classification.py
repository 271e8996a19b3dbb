import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.learners.splits import held_out_mask
from lexiscope.tasks.classification import Classification
from tests.builders import seeded, texts
from tests.tasks.test_sentiment import BAD, GOOD, random_texts

GRID = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)


@pytest.fixture
def items():
    return texts(
        *random_texts(24), train=texts(*random_texts(50, 1)), dev=texts(*random_texts(20, 2))
    )


@pytest.fixture
def vectors():
    return seeded("seeded", [*GOOD[:2], *BAD[:2], "film", "plot", "odd"], 1, dimension=3)


def means(items, vectors):
    rows = []
    for text in items.text:
        known = [vectors[word].astype(float) for word in text.split() if word in vectors]
        rows.append(np.mean(known, axis=0) if known else np.zeros(vectors.dimension))
    return np.array(rows)


def directly(train, dev, test):
    """Predictions of the classifier with the highest accuracy on the development set."""
    fitted = [LogisticRegression(solver="liblinear", C=c, max_iter=1000).fit(*train) for c in GRID]
    accuracies = [np.mean(each.predict(dev[0]) == dev[1]) for each in fitted]
    return fitted[int(np.argmax(accuracies))].predict(test).tolist()


def test_predictions_are_those_of_scikit_learn_on_mean_vectors(items, vectors):
    found = Classification().predict(vectors, items, np.random.default_rng(0))

    train, dev = (
        (means(part, vectors), part.label.astype(str)) for part in (items.train, items.dev)
    )
    assert found.predicted.tolist() == directly(train, dev, means(items, vectors))
    assert found.gold.tolist() == items.label.tolist()


def test_without_vectors_bags_of_words_are_classified(items):
    found = Classification().without_vectors(items, np.random.default_rng(0))

    counter = CountVectorizer(token_pattern=r"\S+", lowercase=False).fit(items.train.text)
    train, dev = (
        (counter.transform(part.text), part.label.astype(str)) for part in (items.train, items.dev)
    )
    assert found.predicted.tolist() == directly(train, dev, counter.transform(items.text))


def test_a_development_set_is_sampled_if_there_is_none(items, vectors):
    without_dev = texts(*random_texts(24), train=items.train)

    found = Classification().predict(vectors, without_dev, np.random.default_rng(6))

    mask = held_out_mask(items.train.label, 0.2, np.random.default_rng(6))
    train, dev = (items.train.take(each) for each in (~mask, mask))
    parts = [(means(part, vectors), part.label.astype(str)) for part in (train, dev)]
    assert len(dev) == 10
    assert found.predicted.tolist() == directly(*parts, means(without_dev, vectors))


def test_without_a_training_set_the_task_does_not_apply(vectors):
    alone = texts(*random_texts(6))

    assert not Classification().applies_to(alone)
    with pytest.raises(Undefined, match="no training set"):
        Classification().predict(vectors, alone, np.random.default_rng(0))


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_a_fraction_out_of_bounds_is_refused(fraction):
    with pytest.raises(BadUsage, match=r"classification\.dev_fraction must be between 0 and 1"):
        Classification(dev_fraction=fraction)
