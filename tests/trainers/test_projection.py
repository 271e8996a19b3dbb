import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.projection import Projection, random_directions
from tests.builders import text
from tests.trainers import slowly


def test_vectors_are_projections_of_normalised_rows():
    words = text()
    counts = slowly.counts(words, 5)
    rng = np.random.default_rng(7)
    rng.integers(0, 1 << 63, 2)  # consumed by counting
    directions = random_directions(40, 6, rng).toarray()

    found = Projection(dimension=6).train(words, np.random.default_rng(7)).vectors

    rows = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    assert_allclose(found, rows @ directions.T, atol=1e-5)


def test_the_density_is_one_in_a_square_root_with_balanced_signs():
    directions = random_directions(2500, 200, np.random.default_rng(0))

    assert directions.shape == (200, 2500)
    assert directions.nnz == pytest.approx(200 * 2500 / 50, rel=0.05)
    assert_allclose(np.unique(directions.data), [-np.sqrt(50 / 200), np.sqrt(50 / 200)])
    assert np.sign(directions.data).mean() == pytest.approx(0, abs=0.05)


def test_lengths_are_preserved_on_average():
    row = np.random.default_rng(1).random(900)
    squares = [
        np.sum((random_directions(900, 50, np.random.default_rng(seed)) @ row) ** 2)
        for seed in range(100)
    ]

    assert np.mean(squares) == pytest.approx(row @ row, rel=0.1)


def test_another_seed_gives_another_projection():
    words = text()
    first, second = (
        Projection(dimension=6).train(words, np.random.default_rng(seed)) for seed in (0, 1)
    )

    assert first.fingerprint != second.fingerprint


def test_the_dimension_may_exceed_the_vocabulary():
    found = Projection(dimension=100).train(text(words=12), np.random.default_rng(0))

    assert found.vectors.shape == (12, 100)


def test_a_projection_of_zeros_only_is_refused():
    words = corpus("two", [["a", "b"]] + [["c"]] * 300 + [[f"w{n}"] for n in range(900)])

    with pytest.raises(BadUsage, match="dimension higher than 1"):
        Projection(dimension=1).train(words, np.random.default_rng(0))
