import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.tasks.preference import Preference
from tests.making import preferences, seeded, synthetic_words

FOOD = embedding(
    "food",
    ("apple", "song", "bread", "soup", "stone"),
    [[1, 0], [0, 1], [3, 4], [5, 0], [-1, 0]],
)


def answered(vectors, *rows, **settings):
    items = preferences(*rows)
    return Preference(**settings).answer(vectors, items, np.random.default_rng(0)).given


def test_the_answer_is_the_cosine_with_the_mean_of_the_fillers():
    # bread is (0.6, 0.8) and soup (1, 0) at length 1: the prototype points to (1.6, 0.8).
    given = answered(FOOD, ("eat", "dobj", "apple", 9, "bread soup"),
                     ("eat", "dobj", "song", 1, "bread soup"))  # fmt: skip

    assert_allclose(given, np.array([1.6, 0.8]) / np.hypot(1.6, 0.8), rtol=1e-6)


def test_a_word_is_no_part_of_its_own_prototype():
    assert_allclose(answered(FOOD, ("eat", "dobj", "bread", 9, "bread soup")), [0.6], rtol=1e-6)


def test_unknown_fillers_are_passed_over_and_the_setting_counts_known_ones():
    row = ("eat", "dobj", "apple", 9, "zyx bread apple soup")

    assert_allclose(answered(FOOD, row, fillers=1), [0.6], rtol=1e-6)
    assert answered(FOOD, row, fillers=2)[0] == pytest.approx(1.6 / np.hypot(1.6, 0.8))


def test_a_filler_counts_once():
    once, twice = (
        answered(FOOD, ("eat", "dobj", "apple", 9, fillers))
        for fillers in ("bread soup", "bread soup bread")
    )

    assert once.tolist() == twice.tolist()


def test_fillers_that_cancel_out_are_neither_near_nor_far():
    assert answered(FOOD, ("eat", "dobj", "song", 9, "apple stone")).tolist() == [0]


def test_answers_agree_with_a_loop_over_the_items():
    vectors = seeded("seeded", synthetic_words(40), 3)
    rng = np.random.default_rng(4)
    rows = [
        ("v", "dobj", f"w{rng.integers(40)}", 1, " ".join(f"w{k}" for k in rng.integers(0, 60, 9)))
        for _ in range(50)
    ]

    given = answered(vectors, *rows, fillers=4)

    def unit(word):
        row = vectors[word].astype(np.float64)
        return row / np.linalg.norm(row)

    for (_, _, word, _, fillers), answer in zip(rows, given, strict=True):
        known = [f for f in dict.fromkeys(fillers.split()) if f in vectors and f != word][:4]
        prototype = np.mean([unit(filler) for filler in known], axis=0)
        assert answer == pytest.approx(prototype @ unit(word) / np.linalg.norm(prototype))


def test_no_fillers_are_refused():
    with pytest.raises(BadUsage, match=r"preference\.fillers must be 1 or more, found 0"):
        Preference(fillers=0)
