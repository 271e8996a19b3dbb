import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.metrics.correlation import spearman
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.tasks.ranking import Ranking
from tests.builders import word_pairs

# Around cat (1, 0) and sun (0, 1), at increasing angles.
FANS = embedding(
    "fans",
    ["cat", *(f"c{k}" for k in range(5)), "sun", *(f"s{k}" for k in range(5))],
    [[1, 0], *([1, k / 10] for k in range(5)), [0, 1], *([1 + k, 1] for k in range(5))],
)


def test_the_pairs_of_each_word_are_ranked_on_their_own():
    # Within each word the ratings agree with the cosines; sun's ratings are all higher than cat's.
    pairs = word_pairs(
        *(("cat", f"c{k}", 5 - k) for k in range(5)), *((f"s{k}", "sun", 15 - k) for k in range(5))
    )

    predictions = Ranking().predict(FANS, pairs, np.random.default_rng(0))

    assert spearman_by_query(predictions.predicted, predictions.gold, pairs.units) == pytest.approx(
        1
    )
    assert spearman(predictions.predicted, predictions.gold) < 0


def test_predictions_are_cosines_with_the_units_of_the_pairs():
    pairs = word_pairs(("cat", "c0", 5), ("cat", "sun", 1))

    predictions = Ranking().predict(FANS, pairs, np.random.default_rng(0))

    assert predictions.predicted.tolist() == pytest.approx([1, 0])
    assert predictions.units.tolist() == pairs.units.tolist()
