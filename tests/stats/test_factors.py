import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, random_array

from lexiscope.core.errors import BadUsage
from lexiscope.stats import factors
from lexiscope.stats.factors import must_fit, truncated
from lexiscope.stats.krylov import orthonormal
from lexiscope.stats.threaded import gram, inner, rows_of, times, turned


@pytest.fixture(autouse=True)
def little_is_large(monkeypatch):
    """Sends matrices of a few hundred rows the way that thousands of rows go."""
    monkeypatch.setattr(factors, "_SMALL", 100)


def rng():
    return np.random.default_rng(0)


def sparse(rows, columns, density=0.05, seed=1):
    return random_array(
        (rows, columns), density=density, format="csr", rng=np.random.default_rng(seed)
    )


def with_values(values, rows=400, columns=450):
    """A matrix with these singular values; stored as sparse though full."""
    draw = rng()
    left = np.linalg.qr(draw.normal(size=(rows, len(values))))[0]
    right = np.linalg.qr(draw.normal(size=(columns, len(values))))[0]
    return csr_array((left * values) @ right.T)


def assert_factors(found, matrix, dimension, rtol):
    """Values as NumPy finds them, directions orthonormal and as strong as their values say."""
    dense = matrix.toarray()
    wanted = np.linalg.svd(dense, compute_uv=False)[:dimension]
    assert_allclose(found.values, wanted, rtol=rtol)
    for vectors in (found.left, found.right):
        assert_allclose(vectors.T @ vectors, np.eye(dimension), atol=2e-5)
    strength = np.einsum("ik,ij,jk->k", found.left, dense, found.right, optimize=True)
    assert_allclose(strength, found.values, rtol=max(rtol, 1e-5))


@pytest.mark.parametrize("shape", [(60, 80), (80, 60), (50, 50)])
def test_a_small_matrix_is_decomposed_exactly(shape):
    matrix = sparse(*shape, density=0.3)

    found = truncated(matrix, 10, rng())

    assert_factors(found, matrix, 10, 1e-6)
    left, values, right = np.linalg.svd(matrix.toarray())
    best = (left[:, :10] * values[:10]) @ right[:10]
    assert_allclose((found.left * found.values) @ found.right.T, best, atol=1e-5)


@pytest.mark.parametrize("shape", [(600, 700), (700, 600)])
def test_a_large_matrix_is_decomposed_within_a_thousandth(shape):
    matrix = sparse(*shape)

    assert_factors(truncated(matrix, 40, rng()), matrix, 40, 1e-3)


@pytest.mark.parametrize(
    "values",
    [1 / np.arange(1, 401), 1 / np.arange(1, 401) ** 1.5, 0.95 ** np.arange(400)],
    ids=["slowly", "faster", "by a factor"],
)
def test_values_that_fall_are_found_within_a_thousandth(values):
    found = truncated(with_values(values), 60, rng())

    assert_allclose(found.values, values[:60], rtol=1e-3)
    assert_allclose(found.left.T @ found.left, np.eye(60), atol=1e-4)


def test_the_largest_entry_of_each_left_vector_is_positive():
    for matrix in (sparse(60, 80, 0.3), sparse(300, 300)):
        left = truncated(matrix, 10, rng()).left

        assert (left[np.abs(left).argmax(axis=0), np.arange(10)] > 0).all()


@pytest.mark.parametrize("shape", [(60, 80), (300, 400)])
def test_directions_beyond_the_rank_are_zero(shape):
    draw = rng()
    matrix = csr_array(draw.normal(size=(shape[0], 3)) @ draw.normal(size=(3, shape[1])))

    found = truncated(matrix, 8, rng())

    assert_allclose(found.values[:3], np.linalg.svd(matrix.toarray())[1][:3], rtol=1e-5)
    assert found.values.shape == (8,)
    assert_array_equal(found.values[3:], 0)
    assert_array_equal(found.left[:, 3:], 0)
    assert_array_equal(found.right[:, 3:], 0)


@pytest.mark.parametrize("size", [5, 300])
def test_a_matrix_of_zeros_has_no_direction(size):
    found = truncated(csr_array((size, size)), 4, rng())

    assert found.left.shape == found.right.shape == (size, 4)
    assert not any(part.any() for part in found)


@pytest.mark.parametrize("shape", [(60, 80), (80, 60), (300, 350), (350, 300)])
def test_means_are_taken_off_without_making_the_matrix_dense(shape):
    matrix = sparse(*shape, density=0.1)
    means = matrix.sum(axis=0) / shape[0]

    found = truncated(matrix, 12, rng(), means)

    assert_factors(found, csr_array(matrix.toarray() - means), 12, 1e-3)


@pytest.mark.parametrize("size", [90, 500])
def test_neither_threads_nor_another_time_change_a_byte(size, monkeypatch):
    from threadpoolctl import threadpool_limits

    matrix = sparse(size, size)
    found = set()
    for threads in ("1", "2", "3", "2"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        with threadpool_limits(int(threads)):
            parts = truncated(matrix, 20, rng())
        found.add(b"".join(part.tobytes() for part in parts))

    assert len(found) == 1


def test_all_directions_can_be_asked_for_and_not_more():
    matrix = sparse(9, 7, 0.9)

    assert_allclose(truncated(matrix, 7, rng()).values, np.linalg.svd(matrix.toarray())[1])
    with pytest.raises(BadUsage, match="7 directions at most"):
        truncated(matrix, 8, rng())


def test_too_few_words_are_told_with_what_to_do():
    with pytest.raises(BadUsage) as problem:
        must_fit(100, 12)

    assert str(problem.value) == (
        "dimension 100 needs 100 words or more; the corpus has 12. Use a dimension of 12 or less."
    )


def test_progress_ends_at_the_end():
    told = []

    truncated(sparse(300, 300), 5, rng(), tell=lambda *line: told.append(line))

    assert told[-1][1] == told[-1][2]
    assert all(done <= of for _, done, of in told)


def test_a_block_is_its_orthonormal_columns_times_their_shapes():
    draw = rng()
    block = draw.normal(size=(50, 4)).astype(np.float32)
    block = np.hstack([block, block[:, :2] + block[:, 2:]])  # six columns of rank four

    columns, shapes = orthonormal(block)

    assert columns.shape == (50, 4)
    assert_allclose(columns.T @ columns, np.eye(4), atol=1e-5)
    assert_allclose(columns @ shapes, block, atol=1e-5)


def test_products_in_pieces_are_the_products():
    draw = rng()
    tall, other = (draw.normal(size=(9000, 5)).astype(np.float32) for _ in range(2))
    matrix = sparse(700, 9000, 0.01)

    assert_allclose(gram(tall), tall.T @ tall, rtol=1e-4, atol=1e-2)
    assert_allclose(inner(tall.T, other), tall.T @ other, rtol=1e-4, atol=1e-2)
    assert_allclose(turned(tall, np.diag([1, 2, 3, 4, 5.0])), tall * [1, 2, 3, 4, 5], rtol=1e-6)
    assert_allclose(times(rows_of(matrix), tall), matrix @ tall, rtol=1e-4, atol=1e-5)
    assert factors.Factors._fields == ("left", "values", "right")
