"""What holds for all models that foretell words; shown with skip-gram and CBOW."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadUsage
from lexiscope.kernels.walking import Piece
from lexiscope.trainers import _rounds
from lexiscope.trainers._predictive import kept
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.skipgram import Skipgram
from tests.kernels import test_cbow, test_skipgram
from tests.making import text

SMALL = {"dimension": 5, "window": 2, "negatives": 3, "epochs": 2, "rate": 0.2}
TWINS = {Skipgram: (test_skipgram.slowly, ()), Cbow: (test_cbow.slowly, (True,))}


@pytest.fixture
def short_rounds(monkeypatch):
    """Rounds of 80 tokens, and steps of four of them."""
    monkeypatch.setattr(_rounds, "_TOKENS", 80)
    monkeypatch.setattr(_rounds, "_LEVELS", 2)
    monkeypatch.setattr(_rounds, "_MOVES", 12.0)


def slowly(model, words, seed):
    """The whole training by the slow twins: shards walk by turns, rows are merged in NumPy."""
    twin, more = TWINS[type(model)]
    state = model.begin(words, default_rng(seed))
    tables = {name: state[name].astype(np.float64) for name in ("inputs", "outputs")}
    copies = [{name: table.copy() for name, table in tables.items()} for _ in range(model.shards)]
    planned = _rounds._planned(words, model.epochs, model.shards)
    fall = (model.rate - model.last_rate) / (len(words) * model.epochs)
    for number, rounds in enumerate(planned):
        drawn = default_rng([int(state["seed"][0]), number])
        seeds = drawn.integers(1, 1 << 63, (len(rounds), model.shards)).tolist()
        for each, of_round in zip(rounds, seeds, strict=True):
            rate = model.rate - fall * each.walked
            for copy, span, one in zip(copies, pairwise(each.cuts), of_round, strict=True):
                piece = Piece(*span, rate, fall * model.shards, one)
                habits = model.window, model.dynamic, model.negatives, *more
                twin(model.text(words), piece, *habits, copy["inputs"], copy["outputs"])
            merge_slowly(model, words, tables, copies, each)
    return tables


def merge_slowly(model, words, tables, copies, after):
    """Rows go without a merge for as many rounds as keep their moves few."""
    for name, often in model.often(words).items():
        moves, few = often * 80, 12 / model.shards
        for row in range(len(tables[name])):
            rounds = 1
            while rounds < 4 and (moves[row:] * 2 * rounds).max() <= few:
                rounds *= 2
            if after.last or after.number % rounds == 0:
                moved = sum(copy[name][row] - tables[name][row] for copy in copies)
                share = min(1, max(1 / len(copies), few / (moves[row] * rounds)))
                tables[name][row] += moved * (1 if len(copies) == 1 else share)
                for copy in copies:
                    copy[name][row] = tables[name][row]


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize("kind", TWINS)
@pytest.mark.usefixtures("short_rounds")
def test_a_training_is_that_of_the_slow_twin(kind, shards):
    words, model = text(), kind(shards=shards, space="both", **SMALL)

    found = model.train(words, default_rng(4))

    slow = slowly(model, words, 4)
    expected = np.concatenate([slow["inputs"][:, :5], slow["outputs"][:, :5]], axis=1)
    assert_allclose(found.vectors, expected, atol=2e-5)


def test_words_with_equal_contexts_end_nearer_than_others():
    rng = default_rng(0)
    sides = [("a", "b"), ("c", "d")]
    drawn = ((rng.integers(2), rng.integers(3)) for _ in range(3000))
    words = corpus("two kinds", [[sides[k][0], f"{k}{n}", sides[k][1]] for k, n in drawn])

    for kind in TWINS:
        found = kind(dimension=8, window=1, dynamic=False, subsample=0, rate=0.1).train(words, rng)
        vectors = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
        near = {word: vectors[found.vocabulary.find([word])[0]] for word in found.words}
        same = min(near["00"] @ near["01"], near["00"] @ near["02"], near["10"] @ near["11"])
        other = max(near["00"] @ near["10"], near["01"] @ near["12"], near["02"] @ near["11"])
        assert same > other + 0.3


@pytest.mark.usefixtures("short_rounds")
def test_a_training_that_stops_after_any_step_goes_on_to_the_same_bytes():
    words, model = text(), Skipgram(shards=2, **SMALL)
    whole = model.train(words, default_rng(4)).fingerprint
    planned = len(_rounds._planned(words, 2, 2))
    assert planned > 2

    for stop in range(planned):
        state = model.begin(words, default_rng(4))
        for done, _ in enumerate(model.steps(words, state), 1):
            if done > stop:
                break
        kept_state = {name: array.copy() for name, array in state.items()}
        for _ in model.steps(words, kept_state):
            pass
        assert model.finish(words, kept_state).fingerprint == whole


def test_spaces_are_those_of_words_around_and_of_words_foretold():
    words = text()
    found = {
        space: Skipgram(space=space, **SMALL).train(words, default_rng(0)).vectors
        for space in ("input", "output", "both")
    }

    assert found["input"].shape == found["output"].shape == (len(words.vocabulary), 5)
    assert_array_equal(found["both"], np.hstack([found["input"], found["output"]]))
    assert not np.allclose(found["input"], found["output"])


def test_racing_threads_learn_and_say_that_they_cannot_be_repeated(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    model = Skipgram(racing=True, **SMALL)

    found = model.train(text(), default_rng(0))

    assert not model.repeatable
    assert Skipgram().repeatable
    assert np.isfinite(found.vectors).all()
    assert np.abs(found.vectors).max() > 1 / 5  # the largest number at the start


def test_a_step_that_an_interrupt_falls_into_is_ended_first():
    from concurrent.futures import Future

    class Interrupted(Future):
        def __init__(self):
            super().__init__()
            self.asked = 0

        def result(self, timeout=None):
            self.asked += 1
            if self.asked == 1:
                raise KeyboardInterrupt
            if not self.done():
                self.set_result(None)
            return super().result(timeout)

    step = Interrupted()

    with pytest.raises(KeyboardInterrupt):
        _rounds.whole(step)

    assert step.done()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"window": -1}, "window must be 1 or more, found -1."),
        ({"epochs": 0}, "epochs must be 1 or more, found 0."),
        ({"negatives": 0}, "negatives must be 1 or more, found 0."),
        ({"rate": 0.0}, "rate must be more than 0, found 0.0."),
        (
            {"rate": 0.01, "last_rate": 0.02},
            "last_rate must be at most the rate, 0.01, found 0.02.",
        ),
        ({"subsample": -1e-3}, "subsample must be 0 or more, found -0.001."),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_setting_that_makes_no_sense_gets_one_sentence(settings, sentence):
    with pytest.raises(BadUsage) as caught:
        Skipgram(**settings)

    assert str(caught.value) == sentence


def test_more_negatives_than_words_get_one_sentence():
    with pytest.raises(BadUsage) as caught:
        Skipgram(negatives=3).train(corpus("three", [["a", "b", "c"]]), default_rng(0))

    assert str(caught.value) == "negatives must be fewer than the 3 words of the text, found 3."


def test_a_text_of_one_word_gets_one_sentence():
    with pytest.raises(BadUsage, match="one word only"):
        Cbow().train(corpus("one", [["a", "a"]]), default_rng(0))


@pytest.mark.parametrize(
    ("share", "subsample", "expected"),
    [(1e-3, 1e-3, 1.0), (0.1, 1e-3, 0.11), (0.05, 0.0, 1.0), (1e-9, 1e-3, 1.0)],
)
def test_frequent_words_are_left_out_as_in_word2vec(share, subsample, expected):
    """sqrt(0.001 / 0.1) + 0.001 / 0.1 = 0.1 + 0.01."""
    assert kept(np.array([share]), subsample)[0] == pytest.approx(expected)


def test_words_that_occur_once_in_a_long_text_always_stay():
    words = corpus("long", [*[["a", "b"]] * 2000, ["a", "once", "b"]])

    keep = Skipgram().text(words).keep

    assert keep[words.vocabulary.find(["once"])[0]] == 2**32
    assert keep[0] < 2**28
    assert (Skipgram(subsample=0).text(words).keep == 2**32).all()
