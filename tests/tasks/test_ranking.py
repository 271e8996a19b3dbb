import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.stats.measures import spearman
from lexiscope.stats.queries import spearman_by_query
from lexiscope.tasks.ranking import Ranking
from tests.making import word_pairs

# Around cat (1, 0) and sun (0, 1), at rising angles.
FANS = embedding(
    "fans",
    ["cat", *(f"c{k}" for k in range(5)), "sun", *(f"s{k}" for k in range(5))],
    [[1, 0], *([1, k / 10] for k in range(5)), [0, 1], *([1 + k, 1] for k in range(5))],
)


def test_each_word_is_ranked_by_itself():
    # Within each word people agree with the cosines; sun's ratings are all higher than cat's.
    pairs = word_pairs(
        *(("cat", f"c{k}", 5 - k) for k in range(5)), *((f"s{k}", "sun", 15 - k) for k in range(5))
    )

    answers = Ranking().answer(FANS, pairs, np.random.default_rng(0))

    assert spearman_by_query(answers.given, answers.gold, pairs.units) == pytest.approx(1)
    assert spearman(answers.given, answers.gold) < 0


def test_answers_are_cosines_and_know_their_words():
    pairs = word_pairs(("cat", "c0", 5), ("cat", "sun", 1))

    answers = Ranking().answer(FANS, pairs, np.random.default_rng(0))

    assert answers.given.tolist() == pytest.approx([1, 0])
    assert answers.units.tolist() == pairs.units.tolist()
