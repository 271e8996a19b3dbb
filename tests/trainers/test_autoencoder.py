import numpy as np
import pytest
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from lexiscope.stats.hellinger import hellinger_rows
from lexiscope.trainers.autoencoder import Autoencoder, Network, encoded, sloped, trained


def sentences(number=400, words=60, seed=0):
    """Sentences of eight words, each about one of four subjects."""
    rng = np.random.default_rng(seed)
    subjects = rng.integers(0, 4, number)
    places = (rng.zipf(1.3, (number, 8)) * 4 + subjects[:, None]) % words
    return [[f"w{word}" for word in row] for row in places.tolist()]


@pytest.fixture
def text():
    return corpus("text", sentences())


@pytest.fixture
def rows(text):
    counts = cooccurrences(text, Contexts(5), np.random.default_rng(0))
    return hellinger_rows(counts, 10_000)


def mean_error(rows, network, activation):
    """The squared distance of rows to what the network makes of them, as written in the paper."""
    sums = (rows - network.mean) @ network.encoder
    hidden = np.tanh(sums) if activation == "tanh" else sums
    return float(((hidden @ network.decoder + network.mean - rows) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize("activation", ["linear", "tanh"])
def test_slopes_are_those_of_the_error(activation):
    rng = np.random.default_rng(0)
    dense = rng.random((7, 5)) * (rng.random((7, 5)) < 0.6)
    network = Network(rng.random(5), rng.normal(size=(5, 3)), rng.normal(size=(3, 5)))

    slopes = sloped(csr_array(dense), network, activation)

    assert slopes.error / 7 == pytest.approx(mean_error(dense, network, activation), rel=1e-9)
    small = 1e-6
    for weights, found in zip(network[1:], slopes[1:], strict=True):
        for place in np.ndindex(weights.shape):
            kept = weights[place]
            weights[place] = kept + small
            higher = mean_error(dense, network, activation)
            weights[place] = kept - small
            lower = mean_error(dense, network, activation)
            weights[place] = kept
            assert found[place] == pytest.approx((higher - lower) / (2 * small), abs=1e-6)


def slow_training(rows, settings, rng):
    """Adam as in its paper's algorithm 1, with the whole reconstruction, in double precision."""
    mean, (count, contexts) = rows.mean(axis=0), rows.shape
    rows = rows - mean
    spread = 0.3 / np.sqrt(settings.dimension)
    encoder = rng.normal(0, spread, (contexts, settings.dimension))
    weights = [encoder, encoder.T.copy()]
    means, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    steps, step = settings.epochs * -(-count // settings.batch), 0
    for _ in range(settings.epochs):
        order = rng.permutation(count)
        for start in range(0, count, settings.batch):
            some = rows[order[start : start + settings.batch]]
            hidden = some @ weights[0]
            wrong = 2 / len(some) * (hidden @ weights[1] - some)
            slopes = [some.T @ (wrong @ weights[1].T), hidden.T @ wrong]
            rate = settings.rate * (1 - step / steps)
            step += 1
            for k in range(2):
                means[k] = 0.9 * means[k] + 0.1 * slopes[k]
                squares[k] = 0.999 * squares[k] + 0.001 * slopes[k] ** 2
                mean, square = means[k] / (1 - 0.9**step), squares[k] / (1 - 0.999**step)
                weights[k] -= rate * mean / (np.sqrt(square) + 1e-8)
    return Network(mean, *weights)


def test_training_agrees_with_a_slow_loop(rows):
    settings = Autoencoder(dimension=4, epochs=3, batch=16)

    # In double precision: where a slope is all but zero, Adam makes steps of its rounding errors.
    network = trained(rows.astype(np.float64), settings, np.random.default_rng(2))
    expected = slow_training(rows.toarray().astype(np.float64), settings, np.random.default_rng(2))

    np.testing.assert_allclose(network.encoder, expected.encoder, atol=1e-7)
    np.testing.assert_allclose(network.decoder, expected.decoder, atol=1e-7)


def test_single_precision_comes_to_the_same_error(rows):
    settings = Autoencoder(dimension=4, epochs=30, batch=16)

    errors = [
        mean_error(rows.toarray(), trained(typed, settings, np.random.default_rng(2)), "linear")
        for typed in (rows, rows.astype(np.float64))
    ]

    assert errors[0] == pytest.approx(errors[1], rel=1e-4)


@pytest.mark.parametrize("activation", ["linear", "tanh"])
def test_the_error_comes_near_that_of_the_best_directions(rows, activation):
    settings = Autoencoder(dimension=8, activation=activation, epochs=600, batch=16, rate=0.02)

    network = trained(rows, settings, np.random.default_rng(0))

    values = np.linalg.svd(rows.toarray() - rows.toarray().mean(axis=0), compute_uv=False)
    least = (values[8:] ** 2).sum() / rows.shape[0]
    found = mean_error(rows.toarray(), network, activation)
    assert found < 1.03 * least
    assert activation == "tanh" or found > 0.9999 * least


def test_vectors_are_what_the_encoder_gives(text):
    settings = Autoencoder(dimension=5, epochs=2, contexts=20)

    trained_vectors = settings.train(text, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    rows = hellinger_rows(cooccurrences(text, Contexts(5), rng), 20)
    network = trained(rows, settings, rng)

    assert network.encoder.shape == (20, 5)
    np.testing.assert_array_equal(trained_vectors.vectors, encoded(rows, network, "linear"))
    assert trained_vectors.words == text.vocabulary.words
    np.testing.assert_array_equal(trained_vectors.counts, text.counts)


def test_tanh_keeps_numbers_between_minus_one_and_one(text):
    vectors = (
        Autoencoder(dimension=3, activation="tanh", rate=0.05, epochs=5)
        .train(text, np.random.default_rng(0))
        .vectors
    )

    assert abs(vectors).max() <= 1


@pytest.mark.parametrize("number", [1, 2])
def test_threads_change_no_byte(text, number, monkeypatch):
    settings = Autoencoder(dimension=16, epochs=2)
    expected = settings.train(text, np.random.default_rng(0)).vectors.tobytes()
    monkeypatch.setenv("LEXISCOPE_THREADS", str(number))

    with threadpool_limits(number):
        found = settings.train(text, np.random.default_rng(0)).vectors.tobytes()

    assert found == expected


def test_progress_is_told_by_epochs(rows):
    told = []
    trained(
        rows,
        Autoencoder(dimension=2, epochs=2),
        np.random.default_rng(0),
        lambda *report: told.append(report),
    )

    assert told == [("Training", 1, 2), ("Training", 2, 2)]


def test_a_rate_that_makes_the_error_overflow_is_named(rows):
    with pytest.raises(BadUsage, match="rate lower than 1e\\+30"):
        trained(rows, Autoencoder(dimension=2, rate=1e30), np.random.default_rng(0))


def test_a_text_of_lone_words_is_refused():
    with pytest.raises(BadData, match="no two words stand together"):
        Autoencoder().train(corpus("lone", [["a"], ["b"]]), np.random.default_rng(0))


def test_an_unknown_activation_is_refused():
    with pytest.raises(UnknownName, match="tanh"):
        Autoencoder(activation="tan")


def test_words_with_the_same_contexts_are_refused():
    words = corpus("alike", [[left, right] for left in "abc" for right in "abc"] * 3)

    with pytest.raises(BadData, match="every vector would be zero"):
        Autoencoder(window=1).train(words, np.random.default_rng(0))
