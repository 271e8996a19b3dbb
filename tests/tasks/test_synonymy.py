import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.stats.measures import accuracy
from lexiscope.tasks.synonymy import Synonymy
from tests.making import questions, seeded, synthetic_words

WORDS = embedding(
    "words",
    ("big", "large", "green", "early", "wet", "huge"),
    [[1, 0], [0.9, 0.1], [0, 1], [-1, 0], [-1, -1], [9, 1]],
)


def answered(vectors, *rows):
    return Synonymy().answer(vectors, questions(*rows), np.random.default_rng(0))


def test_the_most_similar_option_is_the_answer_not_the_least():
    answers = answered(WORDS, ("big", "green", "early", "large", "wet", "large"))

    assert answers.given.tolist() == ["large"]
    assert accuracy(answers.given, answers.gold) == 1


def test_the_length_of_a_vector_does_not_matter():
    long = embedding("long", ("q", "near", "far", "x", "y"),
                     [[1, 0], [0.1, 0], [50, 50], [0, 1], [-1, 0]])  # fmt: skip

    assert answered(long, ("q", "far", "near", "x", "y", "near")).given.tolist() == ["near"]


@pytest.mark.parametrize("turn", range(4))
def test_the_place_of_an_option_does_not_matter_even_for_equal_cosines(turn):
    same = embedding("same", ("q", "d", "b", "c", "a"), [[1, 0], [1, 1], [1, 1], [1, 1], [0, 1]])
    options = np.roll(["d", "b", "c", "a"], turn).tolist()

    # b, c and d are equally near: the first in alphabetical order is taken.
    assert answered(same, ("q", *options, "d")).given.tolist() == ["b"]


def test_the_word_asked_about_may_be_an_option():
    answers = answered(WORDS, ("big", "large", "big", "early", "wet", "large"))

    assert answers.given.tolist() == ["big"]


def test_answers_agree_with_a_loop_over_the_options():
    vectors = seeded("seeded", synthetic_words(50), 1)
    rng = np.random.default_rng(2)
    rows = [[f"w{place}" for place in rng.choice(50, 5, replace=False)] for _ in range(100)]

    given = answered(vectors, *((*row, row[1]) for row in rows)).given

    def near(query, option):
        one, other = vectors[query].astype(float), vectors[option].astype(float)
        return one @ other / np.linalg.norm(one) / np.linalg.norm(other)

    for (query, *options), answer in zip(rows, given, strict=True):
        assert answer == max(options, key=lambda option: near(query, option))
