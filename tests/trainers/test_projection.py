import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.projection import Projection, random_directions
from tests.making import text
from tests.trainers import slowly


def test_vectors_are_rows_of_length_one_on_the_directions_drawn():
    words = text()
    counts = slowly.counts(words, 5)
    rng = np.random.default_rng(7)
    rng.integers(0, 1 << 63, 2)  # what counting draws
    directions = random_directions(40, 6, rng).toarray()

    found = Projection(dimension=6).train(words, np.random.default_rng(7)).vectors

    rows = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    assert_allclose(found, rows @ directions.T, atol=1e-5)


def test_one_number_in_a_root_is_not_zero_and_they_balance():
    directions = random_directions(2500, 200, np.random.default_rng(0))

    assert directions.shape == (200, 2500)
    assert directions.nnz == pytest.approx(200 * 2500 / 50, rel=0.05)
    assert_allclose(np.unique(directions.data), [-np.sqrt(50 / 200), np.sqrt(50 / 200)])
    assert np.sign(directions.data).mean() == pytest.approx(0, abs=0.05)


def test_lengths_are_kept_on_average():
    row = np.random.default_rng(1).random(900)
    squares = [
        np.sum((random_directions(900, 50, np.random.default_rng(seed)) @ row) ** 2)
        for seed in range(100)
    ]

    assert np.mean(squares) == pytest.approx(row @ row, rel=0.1)


def test_another_seed_draws_other_directions():
    words = text()
    first, second = (
        Projection(dimension=6).train(words, np.random.default_rng(seed)) for seed in (0, 1)
    )

    assert first.fingerprint != second.fingerprint


def test_there_may_be_more_directions_than_words():
    found = Projection(dimension=100).train(text(words=12), np.random.default_rng(0))

    assert found.vectors.shape == (12, 100)


def test_directions_that_miss_every_context_have_one_sentence():
    words = corpus("two", [["a", "b"]] + [["c"]] * 300 + [[f"w{n}"] for n in range(900)])

    with pytest.raises(BadUsage, match="dimension higher than 1"):
        Projection(dimension=1).train(words, np.random.default_rng(0))
