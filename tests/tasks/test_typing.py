import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.entities import EntityTypes
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.policy import Policy
from lexiscope.stats.folds import fold_of
from lexiscope.stats.type_sets import item_f1
from lexiscope.tasks.typing import Typing
from tests.making import entities, seeded, synthetic_words

WORDS = synthetic_words(150)
KINDS = [("city|place", "place|river", "person")[k % 3] for k in range(150)]
ITEMS = entities(*zip(WORDS, KINDS, strict=True))
# Three directions, each word somewhat off its own.
TELLING = embedding(
    "telling",
    WORDS,
    np.tile(np.eye(3), (50, 1)) + np.random.default_rng(0).normal(size=(150, 3)) * 0.1,
)


def answered(vectors, items, seed=0, **settings):
    return Typing(**settings).answer(vectors, items, np.random.default_rng(seed))


def folds_of(words, seed=0, folds=5):
    """As the task draws them: the salt comes first."""
    salt = int(np.random.default_rng(seed).integers(1 << 31, size=1 + folds)[0])
    return fold_of(words, folds, salt)


@pytest.mark.parametrize("classifier", ["mlp", "nearest"])
def test_types_that_directions_tell_are_found(classifier):
    answers = answered(TELLING, ITEMS, classifier=classifier, hidden=20)

    assert item_f1(answers.given, answers.gold) > 0.95


def test_the_nearest_entity_of_another_fold_is_copied():
    vectors = seeded("seeded", WORDS, 1)
    fold, rows = folds_of(WORDS), vectors.vectors.astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    given = answered(vectors, ITEMS, classifier="nearest").given

    for item in range(150):
        others = np.flatnonzero(fold != fold[item])
        assert given[item] == KINDS[others[np.argmax(rows[others] @ rows[item])]]


@pytest.mark.parametrize("classifier", ["mlp", "nearest"])
def test_no_answer_depends_on_the_items_own_types(classifier):
    fold = folds_of(WORDS)
    kinds = [("person" if fold[k] == 2 else KINDS[k]) for k in range(150)]
    changed = entities(*zip(WORDS, kinds, strict=True))

    ours, theirs = (
        answered(TELLING, items, classifier=classifier, hidden=20).given
        for items in (ITEMS, changed)
    )

    assert ours[fold == 2].tolist() == theirs[fold == 2].tolist()


def test_types_that_nobody_else_has_are_never_given():
    lonely = entities(*zip(WORDS, ["hapax", *KINDS[1:]], strict=True))

    for classifier in ("mlp", "nearest"):
        given = answered(TELLING, lonely, classifier=classifier, hidden=20).given
        assert given[0] == "city|place"


def test_a_word_that_lacks_in_an_embedding_moves_no_other_to_another_fold():
    whole, part = (folds_of(words) for words in (WORDS, WORDS[10:]))

    assert part.tolist() == whole[10:].tolist()


def test_lessons_of_its_own_are_all_that_a_set_teaches():
    lessons = entities(("a", "left|x"), ("b", "right"), ("unknown", "never"))
    items = entities(("c", "right"), ("d", "up"), train=lessons)
    rows = [[1.0, 0.0], [0.0, 1.0], [0.9, 0.2], [0.1, 2.0]]
    vectors = embedding("e", ["a", "b", "c", "d"], np.array(rows))

    answers = answered(vectors, items, classifier="nearest")

    assert answers.given.tolist() == ["left|x", "right"]
    assert answers.gold.tolist() == ["right", "up"]


def test_the_network_learns_from_lessons_too():
    items = entities(*zip(WORDS[120:], KINDS[120:], strict=True),
                     train=entities(*zip(WORDS[:120], KINDS[:120], strict=True)))  # fmt: skip

    answers = answered(TELLING, items, hidden=20)

    assert item_f1(answers.given, answers.gold) > 0.95


def test_without_vectors_the_lessons_commonest_types_are_all_there_is_to_say():
    lessons = entities(("a", "city|place"), ("b", "city|place"), ("c", "place"), ("d", "poet"))
    items = entities(("e", "poet"), ("f", "city"), train=lessons)

    answers = Typing().without_vectors(items, np.random.default_rng(0))

    assert answers.given.tolist() == ["city|place"] * 2
    assert answers.gold.tolist() == ["poet", "city"]


def test_without_vectors_nobody_learns_from_the_items_asked():
    fold, kinds = folds_of(WORDS), np.array(KINDS)
    kinds[fold == 2] = "hapax"

    given = (
        Typing()
        .without_vectors(entities(*zip(WORDS, kinds, strict=True)), np.random.default_rng(0))
        .given
    )

    assert not any("hapax" in types for types in given[fold == 2])


def test_known_lessons_only_can_teach():
    items = entities(("c", "x"), train=entities(("a", "x")))

    with pytest.raises(Undefined, match="no entity to learn from"):
        answered(embedding("e", ["c"], np.ones((1, 2))), items, classifier="nearest")


def test_embeddings_are_compared_on_what_both_know_and_learnt_from_it():
    fewer = embedding("fewer", WORDS[20:], TELLING.vectors[20:])

    results = lexiscope.run(
        [TELLING, fewer], "typing", [ITEMS], settings={"typing.classifier": "nearest"}
    )

    (comparison,) = results.comparisons
    assert comparison.items == 130
    assert comparison.difference == 0  # the same vectors, the same folds, the same lessons
    assert [r.used for r in results.main()] == [150, 130]


def test_a_run_scores_head_and_tail_and_says_what_chance_gives():
    rows = zip(WORDS, KINDS, [200.0] * 50 + [20.0] * 50 + [2.0] * 50, strict=True)

    results = lexiscope.run(
        TELLING, "typing", [entities(*rows)], settings={"typing.classifier": "nearest"}
    )

    used = {r.slice: r.used for r in results if r.main}
    assert used == {"all": 150, "head": 50, "tail": 50}
    references = {r.measure: r for r in results if r.slice == "all" and r.low is None}
    assert set(references) == {"item_f1_by_chance", "item_f1_of_one_answer"}
    assert all(r.value < 0.6 for r in references.values())


def test_an_unknown_entity_counts_as_nothing_said_where_so_wished():
    items = entities(*zip([*WORDS, "nobody"], [*KINDS, "city"], strict=True))

    results = lexiscope.run(
        TELLING, "typing", [items], settings={"typing.classifier": "nearest"},
        policy=Policy(unknown="zero"),
    )  # fmt: skip

    skipped = answered(TELLING, ITEMS, classifier="nearest")
    assert results.main()[0].used == 151
    assert results.main()[0].value < item_f1(skipped.given, skipped.gold)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"hidden": 0}, r"typing\.hidden must be 1 or more, found 0"),
        ({"epochs": 0}, r"typing\.epochs must be 1 or more, found 0"),
        ({"folds": 1}, r"typing\.folds must be 2 or more, found 1"),
        ({"threshold": 1.0}, r"typing\.threshold must lie between 0 and 1, found 1\.0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, sentence):
    with pytest.raises(BadUsage, match=sentence):
        Typing(**settings)


def test_all_entities_in_one_fold_leave_nobody_to_learn_from():
    one = entities(("w0", "a|b"))

    with pytest.raises(Undefined, match="no entity to learn from"):
        answered(TELLING, one, classifier="nearest")
    with pytest.raises(Undefined, match="only 0 entities to learn from"):
        answered(TELLING, one)


def test_the_example_can_be_asked_both_ways():
    items = EntityTypes.example()
    vectors = seeded("seeded", items.word.tolist(), 3)

    for classifier in ("mlp", "nearest"):
        given = answered(vectors, items, classifier=classifier).given
        assert all(isinstance(text, str) and text for text in given)
