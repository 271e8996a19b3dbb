import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.lbl import Lbl
from tests.builders import text
from tests.cooccurrence.reference_counts import zipf
from tests.trainers.training import cosine, trained_state

LOSSES = ["nce", "negative"]
SMALL = {"dimension": 10, "window": 2, "dynamic_window": False, "epochs": 20, "subsample": 0}


def test_the_initial_model_is_a_bag_of_words():
    words, model = text(), Lbl(dimension=8, window=2)

    tables = model.initial_tables(words, default_rng(0))

    assert tables["inputs"].shape == tables["outputs"].shape == (40, 16)
    assert_array_equal(tables["positions"], [[1] * 8 + [0] * 8] * 4)
    assert not tables["inputs"][:, 8:].any()
    assert not tables["outputs"][:, :8].any()


def test_initial_biases_are_log_ratios_of_word_and_noise_probabilities():
    words = corpus("words", [["a", "b", "a", "c"]])

    even = Lbl(ns_exponent=0, negative=2, subsample=0).initial_biases(words)

    # Frequencies 1/2, 1/4, 1/4; two negative samples, each with probability 1/3.
    assert_allclose(even, np.log([(1 / 2) / (2 / 3), (1 / 4) / (2 / 3), (1 / 4) / (2 / 3)]))
    assert_allclose(
        Lbl(ns_exponent=1, negative=2, subsample=0).initial_biases(words), np.log([1 / 2] * 3)
    )
    assert_array_equal(Lbl(loss="negative").initial_biases(words), [0, 0, 0])


def test_words_that_never_occur_have_finite_biases():
    words = zipf(200, 400)
    assert (words.counts == 0).any()

    assert np.isfinite(
        Lbl(dimension=4, epochs=1, ns_exponent=0).train(words, default_rng(0)).vectors
    ).all()


def test_noise_contrastive_scores_are_logarithms_of_probabilities():
    probabilities = np.array([0.5, 0.3, 0.2])
    sampled = default_rng(0).choice(["x", "y", "z"], 20_000, p=probabilities)
    words = corpus("pairs", [["a", word] for word in sampled])
    model = Lbl(**{**SMALL, "window": 1, "negative": 3, "ns_exponent": 1, "epochs": 3})

    state = trained_state(model, words)

    find = words.vocabulary.find
    hidden = state["positions"][0] * state["inputs"][find(["a"])[0]]
    hidden[10] = 1
    frequencies = words.counts / len(words)
    scores = state["outputs"] @ hidden + np.log(3 * frequencies)
    assert_allclose(np.exp(scores)[find(["x", "y", "z"])], probabilities, atol=0.03)


@pytest.mark.parametrize("loss", LOSSES)
def test_words_with_equal_contexts_become_similar(loss):
    rng = default_rng(0)
    sampled = (rng.integers(0, (2, 3, 3, 3)).tolist() for _ in range(600))
    words = corpus("two kinds", [[f"l{k}{i}", f"{k}{m}", f"r{k}{j}"] for k, m, i, j in sampled])

    found = Lbl(loss=loss, **SMALL).train(words, rng)

    for one, same, other in (("00", "01", "10"), ("02", "00", "11"), ("11", "12", "02")):
        assert cosine(found, one, same) > cosine(found, one, other) + 0.4


@pytest.mark.parametrize("loss", LOSSES)
def test_order_matters(loss):
    """X and Y have the same context words in another order."""
    pairs = default_rng(0).integers(0, 8, (400, 2)).tolist()
    forth = [[f"a{i}", "X", f"b{i}"] for i, _ in pairs]
    words = corpus("orders", [*forth, *([f"b{i}", "Y", f"a{i}"] for _, i in pairs)])

    bag = Cbow(space="output", **SMALL).train(words, default_rng(1))
    ordered = Lbl(loss=loss, learning_rate=0.05, space="output", **SMALL).train(
        words, default_rng(1)
    )

    assert cosine(bag, "X", "Y") > 0.9
    assert cosine(ordered, "X", "Y") < 0.6


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_position_weights_stay_bounded_with_any_number_of_shards(shards):
    words = zipf(300, 120_000)

    state = trained_state(Lbl(dimension=12, epochs=3, shards=shards), words)

    assert np.abs(state["positions"]).max() < 5
    assert np.abs(state["inputs"]).max() < 5


def test_the_vectors_exclude_the_bias():
    words = text()
    given = {"dimension": 8, "epochs": 1}

    state = trained_state(Lbl(**given), words)
    both = Lbl(space="both", **given).train(words, default_rng(0)).vectors

    assert_array_equal(both[:, :8], state["inputs"][:, :8])
    assert_array_equal(both[:, 8:], state["outputs"][:, :8])


def test_the_window_can_be_dynamic():
    words = text()

    fixed, dynamic = (
        Lbl(dimension=4, dynamic_window=dynamic_window).train(words, default_rng(0))
        for dynamic_window in (False, True)
    )

    assert fixed.fingerprint != dynamic.fingerprint


@pytest.mark.parametrize("loss", LOSSES)
def test_a_learning_rate_that_diverges_is_reported(loss):
    with pytest.raises(BadUsage, match="learning_rate lower than 50"):
        Lbl(learning_rate=50, loss=loss).train(text(), default_rng(0))


LAI = {"variant": "lai2015", "dimension": 10, "window": 1, "subsample": 0}


def test_the_variant_determines_the_settings_of_its_program():
    assert (Lbl().learning_rate, Lbl().min_learning_rate, Lbl().loss) == (0.025, 1e-4, "nce")

    program = Lbl(variant="lai2015")

    rates = program.learning_rate, program.min_learning_rate
    assert (*rates, program.loss) == (0.05, 0.05, "negative")
    faster = Lbl(variant="lai2015", learning_rate=0.1)
    assert (faster.learning_rate, faster.min_learning_rate) == (0.1, 0.1)


def test_the_initial_network_of_lai_has_small_random_numbers_and_tiny_squares():
    words = text()

    tables = Lbl(variant="lai2015", dimension=5, window=2).initial_tables(words, default_rng(0))

    assert {name: table.shape for name, table in tables.items()} == {
        "inputs": (40, 16), "outputs": (40, 16), "border": (1, 16), "weights": (8, 64)
    }  # fmt: skip
    for name, table in tables.items():
        parameters, squares = np.hsplit(table, 2)
        assert_array_equal(squares, np.full_like(squares, 1e-8))
        slots = parameters.reshape(len(table), -1, 8)
        assert not slots[:, :, 5:].any()
        assert name == "weights" or slots[:, :, :5].any() == (name != "outputs")
    assert 0.09 < np.abs(tables["inputs"][:, :5]).max() <= 0.1
    weights = np.hsplit(tables["weights"], 2)[0].reshape(8, 4, 8)
    assert weights[:5, :, :5].all()
    assert not weights[5:].any()
    assert 0.09 < np.abs(weights).max() <= 0.1


def test_sampled_sentence_marks_of_lai_become_words_with_equal_probability():
    """Counts 4, 1, 1, and 2 marks; the exponent 0.5 gives weights 2, 1, 1 and sqrt(2)."""
    words = corpus("words", [["a", "a", "b"], ["a", "c", "a"]])

    _, found = Lbl(variant="lai2015", ns_exponent=0.5).word_probabilities(words)

    third = 2**0.5 / 3
    assert_allclose(found, np.array([2 + third, 1 + third, 1 + third]) / (4 + 2**0.5))


def test_words_with_equal_contexts_become_similar_with_lai():
    rng = default_rng(0)
    sampled = (rng.integers(0, (2, 3, 3, 3)).tolist() for _ in range(600))
    words = corpus("two kinds", [[f"l{k}{i}", f"{k}{m}", f"r{k}{j}"] for k, m, i, j in sampled])

    found = Lbl(**LAI, epochs=5, space="output").train(words, rng)

    for one, same, other in (("00", "01", "10"), ("02", "00", "11"), ("11", "12", "02")):
        assert cosine(found, one, same) > cosine(found, one, other) + 0.4


def test_order_matters_with_lai():
    """X and Y have the same context words in another order."""
    pairs = default_rng(0).integers(0, 8, (400, 2)).tolist()
    forth = [[f"a{i}", "X", f"b{i}"] for i, _ in pairs]
    words = corpus("orders", [*forth, *([f"b{i}", "Y", f"a{i}"] for _, i in pairs)])

    found = Lbl(**LAI, epochs=5, space="output").train(words, default_rng(1))

    assert cosine(found, "X", "Y") < 0.6


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_lai_gives_the_same_bytes_on_any_number_of_threads(shards, monkeypatch):
    words, found = zipf(300, 60_000), set()

    for threads in "12":
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        model = Lbl(**LAI, epochs=1, shards=shards)
        trained = model.train(words, default_rng(0))
        found.add(trained.fingerprint)
        assert np.abs(trained.vectors).max() < 5

    assert len(found) == 1


def test_both_spaces_of_lai_have_the_given_dimension():
    words = text()

    state = trained_state(Lbl(**LAI, epochs=1), words)
    both = Lbl(**LAI, epochs=1, space="both").train(words, default_rng(0)).vectors

    assert_array_equal(both[:, :10], state["inputs"][:, :10])
    assert_array_equal(both[:, 10:], state["outputs"][:, :10])


def test_lai_has_no_dynamic_window():
    with pytest.raises(BadUsage, match="dynamic_window must be false with the variant lai2015"):
        Lbl(variant="lai2015", dynamic_window=True)
