import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import MultiLabelBinarizer, normalize

from lexiscope.core.dataset import word_array
from lexiscope.core.entities import joined
from lexiscope.core.errors import Undefined
from lexiscope.stats import type_classifiers
from lexiscope.stats.type_classifiers import by_nearest, by_network

SETTINGS = {"hidden": 8, "threshold": 0.5, "epochs": 200, "seed": 3}


def two_facets(items, seed=0):
    """Vectors with two facets in four dimensions, and types that tell both."""
    rng = np.random.default_rng(seed)
    facets = rng.integers(0, 2, (items, 2))
    rows = np.repeat(2.0 * facets - 1, 2, axis=1) + rng.normal(size=(items, 4)) * 0.3
    names = (("cold", "warm"), ("dry", "wet"))
    types = word_array(joined(n[f] for n, f in zip(names, row, strict=True)) for row in facets)
    return rows.astype(np.float32), types


def nearest_by_hand(known, types, asked):
    """Cosine by cosine; the first of the highest."""
    answers = []
    for row in asked.astype(float):
        cosines = [
            row @ other / np.linalg.norm(row) / np.linalg.norm(other)
            for other in known.astype(float)
        ]
        answers.append(types[int(np.argmax(cosines))])
    return answers


def test_the_nearest_is_by_direction_not_by_distance():
    known = np.array([[10.0, 1.0], [0.5, 0.6]])
    types = word_array(["far", "near"])

    assert by_nearest(known, types, np.array([[1.0, 0.2]])).tolist() == ["far"]


def test_the_first_of_equally_near_ones_is_copied_whatever_its_length():
    rows = np.random.default_rng(0).normal(size=(1, 7))
    known = np.vstack([rows * scale for scale in (0.1, 3.0, 7.0)])

    found = by_nearest(known, word_array(["first", "second", "third"]), rows)

    assert found.tolist() == ["first"]


def test_the_nearest_agrees_with_a_loop(monkeypatch):
    rows, types = two_facets(80)
    wanted = nearest_by_hand(rows[:50], types[:50], rows[50:])

    whole = by_nearest(rows[:50], types[:50], rows[50:])
    sparse = by_nearest(csr_array(rows[:50]), types[:50], csr_array(rows[50:]))
    monkeypatch.setattr(type_classifiers, "_AT_ONCE", 120)  # two rows at once
    parts = by_nearest(rows[:50], types[:50], rows[50:])

    assert whole.tolist() == parts.tolist() == sparse.tolist() == wanted


def test_nobody_to_learn_from_is_undefined():
    with pytest.raises(Undefined, match="no entity to learn from"):
        by_nearest(np.empty((0, 2)), word_array([]), np.ones((1, 2)))


def test_the_network_is_scikit_learns():
    rows, types = two_facets(120)
    known, asked = rows[:80], rows[80:]
    coder = MultiLabelBinarizer()
    gold = coder.fit_transform([text.split("|") for text in types[:80]])
    model = MLPClassifier(
        (8,), learning_rate_init=0.01, early_stopping=True, n_iter_no_change=20, random_state=3
    )
    model.fit(2 * normalize(known.astype(float)), gold)  # the root of four dimensions
    likely = model.predict_proba(2 * normalize(asked.astype(float)))

    found = by_network(known, types[:80], asked, **SETTINGS)

    for text, row in zip(found, likely, strict=True):
        reached = [name for name, p in zip(coder.classes_, row, strict=True) if p >= 0.5]
        assert text.split("|") == (reached or [coder.classes_[np.argmax(row)]])


def test_the_network_tells_both_facets():
    rows, types = two_facets(400)

    found = by_network(rows[:300], types[:300], rows[300:], **SETTINGS)

    assert np.mean(found == types[300:]) > 0.9


def test_a_high_threshold_still_leaves_the_likeliest_type():
    rows, types = two_facets(60)

    found = by_network(rows[:50], types[:50], rows[50:], **{**SETTINGS, "threshold": 0.9999})

    assert {len(text.split("|")) for text in found} == {1}


def test_lengths_make_no_difference():
    rows, types = two_facets(60)
    longer = rows * np.random.default_rng(1).uniform(0.5, 50, (60, 1)).astype(np.float32)

    short, long = (
        by_network(each[:50], types[:50], each[50:], **SETTINGS) for each in (rows, longer)
    )

    assert short.tolist() == long.tolist()


def test_a_network_that_still_learns_at_the_limit_gives_no_answer():
    rows, types = two_facets(60)

    with pytest.raises(Undefined, match=r"still learning after 2 passes; set typing\.epochs"):
        by_network(rows, types, rows, **{**SETTINGS, "epochs": 2})


@pytest.mark.parametrize(
    ("types", "reason"),
    [
        (["a|b", "a", "b"], "only 3 entities to learn from, at least 4"),
        (["a"] * 6, "are of 1 type, 2 are needed"),
    ],
)
def test_too_little_to_learn_from_is_undefined(types, reason):
    rows = np.random.default_rng(0).normal(size=(len(types), 3))

    with pytest.raises(Undefined, match=reason):
        by_network(rows, word_array(types), rows, **SETTINGS)
