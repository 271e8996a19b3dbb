"""Properties of all predictive models, tested with skip-gram and CBOW."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.trainers import _sharding
from lexiscope.trainers._predictive import Predictive, keep_probability
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.skipgram import Skipgram
from tests.builders import text
from tests.kernels.predictive import test_cbow, test_skipgram

SMALL = {"dimension": 5, "window": 2, "negative": 3, "epochs": 2, "learning_rate": 0.2}
REFERENCES = {
    Skipgram: (test_skipgram.reference_train, ()),
    Cbow: (test_cbow.reference_train, (2, True)),
}


@pytest.fixture
def short_rounds(monkeypatch):
    """Rounds of 80 tokens, and steps of four of them."""
    monkeypatch.setattr(_sharding, "_TOKENS", 80)
    monkeypatch.setattr(_sharding, "_LEVELS", 2)
    monkeypatch.setattr(_sharding, "_UPDATES", 12.0)


def slowly(model, words, seed):
    """A whole training with the slow kernels: shards in turn, rows merged in NumPy."""
    train, more = REFERENCES[type(model)]
    state = model.begin(words, default_rng(seed))
    tables = {name: state[name].astype(np.float64) for name in ("inputs", "outputs")}
    copies = [{name: table.copy() for name, table in tables.items()} for _ in range(model.shards)]
    schedule = _sharding.rounds_by_step(words, model.epochs, model.shards)
    decay = (model.learning_rate - model.min_learning_rate) / (len(words) * model.epochs)
    for number, rounds in enumerate(schedule):
        rng = default_rng([int(state["seed"][0]), number])
        seeds = rng.integers(1, 1 << 63, (len(rounds), model.shards)).tolist()
        for each, of_round in zip(rounds, seeds, strict=True):
            learning_rate = model.learning_rate - decay * each.tokens_before
            for copy, span, one in zip(copies, pairwise(each.boundaries), of_round, strict=True):
                segment = Segment(*span, learning_rate, decay * model.shards, one)
                sizes = model.window, model.dynamic_window, model.negative, *more
                train(model.text(words), segment, *sizes, copy["inputs"], copy["outputs"])
            merge_slowly(model, words, tables, copies, each)
    return tables


def merge_slowly(model, words, tables, copies, after):
    """A row is merged after as many rounds as keep the number of its updates small."""
    for name, rates in model.update_rates(words).items():
        updates, limit = rates * 80, 12 / model.shards
        for row in range(len(tables[name])):
            rounds = 1
            while rounds < 4 and (updates[row:] * 2 * rounds).max() <= limit:
                rounds *= 2
            if after.last or after.number % rounds == 0:
                change = sum(copy[name][row] - tables[name][row] for copy in copies)
                weight = min(1, max(1 / len(copies), limit / (updates[row] * rounds)))
                tables[name][row] += change * (1 if len(copies) == 1 else weight)
                for copy in copies:
                    copy[name][row] = tables[name][row]


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.usefixtures("short_rounds")
def test_training_agrees_with_the_slow_kernels(kind, shards):
    words, model = text(), kind(shards=shards, space="both", **SMALL)

    found = model.train(words, default_rng(4))

    slow = slowly(model, words, 4)
    expected = np.concatenate([slow["inputs"][:, :5], slow["outputs"][:, :5]], axis=1)
    assert_allclose(found.vectors, expected, atol=2e-5)


def test_words_with_equal_contexts_become_similar():
    rng = default_rng(0)
    sides = [("a", "b"), ("c", "d")]
    sampled = ((rng.integers(2), rng.integers(3)) for _ in range(3000))
    words = corpus("two kinds", [[sides[k][0], f"{k}{n}", sides[k][1]] for k, n in sampled])

    for kind in REFERENCES:
        found = kind(
            dimension=8, window=1, dynamic_window=False, subsample=0, learning_rate=0.1
        ).train(words, rng)
        vectors = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
        near = {word: vectors[found.vocabulary.find([word])[0]] for word in found.words}
        same = min(near["00"] @ near["01"], near["00"] @ near["02"], near["10"] @ near["11"])
        other = max(near["00"] @ near["10"], near["01"] @ near["12"], near["02"] @ near["11"])
        assert same > other + 0.3


@pytest.mark.usefixtures("short_rounds")
def test_a_training_resumed_after_any_step_gives_the_same_bytes():
    words, model = text(), Skipgram(shards=2, **SMALL)
    whole = model.train(words, default_rng(4)).fingerprint
    schedule = len(_sharding.rounds_by_step(words, 2, 2))
    assert schedule > 2

    for stop in range(schedule):
        state = model.begin(words, default_rng(4))
        for done, _ in enumerate(model.steps(words, state), 1):
            if done > stop:
                break
        kept_state = {name: array.copy() for name, array in state.items()}
        for _ in model.steps(words, kept_state):
            pass
        assert model.finish(words, kept_state).fingerprint == whole


def test_spaces_are_input_and_output_vectors():
    words = text()
    found = {
        space: Skipgram(space=space, **SMALL).train(words, default_rng(0)).vectors
        for space in ("input", "output", "both")
    }

    assert found["input"].shape == found["output"].shape == (len(words.vocabulary), 5)
    assert_array_equal(found["both"], np.hstack([found["input"], found["output"]]))
    assert not np.allclose(found["input"], found["output"])


def test_hogwild_threads_train_and_are_reported_as_not_repeatable(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    model = Skipgram(hogwild=True, **SMALL)

    found = model.train(text(), default_rng(0))

    assert not model.repeatable
    assert Skipgram().repeatable
    assert np.isfinite(found.vectors).all()
    assert np.abs(found.vectors).max() > 1 / 5  # the largest initial value


def test_a_step_finishes_before_an_interrupt_is_raised():
    from concurrent.futures import Future

    class Interrupted(Future):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def result(self, timeout=None):
            self.calls += 1
            if self.calls == 1:
                raise KeyboardInterrupt
            if not self.done():
                self.set_result(None)
            return super().result(timeout)

    step = Interrupted()

    with pytest.raises(KeyboardInterrupt):
        _sharding.wait_for(step)

    assert step.done()


def test_a_setting_with_another_default_has_the_same_help_and_bounds():
    ours, base = (kind.__dataclass_fields__["learning_rate"] for kind in (Cbow, Predictive))

    assert (ours.default, base.default) == (0.05, 0.025)
    assert ours.metadata == base.metadata
    with pytest.raises(BadUsage, match=r"cbow\.learning_rate must be more than 0"):
        Cbow(learning_rate=0.0)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"window": -1}, "skipgram.window must be 1 or more, found -1."),
        ({"epochs": 0}, "skipgram.epochs must be 1 or more, found 0."),
        ({"negative": 0}, "skipgram.negative must be 1 or more, found 0."),
        ({"learning_rate": 0.0}, "skipgram.learning_rate must be more than 0, found 0.0."),
        (
            {"learning_rate": 0.01, "min_learning_rate": 0.02},
            "skipgram.min_learning_rate must be at most the learning_rate, 0.01, found 0.02.",
        ),
        ({"subsample": -1e-3}, "skipgram.subsample must be 0 or more, found -0.001."),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_setting_out_of_range_is_refused(settings, sentence):
    with pytest.raises(BadUsage) as caught:
        Skipgram(**settings)

    assert str(caught.value) == sentence


def test_more_negative_samples_than_words_are_refused():
    with pytest.raises(BadUsage) as caught:
        Skipgram(negative=3).train(corpus("three", [["a", "b", "c"]]), default_rng(0))

    assert str(caught.value) == (
        "negative must be less than the vocabulary size of the text, 3, found 3."
    )


def test_a_text_of_one_word_is_refused():
    with pytest.raises(BadUsage, match="one word only"):
        Cbow().train(corpus("one", [["a", "a"]]), default_rng(0))


@pytest.mark.parametrize(
    ("frequency", "subsample", "expected"),
    [(1e-3, 1e-3, 1.0), (0.1, 1e-3, 0.11), (0.05, 0.0, 1.0), (1e-9, 1e-3, 1.0)],
)
def test_frequent_words_are_subsampled_as_in_word2vec(frequency, subsample, expected):
    """sqrt(0.001 / 0.1) + 0.001 / 0.1 = 0.1 + 0.01."""
    assert keep_probability(np.array([frequency]), subsample)[0] == pytest.approx(expected)


def test_words_that_occur_once_in_a_long_text_are_never_discarded():
    words = corpus("long", [*[["a", "b"]] * 2000, ["a", "once", "b"]])

    keep = Skipgram().text(words).keep

    assert keep[words.vocabulary.find(["once"])[0]] == 2**32
    assert keep[0] < 2**28
    assert (Skipgram(subsample=0).text(words).keep == 2**32).all()
