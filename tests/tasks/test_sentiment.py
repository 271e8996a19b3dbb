import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.learners.splits import stratified_folds
from lexiscope.tasks.sentiment import Sentiment
from tests.builders import seeded, texts

GOOD, BAD = ("fine", "good", "great", "lovely"), ("bad", "poor", "dull", "awful")


def random_texts(number, seed=0):
    """Texts of neutral words and two that depend on the class."""
    rng = np.random.default_rng(seed)
    rows = []
    for index in range(number):
        informative = GOOD if index % 2 else BAD
        words = [*rng.choice(informative, 2), *rng.choice(["film", "plot", "odd", "Zyx"], 4)]
        rows.append((" ".join(rng.permutation(words)), "good" if index % 2 else "bad"))
    return rows


@pytest.fixture
def items():
    return texts(*random_texts(60))


@pytest.fixture
def vectors():
    return seeded("seeded", [*GOOD, *BAD, "film", "plot", "odd"], 1, dimension=3)


def directly(features, labels, fold):
    predicted = np.empty(len(labels), object)
    for number in range(fold.max() + 1):
        here = fold == number
        classifier = LogisticRegression(solver="liblinear", tol=0.01)
        classifier.fit(features[~here], labels[~here])
        predicted[here] = classifier.predict(features[here])
    return predicted.tolist()


def test_predictions_are_those_of_scikit_learn_on_sums_of_vectors(items, vectors):
    found = Sentiment(folds=5).predict(vectors, items, np.random.default_rng(4))

    sums = np.array(
        [sum(vectors[w].astype(float) for w in text.split() if w in vectors) for text in items.text]
    )
    fold = stratified_folds(items.label, 5, np.random.default_rng(4), items.units)
    assert found.predicted.tolist() == directly(sums, items.label.astype(str), fold)


def test_without_vectors_bags_of_words_are_classified(items):
    found = Sentiment(folds=5).without_vectors(items, np.random.default_rng(4))

    counts = CountVectorizer(token_pattern=r"\S+", lowercase=False).fit_transform(items.text)
    fold = stratified_folds(items.label, 5, np.random.default_rng(4), items.units)
    assert found.predicted.tolist() == directly(counts, items.label.astype(str), fold)


def test_all_embeddings_and_controls_have_the_same_folds(items, vectors, monkeypatch):
    import lexiscope.tasks.sentiment as module

    seen = []

    def recorded(*arguments):
        seen.append(stratified_folds(*arguments).tolist())
        return np.array(seen[-1])

    monkeypatch.setattr(module, "stratified_folds", recorded)
    lexiscope.run([vectors, seeded("other", ["film", "good"], 2)], "sentiment", [items])

    assert len(seen) == 5  # two embeddings, their random controls, and no vectors
    assert all(fold == seen[0] for fold in seen)


def test_texts_without_a_known_word_are_covered(vectors):
    items = texts(*random_texts(30), ("qwz qwy", "good"))

    results = lexiscope.run(vectors, "sentiment", [items])

    (score,), (coverage,) = results.main(), results.coverage
    assert (score.used, score.total) == (31, 31)
    assert coverage.tokens == 30 * 6 + 2
    assert coverage.known_tokens < coverage.tokens
    assert {"zyx", "qwz", "qwy"} == set(coverage.missing)


def test_informative_vectors_are_better_than_their_random_control():
    words = [*(f"good{k}" for k in range(80)), *(f"bad{k}" for k in range(80))]
    rows = np.array([[1.0, 0.0, 0.2]] * 80 + [[-1.0, 0.1, 0.2]] * 80)
    items = texts(*[(word, word.rstrip("0123456789")) for word in words])

    results = lexiscope.run({"informative": (words, rows)}, "sentiment", [items])

    random = next(c for c in results.control_comparisons if c.control == "random")
    assert results.main()[0].value == 1
    assert random.significant
    assert random.difference > 0.2
    assert random.second == "random vectors for informative"


def test_the_task_does_not_apply_to_datasets_with_a_training_set():
    with_training_set = texts(*random_texts(10), train=texts(*random_texts(10, 1)))

    assert not Sentiment().applies_to(with_training_set)
    assert Sentiment().applies_to(texts(*random_texts(10)))


def test_one_fold_is_refused():
    with pytest.raises(BadUsage, match=r"sentiment\.folds"):
        Sentiment(folds=1)
