import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.metrics.accuracy import accuracy
from lexiscope.tasks.synonymy import Synonymy
from tests.builders import seeded, synonym_questions, synthetic_words

WORDS = embedding(
    "words",
    ("big", "large", "green", "early", "wet", "huge"),
    [[1, 0], [0.9, 0.1], [0, 1], [-1, 0], [-1, -1], [9, 1]],
)


def predictions_of(vectors, *rows):
    return Synonymy().predict(vectors, synonym_questions(*rows), np.random.default_rng(0))


def test_the_most_similar_option_is_predicted():
    predictions = predictions_of(WORDS, ("big", "green", "early", "large", "wet", "large"))

    assert predictions.predicted.tolist() == ["large"]
    assert accuracy(predictions.predicted, predictions.gold) == 1


def test_the_length_of_a_vector_does_not_matter():
    long = embedding("long", ("q", "near", "far", "x", "y"),
                     [[1, 0], [0.1, 0], [50, 50], [0, 1], [-1, 0]])  # fmt: skip

    assert predictions_of(long, ("q", "far", "near", "x", "y", "near")).predicted.tolist() == [
        "near"
    ]


@pytest.mark.parametrize("shift", range(4))
def test_the_order_of_options_does_not_matter_even_for_ties(shift):
    same = embedding("same", ("q", "d", "b", "c", "a"), [[1, 0], [1, 1], [1, 1], [1, 1], [0, 1]])
    options = np.roll(["d", "b", "c", "a"], shift).tolist()

    # b, c and d have equal cosines: the first in alphabetical order is predicted.
    assert predictions_of(same, ("q", *options, "d")).predicted.tolist() == ["b"]


def test_the_query_word_can_be_an_option():
    predictions = predictions_of(WORDS, ("big", "large", "big", "early", "wet", "large"))

    assert predictions.predicted.tolist() == ["big"]


def test_predictions_agree_with_a_loop_over_the_options():
    vectors = seeded("seeded", synthetic_words(50), 1)
    rng = np.random.default_rng(2)
    rows = [[f"w{index}" for index in rng.choice(50, 5, replace=False)] for _ in range(100)]

    predicted = predictions_of(vectors, *((*row, row[1]) for row in rows)).predicted

    def similarity(query, option):
        one, other = vectors[query].astype(float), vectors[option].astype(float)
        return one @ other / np.linalg.norm(one) / np.linalg.norm(other)

    for (query, *options), prediction in zip(rows, predicted, strict=True):
        assert prediction == max(options, key=lambda option: similarity(query, option))
