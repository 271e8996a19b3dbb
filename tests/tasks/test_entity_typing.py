import numpy as np
import pytest

import lexiscope
from lexiscope.core.datasets.entities import EntityTypes
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.policy import Policy
from lexiscope.learners.splits import hashed_folds
from lexiscope.metrics.multilabel import item_f1
from lexiscope.tasks.entity_typing import EntityTyping
from tests.builders import entities, seeded, synthetic_words

WORDS = synthetic_words(150)
KINDS = [("city|place", "place|river", "person")[k % 3] for k in range(150)]
ITEMS = entities(*zip(WORDS, KINDS, strict=True))
# Three directions with some noise.
INFORMATIVE = embedding(
    "informative",
    WORDS,
    np.tile(np.eye(3), (50, 1)) + np.random.default_rng(0).normal(size=(150, 3)) * 0.1,
)


def predictions_of(vectors, items, seed=0, **settings):
    return EntityTyping(**settings).predict(vectors, items, np.random.default_rng(seed))


def folds_of(words, seed=0, folds=5):
    """The folds of the task; the salt is its first random number."""
    salt = int(np.random.default_rng(seed).integers(1 << 31, size=1 + folds)[0])
    return hashed_folds(words, folds, salt)


@pytest.mark.parametrize("classifier", ["mlp", "nearest"])
def test_types_with_distinct_directions_are_predicted(classifier):
    predictions = predictions_of(INFORMATIVE, ITEMS, classifier=classifier, hidden=20)

    assert item_f1(predictions.predicted, predictions.gold) > 0.95


def test_the_nearest_entity_of_another_fold_is_copied():
    vectors = seeded("seeded", WORDS, 1)
    fold, rows = folds_of(WORDS), vectors.vectors.astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    predicted = predictions_of(vectors, ITEMS, classifier="nearest").predicted

    for item in range(150):
        others = np.flatnonzero(fold != fold[item])
        assert predicted[item] == KINDS[others[np.argmax(rows[others] @ rows[item])]]


def test_several_neighbours_can_vote():
    train = entities(("a", "x"), ("b", "y"), ("c", "y"))
    items = entities(("d", "y"), train=train)
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [1.0, -0.1]])
    vectors = embedding("e", ["a", "b", "c", "d"], rows)

    predicted = [
        predictions_of(vectors, items, classifier="nearest", neighbours=k).predicted.tolist()
        for k in (1, 3)
    ]

    assert predicted == [["x"], ["y"]]


@pytest.mark.parametrize("classifier", ["mlp", "nearest"])
def test_no_prediction_depends_on_the_types_of_its_own_item(classifier):
    fold = folds_of(WORDS)
    kinds = [("person" if fold[k] == 2 else KINDS[k]) for k in range(150)]
    changed = entities(*zip(WORDS, kinds, strict=True))

    ours, theirs = (
        predictions_of(INFORMATIVE, items, classifier=classifier, hidden=20).predicted
        for items in (ITEMS, changed)
    )

    assert ours[fold == 2].tolist() == theirs[fold == 2].tolist()


def test_types_without_another_entity_are_never_predicted():
    lonely = entities(*zip(WORDS, ["hapax", *KINDS[1:]], strict=True))

    for classifier in ("mlp", "nearest"):
        predicted = predictions_of(INFORMATIVE, lonely, classifier=classifier, hidden=20).predicted
        assert predicted[0] == "city|place"


def test_folds_do_not_depend_on_which_words_are_covered():
    whole, part = (folds_of(words) for words in (WORDS, WORDS[10:]))

    assert part.tolist() == whole[10:].tolist()


def test_the_training_set_of_a_dataset_is_used():
    train = entities(("a", "left|x"), ("b", "right"), ("unknown", "never"))
    items = entities(("c", "right"), ("d", "up"), train=train)
    rows = [[1.0, 0.0], [0.0, 1.0], [0.9, 0.2], [0.1, 2.0]]
    vectors = embedding("e", ["a", "b", "c", "d"], np.array(rows))

    predictions = predictions_of(vectors, items, classifier="nearest")

    assert predictions.predicted.tolist() == ["left|x", "right"]
    assert predictions.gold.tolist() == ["right", "up"]


def test_the_network_uses_the_training_set_of_a_dataset():
    items = entities(*zip(WORDS[120:], KINDS[120:], strict=True),
                     train=entities(*zip(WORDS[:120], KINDS[:120], strict=True)))  # fmt: skip

    predictions = predictions_of(INFORMATIVE, items, hidden=20)

    assert item_f1(predictions.predicted, predictions.gold) > 0.95


def test_without_vectors_the_most_frequent_types_are_predicted():
    train = entities(("a", "city|place"), ("b", "city|place"), ("c", "place"), ("d", "poet"))
    items = entities(("e", "poet"), ("f", "city"), train=train)

    predictions = EntityTyping().without_vectors(items, np.random.default_rng(0))

    assert predictions.predicted.tolist() == ["city|place"] * 2
    assert predictions.gold.tolist() == ["poet", "city"]


def test_without_vectors_test_items_are_not_used_for_training():
    fold, kinds = folds_of(WORDS), np.array(KINDS)
    kinds[fold == 2] = "hapax"

    predicted = (
        EntityTyping()
        .without_vectors(entities(*zip(WORDS, kinds, strict=True)), np.random.default_rng(0))
        .predicted
    )

    assert not any("hapax" in types for types in predicted[fold == 2])


def test_training_entities_without_a_vector_are_ignored():
    items = entities(("c", "x"), train=entities(("a", "x")))

    with pytest.raises(Undefined, match="the training set has no entity"):
        predictions_of(embedding("e", ["c"], np.ones((1, 2))), items, classifier="nearest")


def test_embeddings_are_compared_on_entities_that_both_cover():
    fewer = embedding("fewer", WORDS[20:], INFORMATIVE.vectors[20:])

    results = lexiscope.run(
        [INFORMATIVE, fewer],
        "entity_typing",
        [ITEMS],
        settings={"entity_typing.classifier": "nearest"},
    )

    (comparison,) = results.comparisons
    assert comparison.items == 130
    assert comparison.difference == 0  # the same vectors, the same folds, the same training sets
    assert [r.used for r in results.main()] == [150, 130]


def test_a_run_has_scores_of_head_and_tail_and_references():
    rows = zip(WORDS, KINDS, [200.0] * 50 + [20.0] * 50 + [2.0] * 50, strict=True)

    results = lexiscope.run(
        INFORMATIVE,
        "entity_typing",
        [entities(*rows)],
        settings={"entity_typing.classifier": "nearest"},
    )

    used = {r.slice: r.used for r in results if r.main}
    assert used == {"all": 150, "head": 50, "tail": 50}
    references = {r.metric: r for r in results if r.slice == "all" and "reference" in r.state}
    assert set(references) == {"item_f1_chance_level", "item_f1_constant"}
    assert all(r.value < 0.6 for r in references.values())


def test_an_unknown_entity_has_an_empty_prediction_under_the_zero_policy():
    items = entities(*zip([*WORDS, "nobody"], [*KINDS, "city"], strict=True))

    results = lexiscope.run(
        INFORMATIVE, "entity_typing", [items], settings={"entity_typing.classifier": "nearest"},
        policy=Policy(oov="zero"),
    )  # fmt: skip

    skipped = predictions_of(INFORMATIVE, ITEMS, classifier="nearest")
    assert results.main()[0].used == 151
    assert results.main()[0].value < item_f1(skipped.predicted, skipped.gold)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden": 0}, r"entity_typing\.hidden must be 1 or more, found 0"),
        ({"epochs": 0}, r"entity_typing\.epochs must be 1 or more, found 0"),
        ({"neighbours": 0}, r"entity_typing\.neighbours must be 1 or more, found 0"),
        ({"folds": 1}, r"entity_typing\.folds must be 2 or more, found 1"),
        ({"threshold": 1.0}, r"entity_typing\.threshold must be between 0 and 1, found 1\.0"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, message):
    with pytest.raises(BadUsage, match=message):
        EntityTyping(**settings)


def test_one_entity_leaves_an_empty_training_set():
    one = entities(("w0", "a|b"))

    with pytest.raises(Undefined, match="the training set has no entity"):
        predictions_of(INFORMATIVE, one, classifier="nearest")
    with pytest.raises(Undefined, match="the training set has only 0 entities"):
        predictions_of(INFORMATIVE, one)


def test_the_example_works_with_both_classifiers():
    items = EntityTypes.example()
    vectors = seeded("seeded", items.word.tolist(), 3)

    for classifier in ("mlp", "nearest"):
        predicted = predictions_of(vectors, items, classifier=classifier).predicted
        assert all(isinstance(text, str) and text for text in predicted)
