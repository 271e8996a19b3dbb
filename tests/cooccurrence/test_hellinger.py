import numpy as np
import pytest
from scipy.sparse import csr_array

from lexiscope.cooccurrence.hellinger import hellinger_rows


def test_rows_are_square_roots_of_context_probabilities():
    counts = csr_array(np.array([[1.0, 3.0, 12.0], [0.0, 5.0, 0.0], [0.0, 0.0, 7.0]]))

    rows = hellinger_rows(counts, 2)

    # Probabilities 1/4 and 3/4: the third column is not a context.
    np.testing.assert_allclose(
        rows.toarray(), [[0.5, np.sqrt(0.75)], [0.0, 1.0], [0.0, 0.0]], rtol=1e-6
    )
    assert rows.dtype == np.float32


def test_distances_of_rows_are_hellinger_distances():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 20, (4, 6)).astype(float)

    rows = hellinger_rows(csr_array(counts), 6).toarray()

    probabilities = counts / counts.sum(axis=1, keepdims=True)
    overlap = np.sqrt(probabilities[0] * probabilities[1]).sum()  # Bhattacharyya
    assert np.linalg.norm(rows[0] - rows[1]) == pytest.approx(np.sqrt(2 - 2 * overlap), abs=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)


def test_the_number_of_contexts_is_limited_to_the_number_of_words():
    counts = csr_array(np.eye(3))

    assert hellinger_rows(counts, 100).shape == (3, 3)


def test_the_counts_do_not_change():
    counts = csr_array(np.array([[1.0, 3.0], [2.0, 2.0]]))

    hellinger_rows(counts, 2)

    assert counts.toarray().tolist() == [[1.0, 3.0], [2.0, 2.0]]
