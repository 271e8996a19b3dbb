"""The two full-space probes, by hand."""

from itertools import product

import numpy as np
from numpy.random import default_rng

from lexiscope.pcfg.grammar import Target
from lexiscope.pcfg.reader import read
from lexiscope.probes.neighbour import Neighbour
from lexiscope.probes.triples import Triples
from tests.probes.corpora import GENDER, TYPES, grammar, vectors

# Adjectives are near nouns of their gender; masculine words are near each other, feminine less.
ROWS = [[1, 0.5, 0], [1, 0, 0.2], [-1, 0.5, 0], [0.9, 0, 0.2]]
ROWS += [[0, -1, 0], [0, 0, -1], [-9, 5, 0], [0, 0, 1]]


def near(probe, rows=ROWS, target=GENDER):
    return probe.predict(vectors(rows), grammar(target), "it", default_rng(0))


def test_a_neighbour_of_the_same_class_is_correct_and_one_of_no_class_is_wrong():
    predictions = near(Neighbour())

    assert predictions.items == ("xnf", "xaf", "xnm", "xam")
    # xnf is nearest to xnm or xam, xaf to the word f, which has no gender.
    assert predictions.predicted == ("no", "neither", "no", "no")
    assert predictions.gold == ("yes", "yes", "no", "no")


def test_neighbours_can_be_restricted_to_the_words_of_the_target():
    assert near(Neighbour(among="target")).predicted == ("no", "yes", "no", "no")


def test_items_can_be_restricted_to_held_out_words():
    assert near(Neighbour(words="held out")).items == ("xaf", "xam")


def test_ties_go_to_the_first_word_of_the_vocabulary():
    rows = [[1, 0]] * 8

    assert near(Neighbour(), rows).predicted == ("no", "yes", "yes", "yes")


def test_context_words_are_not_items():
    target = Target(("xnf", "xaf"), ("xnm", "xam", "n"), ("xaf",), ("n",))

    assert "n" not in near(Neighbour(), target=target).items


def triples(probe, rows, types=TYPES):
    return probe.predict(vectors(rows), grammar(GENDER, types), "it", default_rng(0))


# Columns: noun, adjective, feminine, masculine.
BY_FACET = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], *np.eye(4).tolist()]


def test_differences_of_gender_lead_to_the_word_of_the_other_gender():
    predictions = triples(Triples(), BY_FACET)

    # (noun or adjective first) x (feminine or masculine first), one word of each type.
    assert len(predictions.items) == 4
    assert "xnf - xnm + xam" in predictions.items
    assert predictions.gold[predictions.items.index("xnf - xnm + xam")] == "adjective-feminine"
    assert predictions.predicted == predictions.gold


def test_the_three_words_of_a_triple_are_never_predicted():
    rows = [*BY_FACET[:2], [5, 5, 0, -9], *BY_FACET[3:]]  # xaf is far from everything

    predictions = triples(Triples(), rows)

    assert (
        predictions.predicted[predictions.items.index("xnf - xnm + xam")] != "adjective-masculine"
    )


def test_the_facet_can_be_correct_where_the_type_is_wrong():
    # x_k is nearly its own noun, so that a word of the right gender but the wrong kind is found.
    types = {**TYPES, "noun-feminine": ("xnf", "f")}
    rows = [*BY_FACET[:2], [-1, -1, 0.1, 0], *BY_FACET[3:6], [0.9, 0.6, 1, 0], [0, 0, 0, -1]]
    by_type, by_facet = (
        triples(Triples(scoring=scoring), rows, types) for scoring in ("type", "facet")
    )
    index = by_type.items.index("xnf - xnm + xam")

    assert (by_type.predicted[index], by_type.gold[index]) == (
        "noun-feminine",
        "adjective-feminine",
    )
    assert by_facet.predicted[index] == by_facet.gold[index] == "feminine"


def test_triples_are_sampled_without_replacement():
    grammar_ = read("multifacetedness")
    rows = default_rng(0).normal(size=(len(grammar_.words), 3))
    embedding = vectors(rows, grammar_.words)

    def sampled(number, seed):
        found = Triples(number).predict(embedding, grammar_, "multifacetedness", default_rng(seed))
        return found.items

    assert len(set(sampled(100, 0))) == 100
    assert sampled(100, 0) == sampled(100, 0) != sampled(100, 1)
    every = sampled(10_000, 0)
    assert len(set(every)) == 4 * 5**3
    for i, (c, g) in product(range(5), product("na", "fm")):
        assert any(item.startswith(f"x{c}{g}{i} - ") for item in every)


def test_triples_apply_only_to_grammars_with_types_of_two_facets():
    assert Triples().applies_to(read("multifacetedness"), "multifacetedness")
    assert not Triples().applies_to(read("ambiguity"), "ambiguity")
