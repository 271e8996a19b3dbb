import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.core.texts import Phrases
from lexiscope.stats.folds import dealt
from lexiscope.tasks.metaphor import Metaphor
from tests.making import phrases, seeded


@pytest.fixture
def items():
    return Phrases.example()


def directly(table, labels, folds, trees, rng):
    fold = dealt(labels, folds, rng)
    seed = int(rng.integers(1 << 31))
    given = np.empty(len(labels), object)
    for number in range(folds):
        here = fold == number
        forest = RandomForestClassifier(trees, random_state=seed)
        given[here] = forest.fit(table[~here], labels[~here].astype(str)).predict(table[here])
    return given.tolist()


def test_the_answers_are_those_of_a_random_forest_on_both_vectors(items):
    vectors = seeded("seeded", sorted(items.all_words), 2, dimension=4)

    found = Metaphor(folds=4, trees=7).answer(vectors, items, np.random.default_rng(3))

    table = np.array(
        [[*vectors[a], *vectors[n]] for a, n in zip(items.adjective, items.noun, strict=True)]
    )
    assert found.given.tolist() == directly(table, items.label, 4, 7, np.random.default_rng(3))


def test_without_vectors_it_is_known_which_words_stood_in_metaphors(items):
    found = Metaphor(folds=4, trees=7).without_vectors(items, np.random.default_rng(3))

    columns = [
        [word == each for word in column] for column in items.words for each in sorted(set(column))
    ]
    table = np.array(columns, float).T
    assert found.given.tolist() == directly(table, items.label, 4, 7, np.random.default_rng(3))


def test_phrases_with_an_unknown_word_are_left_out_and_controls_meet_the_same_ones():
    rows = [(f"a{k % 4}", f"n{k}", "literal" if k % 2 else "metaphor") for k in range(30)]
    known = [*(f"a{k}" for k in range(4)), *(f"n{k}" for k in range(25))]

    results = lexiscope.run(seeded("e", known), "metaphor", [phrases(*rows)])

    (score,) = results.main()
    assert (score.used, score.total) == (25, 30)
    assert [c.items for c in results.against_controls] == [25, 25]
    assert all(c.p is not None for c in results.against_controls)


@pytest.mark.parametrize("setting", [{"folds": 1}, {"trees": 0}])
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(BadUsage, match=f"metaphor.{next(iter(setting))}"):
        Metaphor(**setting)
