import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.classes import held_out
from lexiscope.tasks.classification import Classification
from tests.making import seeded, texts
from tests.tasks.test_sentiment import BAD, GOOD, drawn

GRID = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)


@pytest.fixture
def items():
    return texts(*drawn(24), train=texts(*drawn(50, 1)), dev=texts(*drawn(20, 2)))


@pytest.fixture
def vectors():
    return seeded("seeded", [*GOOD[:2], *BAD[:2], "film", "plot", "odd"], 1, dimension=3)


def means(items, vectors):
    rows = []
    for text in items.text:
        known = [vectors[word].astype(float) for word in text.split() if word in vectors]
        rows.append(np.mean(known, axis=0) if known else np.zeros(vectors.dimension))
    return np.array(rows)


def directly(train, dev, asked):
    """The answers of the classifier that is best on the part to choose on."""
    fitted = [LogisticRegression(solver="liblinear", C=c, max_iter=1000).fit(*train) for c in GRID]
    right = [np.mean(each.predict(dev[0]) == dev[1]) for each in fitted]
    return fitted[int(np.argmax(right))].predict(asked).tolist()


def test_the_answers_are_those_of_scikit_learn_on_means_of_vectors(items, vectors):
    found = Classification().answer(vectors, items, np.random.default_rng(0))

    train, dev = (
        (means(part, vectors), part.label.astype(str)) for part in (items.train, items.dev)
    )
    assert found.given.tolist() == directly(train, dev, means(items, vectors))
    assert found.gold.tolist() == items.label.tolist()


def test_without_vectors_the_words_of_the_lessons_are_counted(items):
    found = Classification().without_vectors(items, np.random.default_rng(0))

    counter = CountVectorizer(token_pattern=r"\S+", lowercase=False).fit(items.train.text)
    train, dev = (
        (counter.transform(part.text), part.label.astype(str)) for part in (items.train, items.dev)
    )
    assert found.given.tolist() == directly(train, dev, counter.transform(items.text))


def test_a_part_to_choose_on_is_drawn_where_there_is_none(items, vectors):
    apart = texts(*drawn(24), train=items.train)

    found = Classification().answer(vectors, apart, np.random.default_rng(6))

    mask = held_out(items.train.label, 0.2, np.random.default_rng(6))
    train, dev = (items.train.take(each) for each in (~mask, mask))
    parts = [(means(part, vectors), part.label.astype(str)) for part in (train, dev)]
    assert len(dev) == 10
    assert found.given.tolist() == directly(*parts, means(apart, vectors))


def test_texts_without_lessons_have_nothing_to_ask(vectors):
    alone = texts(*drawn(6))

    assert not Classification().suits(alone)
    with pytest.raises(Undefined, match="no texts to learn from"):
        Classification().answer(vectors, alone, np.random.default_rng(0))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_nothing_or_all_is_refused(share):
    with pytest.raises(BadUsage, match=r"classification\.share"):
        Classification(share=share)
