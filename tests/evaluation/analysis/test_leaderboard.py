"""The leaderboard against counts from the comparisons, and ranks by scipy."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import rankdata

from lexiscope.evaluation.analysis.leaderboard import WinLoss
from tests.report.constructed import BAD, GOOD, LESS, PAIRS, TINY, evaluated, noisy

MIDDLE = noisy("middle", 1.0, seed=4)


@pytest.fixture(scope="module")
def several():
    return evaluated(BAD, MIDDLE, GOOD, datasets=(PAIRS, LESS))


def test_the_best_embedding_is_first_whatever_the_given_order(several):
    assert several.leaderboard.embeddings == ["good", "middle", "bad"]
    assert several.recommendation.embeddings == ("good",)


def test_standings_count_the_embeddings_that_are_beaten(several):
    found = {s.embedding: (s.better, s.worse) for s in several.leaderboard.standings}

    assert found == {"good": (2, 0), "middle": (1, 1), "bad": (0, 2)}


def test_records_agree_with_the_significant_comparisons(several):
    wins = Counter()
    for c in several.comparisons:
        if c.significant:
            wins[(c.first, c.second) if c.difference > 0 else (c.second, c.first)] += 1

    for (one, other), record in several.leaderboard.pairs.items():
        assert (record.won, record.lost) == (wins[one, other], wins[other, one])
        assert record.tested == 2
    assert len(several.leaderboard.pairs) == 6


def test_mean_ranks_agree_with_scipy(several):
    names = several.embeddings
    scores = np.array([[several.scores(*e)[n] for n in names] for e in several.evaluations])
    expected = dict(zip(names, rankdata(-scores, axis=1).mean(axis=0), strict=True))

    assert {s.embedding: s.mean_rank for s in several.leaderboard.standings} == expected


def test_equal_scores_share_the_mean_of_their_ranks():
    twin = evaluated(GOOD, noisy("twin", 0.3), BAD)

    ranks = {s.embedding: s.mean_rank for s in twin.leaderboard.standings}
    assert ranks == {"good": 1.5, "twin": 1.5, "bad": 3.0}


def test_an_embedding_that_covers_too_little_is_last_and_has_no_tests():
    found = evaluated(TINY, GOOD, BAD).leaderboard

    assert found.embeddings[-1] == "tiny"
    assert found.standings[-1][1:] == (0, 0, None, False)
    assert {record.tested for pair, record in found.pairs.items() if "tiny" in pair} == {0}


def test_a_record_can_be_seen_from_the_other_side():
    assert WinLoss(3, 1, 2, 8).reversed == WinLoss(1, 3, 2, 8)
