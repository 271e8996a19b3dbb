import numpy as np
import pytest

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.human.intrusion import are_variants, candidates, first_intruder

QUERY, NEAR = ("finally", 5200), [("eventually", 4800), ("immediately", 5000)]


def neighbourhood(*later, query=QUERY, near=NEAR, before_rank_100=97):
    """A query, its two nearest words, others with a similar count up to rank 99, then `later`."""
    between = [(f"between{k}", 5000) for k in range(before_rank_100)]
    words, counts = zip(query, *near, *between, *later, strict=True)
    return [0, 1, 2], np.arange(1, len(words)), words, np.array(counts)


def test_the_intruder_is_the_first_word_from_rank_100_on_with_a_similar_frequency():
    # The average is 5,000; rank 100 is the first of these.
    shown, neighbours, words, counts = neighbourhood(
        ("rare", 4499), ("common", 5501), ("put", 5500), ("give", 4500)
    )

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"
    found = candidates(shown, neighbours, words, counts)
    assert [words[index] for index in found] == ["put", "give"]


def test_words_before_rank_100_are_no_intruders():
    near = neighbourhood(("put", 5000), before_rank_100=97)
    nearer = neighbourhood(("put", 5000), ("late", 5000), before_rank_100=96)

    assert near[2][first_intruder(*near)] == "put"  # rank 100
    assert nearer[2][first_intruder(*nearer)] == "late"  # put is at rank 99


@pytest.mark.parametrize(
    "double", ["Finally", "FINALLY", "finallys", "Eventually", "immediatelyes", "fin-ally"]
)
def test_pitfall_30_a_variant_of_a_shown_word_is_no_intruder(double):
    shown, neighbours, words, counts = neighbourhood((double, 5000), ("put", 5000))

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"


def test_pitfall_30_a_singular_is_a_variant_of_a_shown_plural():
    shown, neighbours, words, counts = neighbourhood(
        ("Box", 100),
        ("cat", 100),
        ("put", 100),
        query=("boxes", 90),
        near=[("cats", 90), ("x", 90)],
    )

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"


def test_pitfall_30_shown_words_are_no_intruders():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    found = candidates(shown, np.append(neighbours[:99], [0, 1, 2, 100]), words, counts)

    assert [words[index] for index in found] == ["put"]


def test_pitfall_30_without_a_word_of_similar_frequency_the_item_is_undefined():
    shown, neighbours, words, counts = neighbourhood(("rare", 3), ("common", 10**6))

    with pytest.raises(
        Undefined, match="no neighbour of 'finally' from rank 100 on occurs 5,000 ± 500"
    ):
        first_intruder(shown, neighbours, words, counts)
    # A larger difference is possible, but never by default.
    assert len(candidates(shown, neighbours, words, counts, max_count_difference=5000)) == 1


def test_a_word_of_unknown_frequency_is_no_intruder():
    shown, neighbours, words, counts = neighbourhood(
        ("unknown", 0), ("put", 1), query=("rare", 1), near=[("x", 1), ("y", 1)]
    )

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"


def test_pitfall_55_without_frequencies_there_is_no_intruder():
    shown, neighbours, words, _ = neighbourhood(("put", 5000))

    with pytest.raises(BadUsage, match="need word frequencies of the training corpus"):
        first_intruder(shown, neighbours, words, None)


def test_pitfall_55_descending_ranks_are_no_frequencies():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    with pytest.raises(BadUsage, match="they are no frequencies"):
        first_intruder(shown, neighbours, words, np.arange(len(counts), 0, -1))


def test_a_padded_neighbour_list_is_accepted():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    found = candidates(shown, np.append(neighbours, [-1, -1]), words, counts)

    assert [words[index] for index in found] == ["put"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("cat", "Cats", True),
        ("boxes", "box", True),
        ("e-mail", "email", True),
        ("STRASSE", "Straße", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("cat", "cast", False),
        ("1990", "1991", False),
        ("!", "?", False),
        ("put", "putter", False),
    ],
)
def test_variants_of_words(one, other, same):
    assert are_variants(one, other) is same
    assert are_variants(other, one) is same
