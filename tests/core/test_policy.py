import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import BadUsage
from lexiscope.core.policy import Policy


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"vocabulary": "mine"},
            "No value of policy.vocabulary named 'mine'. Available: own, shared.",
        ),
        ({"case": "upper"}, "No value of policy.case named 'upper'. Available: exact, fold."),
        ({"oov": "guess"}, "No value of policy.oov named 'guess'. Available: mean, skip, zero."),
        ({"digits": "drop"}, "No value of policy.digits named 'drop'. Available: keep, zero."),
        ({"limit": 0}, "policy.limit must be 1 or more, found 0."),
    ],
)
def test_an_invalid_policy_is_refused(settings, sentence):
    with pytest.raises(BadUsage, match=re.escape(sentence)):
        Policy(**settings)


def test_case_folding_does_more_than_lower_case():
    assert Policy(case="fold").normalise("STRASSE") == Policy(case="fold").normalise("Straße")
    assert Policy(case="fold").normalise("ΌΣΟΣ") == Policy(case="fold").normalise("όσος")
    assert Policy(case="exact").normalise("Straße") == "Straße"


def test_a_policy_describes_itself():
    assert str(Policy()) == "own vocabulary, case fold"
    assert str(Policy("shared", "exact", 30_000)) == (
        "shared vocabulary, case exact, first 30,000 words"
    )
    assert str(Policy(oov="mean")) == "own vocabulary, case fold, OOV words mean"
    assert Policy(limit=5).as_dict() == {
        "vocabulary": "own",
        "case": "fold",
        "limit": 5,
        "oov": "skip",
        "digits": "keep",
    }


@given(st.lists(st.text(max_size=6), max_size=8), st.sampled_from(("fold", "exact")),
       st.sampled_from(("keep", "zero")))  # fmt: skip
def test_normalising_all_words_at_once_equals_one_by_one(words, case, digits):
    policy = Policy(case=case, digits=digits)

    assert policy.normalise_all(words) == [policy.normalise(word) for word in words]


def test_digits_become_zeros_on_request():
    assert Policy(digits="zero").normalise("Route66") == "route00"
    assert Policy().normalise("Route66") == "route66"


def test_the_language_is_part_of_a_policy():
    policy = Policy(language="TR")

    assert policy.normalise("ISPARTA") == "ısparta"
    assert policy.as_dict()["language"] == "tr"
    assert Policy(**policy.as_dict()) == policy
    assert str(policy) == "own vocabulary, case fold, letters of Turkish"
    with pytest.raises(BadUsage, match=r"'turkish' is not a language tag .* mean 'tr' \(Turkish\)"):
        Policy(language="turkish")


def test_a_policy_without_a_language_is_stored_as_before():
    assert "language" not in Policy().as_dict()
    assert Policy(**Policy().as_dict()) == Policy()


def test_words_are_composed_even_if_case_is_matched():
    assert Policy(case="exact").normalise("E\u0301te\u0301") == "Été"
