"""The two tests that look at the whole space, by hand."""

from itertools import product

import numpy as np
from numpy.random import default_rng

from lexiscope.core.grammar import Question
from lexiscope.data.grammars import read
from lexiscope.studies.neighbour import Neighbour
from lexiscope.studies.triples import Triples
from tests.studies.made import GENDER, TYPES, grammar, vectors

# Adjectives are near nouns of their gender; masculine words are near each other, feminine less.
ROWS = [[1, 0.5, 0], [1, 0, 0.2], [-1, 0.5, 0], [0.9, 0, 0.2]]
ROWS += [[0, -1, 0], [0, 0, -1], [-9, 5, 0], [0, 0, 1]]


def near(study, rows=ROWS, question=GENDER):
    return study.answer(vectors(rows), grammar(question), "it", default_rng(0))


def test_a_neighbour_of_the_same_kind_is_right_and_one_of_no_kind_is_wrong():
    replies = near(Neighbour())

    assert replies.items == ("xnf", "xaf", "xnm", "xam")
    # xnf is nearest to xnm or xam, xaf to the word f, which has no gender.
    assert replies.given == ("no", "neither", "no", "no")
    assert replies.gold == ("yes", "yes", "no", "no")


def test_neighbours_among_the_words_of_the_question_only():
    assert near(Neighbour(among="asked")).given == ("no", "yes", "no", "no")


def test_only_held_out_words_are_asked_on_demand():
    assert near(Neighbour(asks="held out")).items == ("xaf", "xam")


def test_of_equally_near_words_the_first_of_the_vocabulary_counts():
    rows = [[1, 0]] * 8

    assert near(Neighbour(), rows).given == ("no", "yes", "yes", "yes")


def test_contexts_are_not_asked():
    question = Question(("xnf", "xaf"), ("xnm", "xam", "n"), ("xaf",), ("n",))

    assert "n" not in near(Neighbour(), question=question).items


def triples(study, rows, types=TYPES):
    return study.answer(vectors(rows), grammar(GENDER, types), "it", default_rng(0))


# Columns: noun, adjective, feminine, masculine.
BY_FACET = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], *np.eye(4).tolist()]


def test_differences_of_gender_lead_to_the_word_of_the_other_gender():
    replies = triples(Triples(), BY_FACET)

    # (noun or adjective first) x (feminine or masculine first), one word of each type.
    assert len(replies.items) == 4
    assert "xnf - xnm + xam" in replies.items
    assert replies.gold[replies.items.index("xnf - xnm + xam")] == "adjective-feminine"
    assert replies.given == replies.gold


def test_the_three_words_of_a_triple_are_never_the_answer():
    rows = [*BY_FACET[:2], [5, 5, 0, -9], *BY_FACET[3:]]  # xaf is far from everything

    replies = triples(Triples(), rows)

    assert replies.given[replies.items.index("xnf - xnm + xam")] != "adjective-masculine"


def test_the_facet_alone_is_right_more_often_than_the_type():
    # x_k is nearly its own noun, so that a word of the right gender but the wrong kind is found.
    types = {**TYPES, "noun-feminine": ("xnf", "f")}
    rows = [*BY_FACET[:2], [-1, -1, 0.1, 0], *BY_FACET[3:6], [0.9, 0.6, 1, 0], [0, 0, 0, -1]]
    by_type, by_facet = (
        triples(Triples(scoring=scoring), rows, types) for scoring in ("type", "facet")
    )
    place = by_type.items.index("xnf - xnm + xam")

    assert (by_type.given[place], by_type.gold[place]) == ("noun-feminine", "adjective-feminine")
    assert by_facet.given[place] == by_facet.gold[place] == "feminine"


def test_so_many_triples_are_drawn_and_no_one_twice():
    made = read("multifacetedness")
    rows = default_rng(0).normal(size=(len(made.words), 3))
    embedding = vectors(rows, made.words)

    def drawn(number, seed):
        found = Triples(number).answer(embedding, made, "multifacetedness", default_rng(seed))
        return found.items

    assert len(set(drawn(100, 0))) == 100
    assert drawn(100, 0) == drawn(100, 0) != drawn(100, 1)
    every = drawn(10_000, 0)
    assert len(set(every)) == 4 * 5**3
    for i, (c, g) in product(range(5), product("na", "fm")):
        assert any(item.startswith(f"x{c}{g}{i} - ") for item in every)


def test_triples_suit_only_grammars_with_types_of_two_facets():
    assert Triples().suits(read("multifacetedness"), "multifacetedness")
    assert not Triples().suits(read("ambiguity"), "ambiguity")
