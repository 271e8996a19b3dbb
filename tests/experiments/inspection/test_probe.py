import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.preprocessing import normalize

from lexiscope.core.embedding import Embedding
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.inspection import probe
from lexiscope.experiments.inspection.frequencies import frequencies_of
from lexiscope.experiments.inspection.probe import frequency_probe


def made(vectors, counts=None):
    words = Vocabulary(tuple(f"w{k}" for k in range(len(vectors))))
    return Embedding("made", words, np.asarray(vectors, np.float32), counts)


def probed(given, thresholds, seed=0, **options):
    frequencies = frequencies_of(given, None, "")
    rng = np.random.default_rng(seed)
    return frequency_probe(given, frequencies, rng, thresholds, **options)


def planted(words=4000, dimension=20, strength=0.5, seed=0):
    """A direction in which vectors move with the logarithm of the rank."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(words, dimension))
    shift = np.log(np.arange(1, words + 1))
    vectors[:, 0] += strength * (shift - shift.mean())
    return vectors


def test_a_planted_frequency_direction_is_found():
    found = probed(made(planted(strength=3)), (300, 1000, 2000))

    for point in found.points:
        assert point.accuracy.low > 0.7
        assert point.control.value == pytest.approx(0.5, abs=0.1)
        assert point.same_direction > 0.7
        assert point.next_direction is None or point.next_direction > 0.7


def test_isotropic_noise_is_at_chance_and_the_interval_covers_it_as_often_as_it_says():
    # 40 independent spaces without information: 95 % of the intervals contain 0.5.
    inside, accuracies = [], []
    for seed in range(40):
        noise = np.random.default_rng(seed).normal(size=(240, 5))
        (point,) = probed(made(noise), (120,), seed).points
        inside.append(point.accuracy.low <= 0.5 <= point.accuracy.high)
        accuracies.append(point.accuracy.value)

    assert np.mean(inside) >= 0.85  # fewer have a probability of 0.1 %
    assert np.mean(accuracies) == pytest.approx(0.5, abs=0.02)


def test_the_accuracy_is_that_of_scikit_learn_on_the_same_words_and_folds(monkeypatch):
    samples, draw = [], probe._sample

    def recorded(*arguments):
        samples.append(draw(*arguments))
        return samples[-1]

    monkeypatch.setattr(probe, "_sample", recorded)
    given = made(planted(3000, strength=0.8))
    found = probed(given, (500, 1500), largest=600)

    for point, sample in zip(found.points, samples, strict=True):
        features = normalize(given.vectors[sample.words].astype(np.float64))
        model = LogisticRegression(solver="liblinear")
        scores = cross_val_score(model, features, sample.frequent, cv=PredefinedSplit(sample.fold))
        assert 0.6 < point.accuracy.value < 1
        assert point.accuracy.value == pytest.approx(scores.mean(), abs=1e-12)
        assert point.spread == pytest.approx(scores.std(ddof=1), abs=1e-12)


def test_all_thresholds_have_the_same_balance_and_number_of_words():
    found = probed(made(planted()), (100, 1000, 3000))

    assert {point.words for point in found.points} == {found.points[0].words}
    assert found.points[0].words <= 200  # as many as the rarest class has, twice


def test_thresholds_with_too_few_words_are_left_out_and_listed():
    found = probed(made(planted(1000)), (10, 500, 990, 5000))

    assert [point.threshold for point in found.points] == [500]
    assert found.left_out == (10, 990, 5000)


def test_counts_at_the_threshold_are_frequent():
    counts = np.r_[np.full(300, 7), np.full(300, 6)]
    vectors = np.random.default_rng(0).normal(size=(600, 5))
    vectors[:300, 2] += 9
    vectors[300:, 2] -= 9

    (point,) = probed(made(vectors, counts), (7,)).points

    assert point.accuracy.value > 0.95


def test_the_length_of_a_vector_does_not_help():
    # Frequent words have long vectors in random directions.
    vectors = np.random.default_rng(0).normal(size=(2000, 10))
    vectors[:1000] *= 50

    (point,) = probed(made(vectors), (1000,)).points

    assert point.accuracy.low < 0.5 < point.accuracy.high


def test_a_direction_that_turns_with_the_threshold_is_seen():
    # Before rank 1,000 frequency is in one dimension, after it in another.
    vectors = np.random.default_rng(0).normal(size=(4000, 10))
    vectors[:500, 0] += 4
    vectors[2000:, 1] += 4

    found = probed(made(vectors), (500, 2000))

    assert found.points[0].same_direction > 0.9
    assert found.points[0].next_direction < 0.8


@pytest.mark.parametrize("words", [1, 2, 99])
def test_few_words_have_no_probe_and_a_reason(words):
    found = probed(made(np.ones((words, 20))), (1, 50))

    assert found.points == ()
    assert "no threshold has 50 words on both sides" in found.state


def test_repeated_and_zero_vectors_have_chance_accuracy():
    vectors = np.ones((1000, 20))
    vectors[5:10] = 0

    (point,) = probed(made(vectors), (500,)).points

    assert point.accuracy.value == pytest.approx(0.5, abs=0.05)


def test_the_probe_follows_the_seed():
    given = made(planted())

    assert probed(given, (1000,)) == probed(given, (1000,))
    assert probed(given, (1000,)) != probed(given, (1000,), seed=1)
