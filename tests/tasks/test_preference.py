import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.tasks.preference import Preference
from tests.builders import preferences, seeded, synthetic_words

FOOD = embedding(
    "food",
    ("apple", "song", "bread", "soup", "stone"),
    [[1, 0], [0, 1], [3, 4], [5, 0], [-1, 0]],
)


def predictions_of(vectors, *rows, **settings):
    items = preferences(*rows)
    return Preference(**settings).predict(vectors, items, np.random.default_rng(0)).predicted


def test_the_prediction_is_the_cosine_with_the_mean_of_the_fillers():
    # bread is (0.6, 0.8) and soup (1, 0) after normalisation: their sum is (1.6, 0.8).
    predicted = predictions_of(FOOD, ("eat", "dobj", "apple", 9, "bread soup"),
                     ("eat", "dobj", "song", 1, "bread soup"))  # fmt: skip

    assert_allclose(predicted, np.array([1.6, 0.8]) / np.hypot(1.6, 0.8), rtol=1e-6)


def test_a_word_is_not_in_its_own_prototype():
    assert_allclose(
        predictions_of(FOOD, ("eat", "dobj", "bread", 9, "bread soup")), [0.6], rtol=1e-6
    )


def test_unknown_fillers_are_ignored_and_not_counted():
    row = ("eat", "dobj", "apple", 9, "zyx bread apple soup")

    assert_allclose(predictions_of(FOOD, row, fillers=1), [0.6], rtol=1e-6)
    assert predictions_of(FOOD, row, fillers=2)[0] == pytest.approx(1.6 / np.hypot(1.6, 0.8))


def test_a_filler_counts_once():
    once, twice = (
        predictions_of(FOOD, ("eat", "dobj", "apple", 9, fillers))
        for fillers in ("bread soup", "bread soup bread")
    )

    assert once.tolist() == twice.tolist()


def test_fillers_that_cancel_out_give_a_cosine_of_zero():
    assert predictions_of(FOOD, ("eat", "dobj", "song", 9, "apple stone")).tolist() == [0]


def test_predictions_agree_with_a_loop():
    vectors = seeded("seeded", synthetic_words(40), 3)
    rng = np.random.default_rng(4)
    rows = [
        ("v", "dobj", f"w{rng.integers(40)}", 1, " ".join(f"w{k}" for k in rng.integers(0, 60, 9)))
        for _ in range(50)
    ]

    predicted = predictions_of(vectors, *rows, fillers=4)

    def unit(word):
        row = vectors[word].astype(np.float64)
        return row / np.linalg.norm(row)

    for (_, _, word, _, fillers), prediction in zip(rows, predicted, strict=True):
        known = [f for f in dict.fromkeys(fillers.split()) if f in vectors and f != word][:4]
        prototype = np.mean([unit(filler) for filler in known], axis=0)
        assert prediction == pytest.approx(prototype @ unit(word) / np.linalg.norm(prototype))


def test_no_fillers_are_refused():
    with pytest.raises(BadUsage, match=r"preference\.fillers must be 1 or more, found 0"):
        Preference(fillers=0)
