import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, random_array

from lexiscope.core.errors import BadUsage
from lexiscope.linalg import truncated_svd as svd_module
from lexiscope.linalg.block_krylov import orthonormal
from lexiscope.linalg.deterministic_products import csr_rows, dense_times, gram, inner, sparse_times
from lexiscope.linalg.truncated_svd import check_dimension, truncated_svd


@pytest.fixture(autouse=True)
def small_exact_size(monkeypatch):
    """Decompose matrices of a few hundred rows by the Krylov method, like large ones."""
    monkeypatch.setattr(svd_module, "_MAX_EXACT_SIZE", 100)


def rng():
    return np.random.default_rng(0)


def sparse(rows, columns, density=0.05, seed=1):
    return random_array(
        (rows, columns), density=density, format="csr", rng=np.random.default_rng(seed)
    )


def with_values(values, rows=400, columns=450):
    """A matrix with these singular values, dense but in CSR format."""
    generator = rng()
    left = np.linalg.qr(generator.normal(size=(rows, len(values))))[0]
    right = np.linalg.qr(generator.normal(size=(columns, len(values))))[0]
    return csr_array((left * values) @ right.T)


def assert_factors(found, matrix, dimension, rtol):
    """Singular values agree with NumPy; singular vectors are orthonormal and belong to them."""
    dense = matrix.toarray()
    expected = np.linalg.svd(dense, compute_uv=False)[:dimension]
    assert_allclose(found.values, expected, rtol=rtol)
    for vectors in (found.left, found.right):
        assert_allclose(vectors.T @ vectors, np.eye(dimension), atol=2e-5)
    products = np.einsum("ik,ij,jk->k", found.left, dense, found.right, optimize=True)
    assert_allclose(products, found.values, rtol=max(rtol, 1e-5))


@pytest.mark.parametrize("shape", [(60, 80), (80, 60), (50, 50)])
def test_a_small_matrix_is_decomposed_exactly(shape):
    matrix = sparse(*shape, density=0.3)

    found = truncated_svd(matrix, 10, rng())

    assert_factors(found, matrix, 10, 1e-6)
    left, values, right = np.linalg.svd(matrix.toarray())
    best = (left[:, :10] * values[:10]) @ right[:10]
    assert_allclose((found.left * found.values) @ found.right.T, best, atol=1e-5)


@pytest.mark.parametrize("shape", [(600, 700), (700, 600)])
def test_a_large_matrix_is_decomposed_with_a_relative_error_of_a_thousandth(shape):
    matrix = sparse(*shape)

    assert_factors(truncated_svd(matrix, 40, rng()), matrix, 40, 1e-3)


@pytest.mark.parametrize(
    "values",
    [1 / np.arange(1, 401), 1 / np.arange(1, 401) ** 1.5, 0.95 ** np.arange(400)],
    ids=["harmonic", "power", "exponential"],
)
def test_decaying_values_have_a_relative_error_of_at_most_a_thousandth(values):
    found = truncated_svd(with_values(values), 60, rng())

    assert_allclose(found.values, values[:60], rtol=1e-3)
    assert_allclose(found.left.T @ found.left, np.eye(60), atol=1e-4)


def test_the_largest_entry_of_each_left_vector_is_positive():
    for matrix in (sparse(60, 80, 0.3), sparse(300, 300)):
        left = truncated_svd(matrix, 10, rng()).left

        assert (left[np.abs(left).argmax(axis=0), np.arange(10)] > 0).all()


@pytest.mark.parametrize("shape", [(60, 80), (300, 400)])
def test_triplets_beyond_the_rank_are_zero(shape):
    generator = rng()
    matrix = csr_array(generator.normal(size=(shape[0], 3)) @ generator.normal(size=(3, shape[1])))

    found = truncated_svd(matrix, 8, rng())

    assert_allclose(found.values[:3], np.linalg.svd(matrix.toarray())[1][:3], rtol=1e-5)
    assert found.values.shape == (8,)
    assert_array_equal(found.values[3:], 0)
    assert_array_equal(found.left[:, 3:], 0)
    assert_array_equal(found.right[:, 3:], 0)


@pytest.mark.parametrize("size", [5, 300])
def test_all_triplets_of_a_zero_matrix_are_zero(size):
    found = truncated_svd(csr_array((size, size)), 4, rng())

    assert found.left.shape == found.right.shape == (size, 4)
    assert not any(part.any() for part in found)


@pytest.mark.parametrize("shape", [(60, 80), (80, 60), (300, 350), (350, 300)])
def test_means_are_subtracted(shape):
    matrix = sparse(*shape, density=0.1)
    means = matrix.sum(axis=0) / shape[0]

    found = truncated_svd(matrix, 12, rng(), means)

    assert_factors(found, csr_array(matrix.toarray() - means), 12, 1e-3)


@pytest.mark.parametrize("size", [90, 500])
def test_neither_threads_nor_repetition_change_a_byte(size, monkeypatch):
    from threadpoolctl import threadpool_limits

    matrix = sparse(size, size)
    found = set()
    for threads in ("1", "2", "3", "2"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        with threadpool_limits(int(threads)):
            parts = truncated_svd(matrix, 20, rng())
        found.add(b"".join(part.tobytes() for part in parts))

    assert len(found) == 1


def test_a_dimension_beyond_the_smaller_side_is_an_error():
    matrix = sparse(9, 7, 0.9)

    assert_allclose(truncated_svd(matrix, 7, rng()).values, np.linalg.svd(matrix.toarray())[1])
    with pytest.raises(BadUsage, match="at most 7 singular vectors"):
        truncated_svd(matrix, 8, rng())


def test_too_few_words_are_an_error_with_advice():
    with pytest.raises(BadUsage) as error:
        check_dimension(100, 12)

    assert str(error.value) == (
        "dimension 100 needs 100 words or more; the corpus has 12. Use a dimension of 12 or less."
    )


def test_progress_ends_at_the_total():
    reports = []

    truncated_svd(sparse(300, 300), 5, rng(), progress=lambda *report: reports.append(report))

    assert reports[-1][1] == reports[-1][2]
    assert all(done <= of for _, done, of in reports)


def test_a_block_is_the_product_of_its_orthonormal_factors():
    generator = rng()
    block = generator.normal(size=(50, 4)).astype(np.float32)
    block = np.hstack([block, block[:, :2] + block[:, 2:]])  # six columns of rank four

    columns, factor = orthonormal(block)

    assert columns.shape == (50, 4)
    assert_allclose(columns.T @ columns, np.eye(4), atol=1e-5)
    assert_allclose(columns @ factor, block, atol=1e-5)


def test_products_by_chunks_agree_with_numpy():
    generator = rng()
    tall, other = (generator.normal(size=(9000, 5)).astype(np.float32) for _ in range(2))
    matrix = sparse(700, 9000, 0.01)

    assert_allclose(gram(tall), tall.T @ tall, rtol=1e-4, atol=1e-2)
    assert_allclose(inner(tall.T, other), tall.T @ other, rtol=1e-4, atol=1e-2)
    assert_allclose(
        dense_times(tall, np.diag([1, 2, 3, 4, 5.0])), tall * [1, 2, 3, 4, 5], rtol=1e-6
    )
    assert_allclose(sparse_times(csr_rows(matrix), tall), matrix @ tall, rtol=1e-4, atol=1e-5)
    assert svd_module.Factors._fields == ("left", "values", "right")
