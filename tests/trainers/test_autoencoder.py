import numpy as np
import pytest
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.cooccurrence.hellinger import hellinger_rows
from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.trainers.autoencoder import Autoencoder, Network, encode, fit, gradients


def sentences(number=400, words=60, seed=0):
    """Sentences of eight words, each about one of four subjects."""
    rng = np.random.default_rng(seed)
    subjects = rng.integers(0, 4, number)
    indices = (rng.zipf(1.3, (number, 8)) * 4 + subjects[:, None]) % words
    return [[f"w{word}" for word in row] for row in indices.tolist()]


@pytest.fixture
def text():
    return corpus("text", sentences())


@pytest.fixture
def rows(text):
    counts = cooccurrences(text, Contexts(5), np.random.default_rng(0))
    return hellinger_rows(counts, 10_000)


def mean_error(rows, network, activation):
    """The mean squared distance between rows and their reconstruction, as in the paper."""
    sums = (rows - network.mean) @ network.encoder
    hidden = np.tanh(sums) if activation == "tanh" else sums
    return float(((hidden @ network.decoder + network.mean - rows) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize("activation", ["linear", "tanh"])
def test_gradients_agree_with_finite_differences(activation):
    rng = np.random.default_rng(0)
    dense = rng.random((7, 5)) * (rng.random((7, 5)) < 0.6)
    network = Network(rng.random(5), rng.normal(size=(5, 3)), rng.normal(size=(3, 5)))

    found_gradients = gradients(csr_array(dense), network, activation)

    assert found_gradients.error / 7 == pytest.approx(
        mean_error(dense, network, activation), rel=1e-9
    )
    small = 1e-6
    for weights, found in zip(network[1:], found_gradients[1:], strict=True):
        for index in np.ndindex(weights.shape):
            original = weights[index]
            weights[index] = original + small
            higher = mean_error(dense, network, activation)
            weights[index] = original - small
            lower = mean_error(dense, network, activation)
            weights[index] = original
            assert found[index] == pytest.approx((higher - lower) / (2 * small), abs=1e-6)


def slow_training(rows, settings, rng):
    """Adam as in its paper's algorithm 1, with the whole reconstruction, in double precision."""
    mean, (count, contexts) = rows.mean(axis=0), rows.shape
    rows = rows - mean
    spread = 0.3 / np.sqrt(settings.dimension)
    encoder = rng.normal(0, spread, (contexts, settings.dimension))
    weights = [encoder, encoder.T.copy()]
    means, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    steps, step = settings.epochs * -(-count // settings.batch_size), 0
    for _ in range(settings.epochs):
        order = rng.permutation(count)
        for start in range(0, count, settings.batch_size):
            some = rows[order[start : start + settings.batch_size]]
            hidden = some @ weights[0]
            wrong = 2 / len(some) * (hidden @ weights[1] - some)
            step_gradients = [some.T @ (wrong @ weights[1].T), hidden.T @ wrong]
            learning_rate = settings.learning_rate * (1 - step / steps)
            step += 1
            for k in range(2):
                means[k] = 0.9 * means[k] + 0.1 * step_gradients[k]
                squares[k] = 0.999 * squares[k] + 0.001 * step_gradients[k] ** 2
                mean, square = means[k] / (1 - 0.9**step), squares[k] / (1 - 0.999**step)
                weights[k] -= learning_rate * mean / (np.sqrt(square) + 1e-8)
    return Network(mean, *weights)


def test_training_agrees_with_a_slow_implementation(rows):
    settings = Autoencoder(dimension=4, epochs=3, batch_size=16)

    # In double precision: where a gradient is almost zero, Adam turns rounding errors into steps.
    network = fit(rows.astype(np.float64), settings, np.random.default_rng(2))
    expected = slow_training(rows.toarray().astype(np.float64), settings, np.random.default_rng(2))

    np.testing.assert_allclose(network.encoder, expected.encoder, atol=1e-7)
    np.testing.assert_allclose(network.decoder, expected.decoder, atol=1e-7)


def test_single_precision_gives_the_same_error(rows):
    settings = Autoencoder(dimension=4, epochs=30, batch_size=16)

    errors = [
        mean_error(rows.toarray(), fit(typed, settings, np.random.default_rng(2)), "linear")
        for typed in (rows, rows.astype(np.float64))
    ]

    assert errors[0] == pytest.approx(errors[1], rel=1e-4)


@pytest.mark.parametrize("activation", ["linear", "tanh"])
def test_the_error_is_near_that_of_the_principal_components(rows, activation):
    settings = Autoencoder(
        dimension=8, activation=activation, epochs=600, batch_size=16, learning_rate=0.02
    )

    network = fit(rows, settings, np.random.default_rng(0))

    values = np.linalg.svd(rows.toarray() - rows.toarray().mean(axis=0), compute_uv=False)
    least = (values[8:] ** 2).sum() / rows.shape[0]
    found = mean_error(rows.toarray(), network, activation)
    assert found < 1.03 * least
    assert activation == "tanh" or found > 0.9999 * least


def test_vectors_are_the_output_of_the_encoder(text):
    settings = Autoencoder(dimension=5, epochs=2, contexts=20)

    trained_vectors = settings.train(text, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    rows = hellinger_rows(cooccurrences(text, Contexts(5), rng), 20)
    network = fit(rows, settings, rng)

    assert network.encoder.shape == (20, 5)
    np.testing.assert_array_equal(trained_vectors.vectors, encode(rows, network, "linear"))
    assert trained_vectors.words == text.vocabulary.words
    np.testing.assert_array_equal(trained_vectors.counts, text.counts)


def test_tanh_bounds_the_vectors(text):
    vectors = (
        Autoencoder(dimension=3, activation="tanh", learning_rate=0.05, epochs=5)
        .train(text, np.random.default_rng(0))
        .vectors
    )

    assert abs(vectors).max() <= 1


@pytest.mark.parametrize("number", [1, 2])
def test_the_number_of_threads_changes_no_byte(text, number, monkeypatch):
    settings = Autoencoder(dimension=16, epochs=2)
    expected = settings.train(text, np.random.default_rng(0)).vectors.tobytes()
    monkeypatch.setenv("LEXISCOPE_THREADS", str(number))

    with threadpool_limits(number):
        found = settings.train(text, np.random.default_rng(0)).vectors.tobytes()

    assert found == expected


def test_progress_is_reported_by_epoch(rows):
    reports = []
    fit(
        rows,
        Autoencoder(dimension=2, epochs=2),
        np.random.default_rng(0),
        lambda *report: reports.append(report),
    )

    assert reports == [("Training", 1, 2), ("Training", 2, 2)]


def test_a_learning_rate_that_diverges_is_reported(rows):
    with pytest.raises(BadUsage, match="learning_rate lower than 1e\\+30"):
        fit(rows, Autoencoder(dimension=2, learning_rate=1e30), np.random.default_rng(0))


def test_a_text_without_cooccurrences_is_refused():
    with pytest.raises(BadData, match="no two words co-occur"):
        Autoencoder().train(corpus("lone", [["a"], ["b"]]), np.random.default_rng(0))


def test_an_unknown_activation_is_refused():
    with pytest.raises(UnknownName, match="tanh"):
        Autoencoder(activation="tan")


def test_a_text_whose_words_have_equal_contexts_is_refused():
    words = corpus("alike", [[left, right] for left in "abc" for right in "abc"] * 3)

    with pytest.raises(BadData, match="every vector would be zero"):
        Autoencoder(window=1).train(words, np.random.default_rng(0))
