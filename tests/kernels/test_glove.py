import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from lexiscope.kernels.glove import adagrad_steps, block_sizes, group_entries, shuffle


def rows_for(vectors, biases, of_contexts=False):
    """Rows as the kernel expects them: a vector, its bias and a one, or a one and its bias."""
    number, dimension = vectors.shape
    width = -(-(dimension + 2) // 8) * 8
    rows = np.ones((number, 2, width), np.float32)
    rows[:, 0] = 0
    rows[:, 0, :dimension] = vectors
    rows[:, 0, dimension] = 1 if of_contexts else biases
    rows[:, 0, dimension + 1] = biases if of_contexts else 1
    return rows


def cost(word, word_bias, context, context_bias, log, weight):
    """Half of equation 8 of the paper, for one count."""
    return 0.5 * weight * (word @ context + word_bias + context_bias - log) ** 2


def reference_adagrad(entries, words, contexts, learning_rate):
    """AdaGrad on vectors with the bias as last column; the sums of squares start at 1."""
    squares = np.ones_like(words), np.ones_like(contexts)
    total = 0.0
    for i, j, log, weight in entries:
        error = words[i, :-1] @ contexts[j, :-1] + words[i, -1] + contexts[j, -1] - log
        total += 0.5 * weight * error**2
        of_word = learning_rate * weight * error * np.append(contexts[j, :-1], 1)
        of_context = learning_rate * weight * error * np.append(words[i, :-1], 1)
        words[i] -= of_word / np.sqrt(squares[0][i])
        contexts[j] -= of_context / np.sqrt(squares[1][j])
        squares[0][i] += of_word**2
        squares[1][j] += of_context**2
    return total


def random_entries(rng, number, words):
    rows, columns = rng.integers(0, words, (2, number)).astype(np.int32)
    logs, weights = rng.normal(size=number), rng.random(number)
    return rows, columns, logs.astype(np.float32), weights.astype(np.float32)


def test_one_step_follows_the_gradient_of_the_cost():
    rng = np.random.default_rng(0)
    word, context = rng.normal(size=(2, 5))
    arguments = [word, 0.3, context, -0.2, 1.7, 0.6]
    words, contexts = rows_for(word[None], 0.3), rows_for(context[None], -0.2, of_contexts=True)
    learning_rate, small = np.float32(0.5), 1e-6
    zero = np.zeros(1, np.int32)
    numbers = np.array([1.7], np.float32), np.array([0.6], np.float32)

    found = adagrad_steps(zero, zero, *numbers, 0, 1, words, contexts, 5, learning_rate)

    # The sums of squares begin at 1, so the first step is the learning rate times the gradient.
    changes = np.append(
        (word - words[0, 0, :5]) / learning_rate, (0.3 - words[0, 0, 5]) / learning_rate
    )
    for d in range(5):
        higher, lower = arguments.copy(), arguments.copy()
        higher[0], lower[0] = word + small * np.eye(5)[d], word - small * np.eye(5)[d]
        assert changes[d] == pytest.approx((cost(*higher) - cost(*lower)) / (2 * small), abs=1e-5)
    gradient = (
        (cost(word, 0.3 + small, *arguments[2:]) - cost(word, 0.3 - small, *arguments[2:]))
        / 2
        / small
    )
    assert changes[5] == pytest.approx(gradient, abs=1e-5)
    assert found == pytest.approx(cost(*arguments), rel=1e-5)


@pytest.mark.parametrize("dimension", [1, 6, 7, 30])
def test_many_steps_agree_with_the_reference(dimension):
    rng = np.random.default_rng(1)
    entries = random_entries(rng, 300, 12)
    words, contexts = rng.normal(0, 0.3, (2, 12, dimension + 1))
    fast = [
        rows_for(table[:, :-1], table[:, -1], of_contexts=which)
        for table, which in ((words, False), (contexts, True))
    ]

    found = adagrad_steps(*entries, 0, 300, *fast, dimension, np.float32(0.05))
    expected = reference_adagrad(list(zip(*entries, strict=True)), words, contexts, 0.05)

    assert found == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(fast[0][:, 0, : dimension + 1], words, atol=1e-5)
    np.testing.assert_allclose(fast[1][:, 0, :dimension], contexts[:, :-1], atol=1e-5)
    np.testing.assert_allclose(fast[1][:, 0, dimension + 1], contexts[:, -1], atol=1e-5)


def test_ones_stay_ones_and_padding_stays_zero():
    rng = np.random.default_rng(2)
    words = rows_for(rng.normal(size=(9, 3)), 0.5)
    contexts = rows_for(rng.normal(size=(9, 3)), 0.5, of_contexts=True)

    adagrad_steps(*random_entries(rng, 50, 9), 0, 50, words, contexts, 3, np.float32(0.05))

    assert (words[:, 0, 4] == 1).all()
    assert (contexts[:, 0, 3] == 1).all()
    assert not words[:, 0, 5:].any()
    assert not contexts[:, 0, 5:].any()


def test_only_the_given_entries_change_vectors():
    rng = np.random.default_rng(3)
    rows, columns, logs, weights = random_entries(rng, 10, 10)
    rows[:], columns[:] = np.arange(10), np.arange(10)[::-1]
    words = rows_for(rng.normal(size=(10, 4)), 0.0)
    contexts = rows_for(rng.normal(size=(10, 4)), 0.0, of_contexts=True)
    before = words.copy()

    adagrad_steps(rows, columns, logs, weights, 3, 6, words, contexts, 4, np.float32(0.05))

    changes = (words != before).any(axis=(1, 2))
    assert np.flatnonzero(changes).tolist() == [3, 4, 5]


def test_an_overflow_is_visible_in_the_cost():
    words = rows_for(np.full((1, 2), 1e30), 0.0)
    contexts = rows_for(np.full((1, 2), 1e30), 0.0, of_contexts=True)
    zero, ones = np.zeros(1, np.int32), np.ones(1, np.float32)

    assert not np.isfinite(adagrad_steps(zero, zero, ones, ones, 0, 1, words, contexts, 2, ones[0]))


def test_blocks_hold_the_entries_of_their_words_and_contexts():
    matrix = csr_array(random_array((20, 20), density=0.3, rng=np.random.default_rng(4)))
    numbers = np.zeros(9, np.int64)
    block_sizes(matrix.indptr, matrix.indices, 3, numbers)
    bounds = np.append(0, np.cumsum(numbers))
    ends = bounds[:-1].copy()
    entries = [np.empty(matrix.nnz, kind) for kind in (np.int32, np.int32, np.float32, np.float32)]

    group_entries(matrix.indptr, matrix.indices, matrix.data, 3, ends, 0.5, 0.75, *entries)

    rows, columns, logs, weights = entries
    assert ends.tolist() == bounds[1:].tolist()
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == matrix.nnz
    values = matrix[rows, columns]
    np.testing.assert_allclose(logs, np.log(values), rtol=1e-6)
    np.testing.assert_allclose(weights, np.where(values > 0.5, 1, (2 * values) ** 0.75), rtol=1e-6)
    for block in range(9):
        entry = slice(bounds[block], bounds[block + 1])
        assert set(rows[entry] % 3) <= {block // 3}
        assert set(columns[entry] % 3) <= {block % 3}


def test_a_shuffle_keeps_entries_intact_and_others_unchanged():
    entries = [np.arange(100, dtype=kind) for kind in (np.int32, np.int32, np.float32, np.float32)]

    shuffle(*entries, 10, 90, 7)

    order = entries[0]
    assert sorted(order) == list(range(100))
    assert order[:10].tolist() == list(range(10))
    assert order[90:].tolist() == list(range(90, 100))
    assert order[10:90].tolist() != list(range(10, 90))
    assert all((part == order).all() for part in entries)


def test_a_shuffle_is_uniform():
    frequencies = np.zeros((5, 5), int)
    for seed in np.random.default_rng(5).integers(1, 1 << 63, 4000).tolist():
        entries = [np.arange(5, dtype=np.int32) for _ in range(4)]
        shuffle(*entries, 0, 5, seed)
        frequencies[np.arange(5), entries[0]] += 1

    assert abs(frequencies - 800).max() < 5 * np.sqrt(4000 * 0.2 * 0.8)
