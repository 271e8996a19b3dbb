from types import SimpleNamespace

import pytest

from lexiscope.core.policy import Policy
from lexiscope.core.result import Coverage
from lexiscope.report.coverage_sentences import low_coverage
from lexiscope.report.policy_changes import difference_of
from lexiscope.report.sentences import counted, listed, rank_range, timestamp
from lexiscope.stats.multiple_comparisons import Ranks


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 items"), (1, "1 item"), (2, "2 items"), (1200, "1,200 items")]
)
def test_numbers_agree_with_their_noun(number, text):
    assert counted(number, "item") == text


@pytest.mark.parametrize(
    ("texts", "joined"), [("", ""), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")]
)
def test_lists_read_as_in_a_sentence(texts, joined):
    assert listed(list(texts)) == joined


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (Policy(), "policy of this run"),
        (Policy(limit=10_000), "first 10,000 words"),
        (Policy(vocabulary="shared", case="exact"), "shared vocabulary, case exact"),
        (Policy(oov="zero"), "OOV words zero"),
    ],
)
def test_a_policy_is_described_by_its_difference(policy, text):
    assert difference_of(policy, Policy()) == text


def test_a_policy_without_limit_has_all_words():
    assert difference_of(Policy(), Policy(limit=5)) == "all words"


def test_a_certain_rank_is_one_number():
    assert rank_range(Ranks(1, 1)) == "1"
    assert rank_range(Ranks(1, 2)) == "1 to 2"
    assert rank_range(None) == "–"


def test_times_are_readable():
    assert timestamp("2026-11-16T04:15:01+00:00") == "2026-11-16 04:15 UTC"


def test_embeddings_with_equal_coverage_share_a_sentence():
    def results(*names):
        covered = [Coverage(name, "pairs", 3, 10, ("zyx",), ()) for name in names]
        return SimpleNamespace(coverage=(*covered, Coverage("whole", "pairs", 10, 10, (), ())))

    assert low_coverage(results("a")) == ["a covers only 3 of 10 items of pairs."]
    assert low_coverage(results("a", "b"))[0].startswith("a and b cover only")
    assert low_coverage(results(*"abcdefg"))[0].startswith("7 embeddings cover only")


def test_low_coverage_is_reported_only_if_words_are_missing():
    """An evaluation that failed for another reason covers no item either."""
    failed = Coverage("a", "texts", 0, 10, (), ())

    assert low_coverage(SimpleNamespace(coverage=(failed,))) == []
