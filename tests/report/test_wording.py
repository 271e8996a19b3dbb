from types import SimpleNamespace

import pytest

from lexiscope.core.policy import Policy
from lexiscope.core.result import Coverage
from lexiscope.report.wording import changed, counted, listed, low_coverage, moment, ranked
from lexiscope.stats.many import Ranks


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 items"), (1, "1 item"), (2, "2 items"), (1200, "1,200 items")]
)
def test_numbers_agree_with_their_noun(number, told):
    assert counted(number, "item") == told


@pytest.mark.parametrize(
    ("texts", "told"), [("", ""), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")]
)
def test_lists_read_as_in_a_sentence(texts, told):
    assert listed(list(texts)) == told


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (Policy(), "this run's own"),
        (Policy(limit=10_000), "first 10,000 words"),
        (Policy(vocabulary="shared", case="exact"), "shared vocabulary, case exact"),
        (Policy(unknown="zero"), "unknown words zero"),
    ],
)
def test_a_policy_is_named_by_what_it_changes(policy, told):
    assert changed(policy, Policy()) == told


def test_taking_a_limit_away_gives_all_words():
    assert changed(Policy(), Policy(limit=5)) == "all words"


def test_a_certain_rank_is_one_number():
    assert ranked(Ranks(1, 1)) == "1"
    assert ranked(Ranks(1, 2)) == "1 to 2"
    assert ranked(None) == "–"


def test_moments_are_for_people():
    assert moment("2026-11-16T04:15:01+00:00") == "2026-11-16 04:15 UTC"


def test_embeddings_that_lack_the_same_share_a_sentence():
    def results(*names):
        covered = [Coverage(name, "pairs", 3, 10, ("zyx",), ()) for name in names]
        return SimpleNamespace(coverage=(*covered, Coverage("whole", "pairs", 10, 10, (), ())))

    assert low_coverage(results("a")) == ["a has the words for only 3 of 10 items of pairs."]
    assert low_coverage(results("a", "b"))[0].startswith("a and b have the words")
    assert low_coverage(results(*"abcdefg"))[0].startswith("7 embeddings have the words")


def test_an_embedding_that_lacks_no_word_is_not_told_to():
    """A question that could not be asked for another reason leaves no item asked."""
    unasked = Coverage("a", "texts", 0, 10, (), ())

    assert low_coverage(SimpleNamespace(coverage=(unasked,))) == []
