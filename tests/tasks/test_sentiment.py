import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.stats.folds import dealt
from lexiscope.tasks.sentiment import Sentiment
from tests.making import seeded, texts

GOOD, BAD = ("fine", "good", "great", "lovely"), ("bad", "poor", "dull", "awful")


def drawn(number, seed=0):
    """Texts of neutral words and a few that say which class."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(number):
        telling = GOOD if place % 2 else BAD
        words = [*rng.choice(telling, 2), *rng.choice(["film", "plot", "odd", "Zyx"], 4)]
        rows.append((" ".join(rng.permutation(words)), "good" if place % 2 else "bad"))
    return rows


@pytest.fixture
def items():
    return texts(*drawn(60))


@pytest.fixture
def vectors():
    return seeded("seeded", [*GOOD, *BAD, "film", "plot", "odd"], 1, dimension=3)


def directly(table, labels, fold):
    given = np.empty(len(labels), object)
    for number in range(fold.max() + 1):
        here = fold == number
        classifier = LogisticRegression(solver="liblinear", tol=0.01)
        classifier.fit(table[~here], labels[~here])
        given[here] = classifier.predict(table[here])
    return given.tolist()


def test_the_answers_are_those_of_scikit_learn_on_sums_of_vectors(items, vectors):
    found = Sentiment(folds=5).answer(vectors, items, np.random.default_rng(4))

    sums = np.array(
        [sum(vectors[w].astype(float) for w in text.split() if w in vectors) for text in items.text]
    )
    fold = dealt(items.label, 5, np.random.default_rng(4), items.units)
    assert found.given.tolist() == directly(sums, items.label.astype(str), fold)


def test_without_vectors_the_words_are_counted(items):
    found = Sentiment(folds=5).without_vectors(items, np.random.default_rng(4))

    counts = CountVectorizer(token_pattern=r"\S+", lowercase=False).fit_transform(items.text)
    fold = dealt(items.label, 5, np.random.default_rng(4), items.units)
    assert found.given.tolist() == directly(counts, items.label.astype(str), fold)


def test_all_embeddings_and_controls_meet_the_same_folds(items, vectors, monkeypatch):
    import lexiscope.tasks.sentiment as module

    seen = []

    def noted(*asked):
        seen.append(dealt(*asked).tolist())
        return np.array(seen[-1])

    monkeypatch.setattr(module, "dealt", noted)
    lexiscope.run([vectors, seeded("other", ["film", "good"], 2)], "sentiment", [items])

    assert len(seen) == 5  # two embeddings, their random controls, and no vectors
    assert all(fold == seen[0] for fold in seen)


def test_no_text_is_left_out_even_where_no_word_is_known(vectors):
    items = texts(*drawn(30), ("qwz qwy", "good"))

    results = lexiscope.run(vectors, "sentiment", [items])

    (score,), (coverage,) = results.main(), results.coverage
    assert (score.used, score.total) == (31, 31)
    assert coverage.running == 30 * 6 + 2
    assert coverage.known < coverage.running
    assert {"zyx", "qwz", "qwy"} == set(coverage.missing)


def test_vectors_that_tell_beat_their_random_control():
    words = [*(f"good{k}" for k in range(80)), *(f"bad{k}" for k in range(80))]
    rows = np.array([[1.0, 0.0, 0.2]] * 80 + [[-1.0, 0.1, 0.2]] * 80)
    items = texts(*[(word, word.rstrip("0123456789")) for word in words])

    results = lexiscope.run({"telling": (words, rows)}, "sentiment", [items])

    random = next(c for c in results.against_controls if c.control == "random")
    assert results.main()[0].value == 1
    assert random.real
    assert random.difference > 0.2
    assert random.second == "random vectors for telling"


def test_a_set_with_a_part_to_learn_from_is_for_classification():
    apart = texts(*drawn(10), train=texts(*drawn(10, 1)))

    assert not Sentiment().suits(apart)
    assert Sentiment().suits(texts(*drawn(10)))


def test_one_fold_is_refused():
    with pytest.raises(BadUsage, match=r"sentiment\.folds"):
        Sentiment(folds=1)
