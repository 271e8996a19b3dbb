import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import BadUsage
from lexiscope.core.policy import Policy


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"vocabulary": "mine"}, "The vocabulary is 'own' or 'shared', found 'mine'"),
        ({"case": "upper"}, "The case is 'exact' or 'fold', found 'upper'"),
        ({"limit": 0}, "must be 1 or more, found 0"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(settings, sentence):
    with pytest.raises(BadUsage, match=sentence):
        Policy(**settings)


def test_folding_knows_more_than_lower_case():
    assert Policy(case="fold").spelling("STRASSE") == Policy(case="fold").spelling("Straße")
    assert Policy(case="fold").spelling("ΌΣΟΣ") == Policy(case="fold").spelling("όσος")
    assert Policy(case="exact").spelling("Straße") == "Straße"


def test_a_policy_says_what_it_is():
    assert str(Policy()) == "own vocabulary, case fold"
    assert str(Policy("shared", "exact", 30_000)) == (
        "shared vocabulary, case exact, first 30,000 words"
    )
    assert str(Policy(unknown="mean")) == "own vocabulary, case fold, unknown words mean"
    assert Policy(limit=5).as_dict() == {
        "vocabulary": "own",
        "case": "fold",
        "limit": 5,
        "unknown": "skip",
        "digits": "keep",
    }


@given(st.lists(st.text(max_size=6), max_size=8), st.sampled_from(("fold", "exact")),
       st.sampled_from(("keep", "zero")))  # fmt: skip
def test_words_spelt_all_at_once_are_spelt_as_one_by_one(words, case, digits):
    policy = Policy(case=case, digits=digits)

    assert policy.spellings(words) == [policy.spelling(word) for word in words]


def test_digits_become_zeros_where_so_wished():
    assert Policy(digits="zero").spelling("Route66") == "route00"
    assert Policy().spelling("Route66") == "route66"


@pytest.mark.parametrize("choice", [{"unknown": "guess"}, {"digits": "drop"}])
def test_a_choice_that_is_not_known_is_refused(choice):
    with pytest.raises(BadUsage, match="found"):
        Policy(**choice)
