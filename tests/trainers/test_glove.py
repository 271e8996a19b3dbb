from itertools import pairwise

import numpy as np
import pytest

from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.kernels import glove as kernels
from lexiscope.trainers.glove import Glove, fit, group_entries, initial_table


def sentences(number=60, words=25, seed=0):
    """Sentences of words with a Zipf distribution."""
    rng = np.random.default_rng(seed)
    frequencies = 1 / np.arange(1, words + 1)
    sampled = rng.choice(words, (number, 8), p=frequencies / frequencies.sum())
    return [[f"w{word}" for word in row] for row in sampled.tolist()]


@pytest.fixture
def text():
    return corpus("text", sentences())


@pytest.fixture
def counts(text):
    return cooccurrences(text, Contexts(3, "harmonic"), np.random.default_rng(0))


def slow_fit(counts, settings, rng):
    """The paper's equation by AdaGrad in double precision, entries in the trainer's order."""
    size, dimension = counts.shape[0], settings.dimension
    columns = np.arange(dimension + 1)
    words = initial_table(size, dimension, dimension, rng)[:, 0, columns].astype(np.float64)
    columns[-1] += 1
    contexts = initial_table(size, dimension, dimension + 1, rng)[:, 0, columns].astype(np.float64)
    squares = np.ones_like(words), np.ones_like(contexts)
    entries = group_entries(counts, settings, 16)
    costs = []
    for _ in range(settings.epochs):
        costs.append(0.0)
        seeds = rng.integers(1, 1 << 63, (16, 16))
        for shift in rng.permutation(16):
            for row in range(16):
                block = row * 16 + (row + shift) % 16
                bounds = entries.bounds[block : block + 2]
                kernels.shuffle(*entries[2:], *bounds, seeds[shift, row])
                for e in range(*bounds):
                    i, j = entries.rows[e], entries.columns[e]
                    count = counts[i, j]
                    weight = min(1, (count / settings.x_max) ** settings.alpha)
                    error = words[i, :-1] @ contexts[j, :-1] + words[i, -1] + contexts[j, -1]
                    error -= np.log(count)
                    costs[-1] += 0.5 * weight * error**2 / counts.nnz
                    of_word = (
                        settings.learning_rate * weight * error * np.append(contexts[j, :-1], 1)
                    )
                    of_context = (
                        settings.learning_rate * weight * error * np.append(words[i, :-1], 1)
                    )
                    words[i] -= of_word / np.sqrt(squares[0][i])
                    contexts[j] -= of_context / np.sqrt(squares[1][j])
                    squares[0][i] += of_word**2
                    squares[1][j] += of_context**2
    return words, contexts, costs


def test_the_fit_agrees_with_a_slow_implementation(counts):
    settings = Glove(dimension=5, epochs=4, x_max=2.0)

    found = fit(counts, settings, np.random.default_rng(3))
    words, contexts, costs = slow_fit(counts, settings, np.random.default_rng(3))

    np.testing.assert_allclose(found.words, words, atol=1e-5)
    np.testing.assert_allclose(found.contexts, contexts, atol=1e-5)
    assert found.costs == pytest.approx(costs, rel=1e-5)


def test_weights_grow_up_to_x_max(counts):
    entries = group_entries(counts, Glove(x_max=4.0, alpha=0.5), 2)

    values = counts[entries.rows, entries.columns]
    expected = np.where(values < 4, np.sqrt(values / 4), 1)
    np.testing.assert_allclose(entries.weights, expected, rtol=1e-6)
    np.testing.assert_allclose(entries.logs, np.log(values), rtol=1e-5, atol=1e-6)


def test_the_cost_decreases_with_each_epoch(counts):
    costs = fit(counts, Glove(dimension=10, epochs=30, x_max=2.0), np.random.default_rng(0)).costs

    assert all(later < earlier for earlier, later in pairwise(costs))
    assert costs[-1] < 0.2 * costs[0]


def test_products_and_biases_converge_to_the_logarithms(counts):
    settings = Glove(dimension=30, epochs=600, x_max=1e-9, learning_rate=0.2)

    found = fit(counts, settings, np.random.default_rng(0))

    rows, columns = counts.nonzero()
    products = np.einsum("nd,nd->n", found.words[rows, :-1], found.contexts[columns, :-1])
    given = products + found.words[rows, -1] + found.contexts[columns, -1]
    np.testing.assert_allclose(given, np.log(counts[rows, columns]), atol=0.02)


@pytest.mark.parametrize("number", ["1", "2", "4"])
def test_the_number_of_threads_changes_no_byte(text, number, monkeypatch):
    trainer = Glove(dimension=8, epochs=3)
    monkeypatch.setenv("LEXISCOPE_THREADS", "3")
    expected = trainer.train(text, np.random.default_rng(0)).vectors.tobytes()
    monkeypatch.setenv("LEXISCOPE_THREADS", number)

    assert trainer.train(text, np.random.default_rng(0)).vectors.tobytes() == expected


def test_another_seed_gives_other_vectors(text):
    first, second = (
        Glove(dimension=4, epochs=1).train(text, np.random.default_rng(seed)).vectors
        for seed in (0, 1)
    )

    assert (first != second).any()


def test_vectors_are_those_of_words_and_contexts_added_without_biases(text, counts):
    trainer = Glove(dimension=6, window=3, epochs=2)

    trained = trainer.train(text, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    cooccurrences(text, Contexts(3, "harmonic"), rng)
    found = fit(counts, trainer, rng)

    assert trained.vectors.shape == (len(text.vocabulary), 6)
    np.testing.assert_array_equal(trained.vectors, (found.words + found.contexts)[:, :6])
    assert trained.words == text.vocabulary.words
    np.testing.assert_array_equal(trained.counts, text.counts)


def test_progress_is_reported_by_epoch(text):
    reports = []
    Glove(dimension=2, epochs=3).train(
        text, np.random.default_rng(0), lambda *report: reports.append(report)
    )

    assert [report for report in reports if report[0] == "Training"] == [
        ("Training", 1, 3),
        ("Training", 2, 3),
        ("Training", 3, 3),
    ]


def test_a_learning_rate_that_diverges_is_reported(text):
    with pytest.raises(BadUsage, match="learning_rate lower than 1e\\+30"):
        Glove(dimension=4, epochs=20, learning_rate=1e30).train(text, np.random.default_rng(0))


def test_a_text_without_cooccurrences_is_refused():
    with pytest.raises(BadData, match="no two words co-occur"):
        Glove().train(corpus("lone", [["a"], ["b"]]), np.random.default_rng(0))


@pytest.mark.parametrize(
    "wrong", [{"dimension": 0}, {"learning_rate": 0.0}, {"x_max": -1.0}, {"epochs": 0}]
)
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(BadUsage, match=next(iter(wrong))):
        Glove(**wrong)
