from collections import Counter

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import MultiLabelBinarizer, normalize

from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.entities import join_types
from lexiscope.core.errors import Undefined
from lexiscope.learners import entity_classifiers
from lexiscope.learners.entity_classifiers import mlp_types, nearest_neighbour_types
from lexiscope.metrics.multilabel import best_constant, item_f1

SETTINGS = {"hidden": 8, "threshold": 0.5, "epochs": 200, "seed": 3}


def two_facets(items, seed=0):
    """Vectors with two facets in four dimensions, and types that depend on both."""
    rng = np.random.default_rng(seed)
    facets = rng.integers(0, 2, (items, 2))
    rows = np.repeat(2.0 * facets - 1, 2, axis=1) + rng.normal(size=(items, 4)) * 0.3
    names = (("cold", "warm"), ("dry", "wet"))
    types = word_array(join_types(n[f] for n, f in zip(names, row, strict=True)) for row in facets)
    return rows.astype(np.float32), types


def nearest_by_hand(train, types, test):
    """One cosine at a time; the first of the highest."""
    predicted = []
    for row in test.astype(float):
        cosines = [
            row @ other / np.linalg.norm(row) / np.linalg.norm(other)
            for other in train.astype(float)
        ]
        predicted.append(types[int(np.argmax(cosines))])
    return predicted


def test_the_nearest_is_by_direction_not_by_distance():
    train = np.array([[10.0, 1.0], [0.5, 0.6]])
    types = word_array(["far", "near"])

    assert nearest_neighbour_types(train, types, np.array([[1.0, 0.2]])).tolist() == ["far"]


def test_of_ties_the_first_is_copied_whatever_its_length():
    rows = np.random.default_rng(0).normal(size=(1, 7))
    train = np.vstack([rows * scale for scale in (0.1, 3.0, 7.0)])

    found = nearest_neighbour_types(train, word_array(["first", "second", "third"]), rows)

    assert found.tolist() == ["first"]


def test_the_nearest_agrees_with_a_loop(monkeypatch):
    rows, types = two_facets(80)
    wanted = nearest_by_hand(rows[:50], types[:50], rows[50:])

    whole = nearest_neighbour_types(rows[:50], types[:50], rows[50:])
    sparse = nearest_neighbour_types(csr_array(rows[:50]), types[:50], csr_array(rows[50:]))
    monkeypatch.setattr(entity_classifiers, "_BATCH", 120)  # two rows per batch
    parts = nearest_neighbour_types(rows[:50], types[:50], rows[50:])

    assert whole.tolist() == parts.tolist() == sparse.tolist() == wanted


def test_an_empty_training_set_is_undefined():
    with pytest.raises(Undefined, match="the training set has no entity"):
        nearest_neighbour_types(np.empty((0, 2)), word_array([]), np.ones((1, 2)))


def test_a_type_needs_at_least_half_of_the_neighbours():
    train = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [0.0, 1.0]])
    types = word_array(["a|b", "b|c", "c|d", "e"])
    test = np.array([[1.0, 0.01]])  # the first three are the nearest, in their order

    found = {
        k: nearest_neighbour_types(train, types, test, neighbours=k).tolist() for k in (1, 2, 3, 4)
    }

    assert found == {1: ["a|b"], 2: ["a|b|c"], 3: ["b|c"], 4: ["b|c"]}


def test_without_a_majority_the_types_of_the_nearest_neighbour_are_predicted():
    train, types = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2]]), word_array(["a|b", "c", "d"])

    found = nearest_neighbour_types(train, types, np.array([[1.0, -0.1]]), neighbours=3)

    assert found.tolist() == ["a|b"]


def test_neighbours_agree_with_a_loop(monkeypatch):
    rows, types = two_facets(80)
    monkeypatch.setattr(entity_classifiers, "_BATCH", 120)  # two rows per batch

    found = nearest_neighbour_types(rows[:50], types[:50], rows[50:], neighbours=5)

    cosines = normalize(rows[50:].astype(float)) @ normalize(rows[:50].astype(float)).T
    for text, row in zip(found, cosines, strict=True):
        voters = [types[index].split("|") for index in np.argsort(-row)[:5]]
        votes = Counter(name for names in voters for name in names)
        wanted = {name for name, count in votes.items() if count >= 2.5}
        assert set(text.split("|")) == (wanted or set(voters[0]))


def test_more_neighbours_than_training_entities_are_undefined():
    with pytest.raises(Undefined, match="has only 2 entities, fewer than the 3 neighbours"):
        nearest_neighbour_types(np.eye(2), word_array(["a", "b"]), np.eye(2), neighbours=3)


def test_the_network_is_scikit_learns_with_the_lowest_validation_loss():
    rows, types = two_facets(120)
    train, test = (2 * normalize(part.astype(float)) for part in (rows[:80], rows[80:]))
    coder = MultiLabelBinarizer()  # vectors are scaled by the square root of four dimensions
    gold = coder.fit_transform([text.split("|") for text in types[:80]])
    own, held_out, own_gold, held_out_gold = train_test_split(
        train, gold, test_size=8, random_state=3
    )
    model = MLPClassifier((8,), learning_rate_init=0.01, random_state=np.random.RandomState(3))
    losses, predicted = [], []
    for _ in range(200):
        model.partial_fit(own, own_gold, classes=range(4))
        losses.append(4 * log_loss(held_out_gold.ravel(), model.predict_proba(held_out).ravel()))
        predicted.append(model.predict_proba(test))

    found = mlp_types(rows[:80], types[:80], rows[80:], **SETTINGS)

    lowest = np.minimum.accumulate(losses)
    improved = np.append(True, losses[1:] < lowest[:-1] - 0.001)
    stopped = next(k for k in range(200) if not improved[max(0, k - 19) : k + 1].any())
    for text, row in zip(found, predicted[int(np.argmin(losses[: stopped + 1]))], strict=True):
        reached = [name for name, p in zip(coder.classes_, row, strict=True) if p >= 0.5]
        assert text.split("|") == (reached or [coder.classes_[np.argmax(row)]])


def test_rare_exact_matches_do_not_stop_the_training():
    """Thirty facets: hardly any validation entity ever has all of them right."""
    rng = np.random.default_rng(0)
    facets = rng.integers(0, 2, (150, 30))
    types = word_array(join_types(f"{'ab'[f]}{k}" for k, f in enumerate(row)) for row in facets)
    rows = (2.0 * facets - 1 + rng.normal(size=facets.shape) * 0.5).astype(np.float32)

    found = mlp_types(rows[:100], types[:100], rows[100:], **{**SETTINGS, "hidden": 300})

    constant = np.full(50, best_constant(types[:100]).types, object)
    assert item_f1(constant, types[100:]) < 0.67
    assert item_f1(found, types[100:]) > 0.85


def test_types_of_a_single_entity_do_not_stop_the_training():
    """Every entity has a type of its own, so no validation entity is ever right."""
    rows, types = two_facets(160)
    own = word_array(join_types([*t.split("|"), f"own{k}"]) for k, t in enumerate(types[:120]))

    found = mlp_types(rows[:120], own, rows[120:], **{**SETTINGS, "hidden": 300})

    assert np.mean(found == types[120:]) > 0.9


def test_the_network_learns_both_facets():
    rows, types = two_facets(400)

    found = mlp_types(rows[:300], types[:300], rows[300:], **SETTINGS)

    assert np.mean(found == types[300:]) > 0.9


def test_with_a_high_threshold_the_most_probable_type_is_predicted():
    rows, types = two_facets(60)

    found = mlp_types(rows[:50], types[:50], rows[50:], **{**SETTINGS, "threshold": 0.9999})

    assert {len(text.split("|")) for text in found} == {1}


def test_the_lengths_of_vectors_do_not_matter():
    rows, types = two_facets(60)
    longer = rows * np.random.default_rng(1).uniform(0.5, 50, (60, 1)).astype(np.float32)

    short, long = (
        mlp_types(each[:50], types[:50], each[50:], **SETTINGS) for each in (rows, longer)
    )

    assert short.tolist() == long.tolist()


def test_a_network_that_does_not_converge_is_undefined():
    rows, types = two_facets(60)

    with pytest.raises(Undefined, match=r"did not converge in 2 epochs; set entity_typing\.epochs"):
        mlp_types(rows, types, rows, **{**SETTINGS, "epochs": 2})


@pytest.mark.parametrize(
    ("types", "reason"),
    [
        (["a|b", "a", "b"], "only 3 entities, at least 4"),
        (["a"] * 6, "are of 1 type, 2 are needed"),
    ],
)
def test_a_training_set_that_is_too_small_is_undefined(types, reason):
    rows = np.random.default_rng(0).normal(size=(len(types), 3))

    with pytest.raises(Undefined, match=reason):
        mlp_types(rows, word_array(types), rows, **SETTINGS)
