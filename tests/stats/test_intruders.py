import numpy as np
import pytest
from scipy.stats import chisquare

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.intruders import alike, candidates, drawn_intruder, first_intruder, item

QUERY, NEAR = ("finally", 5200), [("eventually", 4800), ("immediately", 5000)]


def neighbourhood(*later, query=QUERY, near=NEAR, before_rank_100=97):
    """A query, its two nearest words, others of the right count up to rank 99, then `later`."""
    between = [(f"between{k}", 5000) for k in range(before_rank_100)]
    words, counts = zip(query, *near, *between, *later, strict=True)
    return [0, 1, 2], np.arange(1, len(words)), words, np.array(counts)


def test_the_intruder_is_the_first_word_from_rank_100_on_with_about_the_average_count():
    # The average is 5,000; rank 100 is the first of these.
    shown, neighbours, words, counts = neighbourhood(
        ("rare", 4499), ("common", 5501), ("put", 5500), ("give", 4500)
    )

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"
    found = candidates(shown, neighbours, words, counts)
    assert [words[place] for place in found] == ["put", "give"]


def test_nearer_words_do_not_intrude():
    near = neighbourhood(("put", 5000), before_rank_100=97)
    nearer = neighbourhood(("put", 5000), ("late", 5000), before_rank_100=96)

    assert near[2][first_intruder(*near)] == "put"  # rank 100
    assert nearer[2][first_intruder(*nearer)] == "late"  # put is at rank 99


@pytest.mark.parametrize(
    "double", ["Finally", "FINALLY", "finallys", "Eventually", "immediatelyes", "fin-ally"]
)
def test_pitfall_30_a_near_duplicate_of_a_shown_word_is_no_intruder(double):
    shown, neighbours, words, counts = neighbourhood((double, 5000), ("put", 5000))

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"


def test_pitfall_30_a_singular_is_a_near_duplicate_of_a_shown_plural():
    shown, neighbours, words, counts = neighbourhood(
        ("Box", 100),
        ("cat", 100),
        ("put", 100),
        query=("boxes", 90),
        near=[("cats", 90), ("x", 90)],
    )

    assert words[first_intruder(shown, neighbours, words, counts)] == "put"


def test_pitfall_30_the_query_and_shown_words_never_intrude():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    found = candidates(shown, np.append(neighbours[:99], [0, 1, 2, 100]), words, counts)

    assert [words[place] for place in found] == ["put"]


def test_pitfall_30_without_a_word_in_the_band_there_is_no_item():
    shown, neighbours, words, counts = neighbourhood(("rare", 3), ("common", 10**6))

    with pytest.raises(
        Undefined, match="no neighbour of 'finally' from rank 100 on occurs 5,000 ± 500"
    ):
        first_intruder(shown, neighbours, words, counts)
    # A wider band is asked for, never taken.
    assert len(candidates(shown, neighbours, words, counts, band=5000)) == 1


def test_pitfall_30_the_intruder_stands_anywhere_and_a_seed_repeats_it():
    words = ("finally", "eventually", "immediately", "put")
    rng = np.random.default_rng(0)
    seen = [item([0, 1, 2], 3, words, rng) for _ in range(2000)]

    assert all(one.words[one.intruder] == "put" for one in seen)
    assert all(sorted(one.words) == sorted(words) for one in seen)
    places = np.bincount([one.intruder for one in seen], minlength=4)
    assert chisquare(places).pvalue > 0.001
    one, again = (item([0, 1, 2], 3, words, np.random.default_rng(7)) for _ in range(2))
    assert one == again


def test_a_drawn_intruder_is_any_candidate_and_a_seed_repeats_it():
    hood = neighbourhood(("put", 5000), ("give", 5100), ("rare", 1))

    drawn = [drawn_intruder(*hood, np.random.default_rng(seed)) for seed in range(40)]

    assert {hood[2][place] for place in drawn} == {"put", "give"}
    assert drawn == [drawn_intruder(*hood, np.random.default_rng(seed)) for seed in range(40)]


def test_pitfall_55_without_counts_there_is_no_intruder():
    shown, neighbours, words, _ = neighbourhood(("put", 5000))

    with pytest.raises(BadUsage, match="need counts of the training text"):
        first_intruder(shown, neighbours, words, None)


def test_pitfall_55_counts_that_number_the_words_downwards_are_made_up():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    with pytest.raises(BadUsage, match="they are made up"):
        first_intruder(shown, neighbours, words, np.arange(len(counts), 0, -1))


def test_a_short_neighbour_list_may_be_filled_up():
    shown, neighbours, words, counts = neighbourhood(("put", 5000))

    found = candidates(shown, np.append(neighbours, [-1, -1]), words, counts)

    assert [words[place] for place in found] == ["put"]


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
def test_words_in_other_letters(one, other, same):
    assert alike(one, other) is same
    assert alike(other, one) is same
