"""Keywords, random words and the division of terms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData
from lexiscope.experiments.consistency.terms import (
    divide,
    keywords,
    log_likelihood,
    random_terms,
)


def _text(**counts):
    return corpus("text", [[word] * count for word, count in counts.items()])


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=5),
    st.integers(51, 1000),
    st.integers(501, 10_000),
)
def test_the_log_likelihood_ratio_is_that_of_scipy(pairs, size, other_size):
    counts, others = np.array(pairs, np.int64).T

    found = log_likelihood(counts, others, size, other_size)

    for value, one, other in zip(found, counts, others, strict=True):
        if one + other:
            table = [[one, other], [size - one, other_size - other]]
            expected = chi2_contingency(table, correction=False, lambda_="log-likelihood")
            assert value == pytest.approx(expected.statistic, abs=1e-6)
        else:
            assert value == pytest.approx(0, abs=1e-9)


def test_keywords_are_more_frequent_than_in_the_background():
    text = _text(the=60, logic=20, mind=20, rare=3, day=15, ab=30, novel=12)
    words, counts = ["the", "day", "mind", "logic"], np.array([600, 300, 50, 5])

    found = keywords(text, 10, words, counts, frequent=1)

    assert found.terms == ("logic", "novel", "mind")
    assert "3 words with the highest log-likelihood ratio" in found.rule
    assert keywords(text, 1, words, counts, frequent=1).terms == ("logic",)


def test_a_missing_word_has_at_most_the_smallest_count():
    text = _text(known=20, missing=20)
    found = keywords(text, 2, ["top", "known", "other"], np.array([900, 50, 5]), frequent=0)

    assert found.terms == ("missing", "known")


def test_without_counts_frequent_words_of_the_background_are_left_out():
    text = _text(the=60, logic=20, mind=25, rare=3)

    found = keywords(text, 10, ["the", "day", "mind"], frequent=2)

    assert found.terms == ("mind", "logic")
    assert "(the background has no counts; " in found.rule
    assert "without the 2 most frequent words of the background" in found.rule


def test_a_text_without_keywords_is_refused():
    with pytest.raises(BadData, match="no word of the text can be a keyword"):
        keywords(_text(the=60, logic=9), 5, ["the"])


def test_random_terms_depend_on_the_seed_only():
    text = _text(one=10, two=11, three=12, four=13, ab=90, rare=9, x1y=20)

    found = random_terms(text, 3, np.random.default_rng(1))

    assert found == random_terms(text, 3, np.random.default_rng(1))
    assert len(set(found.terms)) == 3
    assert set(found.terms) <= {"one", "two", "three", "four"}
    assert set(random_terms(text, 9, np.random.default_rng(1)).terms) == {
        "one", "two", "three", "four",
    }  # fmt: skip
    with pytest.raises(BadData, match="occurs 99 times or more"):
        random_terms(text, 3, np.random.default_rng(1), cutoff=99)


@given(st.lists(st.text(min_size=1), unique=True), st.text(min_size=1))
def test_the_division_of_a_term_does_not_depend_on_other_terms(terms, more):
    parts = divide(terms)
    with_more = divide([*terms, more])

    assert sorted([*parts.development, *parts.test]) == sorted(terms)
    assert set(parts.development) <= set(with_more.development)
    assert set(parts.test) <= set(with_more.test)


def test_seven_of_ten_terms_are_for_development():
    parts = divide([f"term {number}" for number in range(2000)])

    assert len(parts.development) == pytest.approx(1400, abs=60)
