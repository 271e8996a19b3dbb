from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.core.contracts.term_model import TERM
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.kernels.rng import alias_table
from lexiscope.learners.term_models.nonce2vec import TUNED, Nonce2vec
from tests.learners.term_models.material import SplitMix, background, generator, samples, slow_sum


def slow_vector(model, sample, space, rng):
    """Nonce2Vec as in the released program, pair by pair."""
    vector = slow_sum(model, sample, space, rng)
    random = SplitMix(rng.integers(2**64, dtype=np.uint64))
    table = alias_table(space.counts.astype(float) ** model.ns_exponent)
    known = [int(code) for sentence in sample for code in sentence if code >= 0]
    total = sum(int((sentence != -1).sum()) for sentence in sample)
    scale = space.counts.sum() / 1.6e9 if model.scale_sample else 1.0
    keep = {}
    for word in known:
        count, threshold = space.counts[word] + known.count(word), model.sample * scale * total
        rule = (np.sqrt(count / threshold) + 1) * (threshold / count) if model.sample else 1.0
        keep[word] = min(1.0, rule)
    outputs, window, pairs = space.output.copy(), model.window, 0
    for sentence in sample:
        if window <= 0:
            break
        line = [
            int(code)
            for code in sentence
            if code == TERM
            or (code >= 0 and (not model.sample or random.uniform() < keep[int(code)]))
        ]
        pairs = 0 if model.count_pairs == "sentence" else pairs
        for position, word in enumerate(line):
            for near in range(max(0, position - window), min(len(line), position + window + 1)):
                if near == position or line[near] != TERM:
                    continue
                pairs += 1
                if word != TERM:
                    _step(model, vector, outputs, word, pairs, random, table)
        if window - 1 >= 3:
            window -= model.window_decay
        keep = {word: probability / model.sample_decay for word, probability in keep.items()}
    return vector


def _step(model, vector, outputs, word, pairs, random, table):
    rate = model.learning_rate * np.exp(-(pairs - 1) / model.learning_rate_decay)
    rate = max(rate, model.min_learning_rate)
    targets = [word]
    while len(targets) < model.negative + 1:
        sampled = random.index(table)
        if sampled != word:
            targets.append(sampled)
    rows = outputs[targets].astype(float)
    labels = np.array([1.0] + [0.0] * model.negative)
    gradients = (labels - 1 / (1 + np.exp(-(rows @ vector)))) * rate
    if model.update_output:
        outputs[targets] += np.outer(gradients, vector)
    vector += gradients @ rows


MODELS = {
    "published": Nonce2vec(),
    "tuned": Nonce2vec(**TUNED),
    "as in the program": Nonce2vec(contexts="types", scale_sample=False, update_output=True),
    "version 1": Nonce2vec(contexts="types", count_pairs="sentence", update_output=True),
    "no subsampling": Nonce2vec(subsample=0, sample=0, window_decay=1),
    "small window": Nonce2vec(window=2, window_decay=5, min_learning_rate=0.9),
    "strong subsampling": Nonce2vec(sample=3e4, window_decay=3, negative=8, ns_exponent=0),
    "large decay": Nonce2vec(window=4, window_decay=9, scale_sample=False, sample=0.05),
}


@pytest.mark.parametrize("name", MODELS)
def test_it_equals_the_update_of_single_pairs(name):
    model, space, given = MODELS[name], background(), samples()

    found = model.vectors(given, space, generator)

    slow = [slow_vector(model, sample, space, generator(n)) for n, sample in enumerate(given)]
    assert np.isfinite(found).all()
    assert_allclose(found, slow, rtol=0, atol=1e-5)


@pytest.mark.parametrize("update_output", [False, True])
def test_the_background_does_not_change(update_output):
    space = background()
    before = [part.copy() for part in (space.vectors, space.output, space.counts)]

    Nonce2vec(update_output=update_output).vectors(samples(), space, generator)

    for part, copy in zip((space.vectors, space.output, space.counts), before, strict=True):
        assert_array_equal(part, copy)


@pytest.mark.parametrize("update_output", [False, True])
def test_updated_output_vectors_do_not_reach_the_next_sample(update_output):
    model, given = Nonce2vec(update_output=update_output), samples()

    together = model.vectors(given, background(), generator)
    last = model.vectors(given[5:6], background(), lambda _: generator(5))

    assert_array_equal(together[5], last[0])


def test_without_steps_it_is_the_sum():
    """A sentence that is the term alone has no context word to train on."""
    space = background()
    sample = (np.array([3, TERM, 4]),)
    tiny = Nonce2vec(learning_rate=1e-12, min_learning_rate=0, subsample=0)

    found = tiny.vectors([sample], space, generator)

    assert_allclose(found[0], space.vectors[[3, 4]].sum(axis=0), atol=1e-6)


def test_the_window_is_zero_after_three_sentences_by_default():
    given = samples(4, sentences=1) + samples(4, sentences=1, seed=2)
    three = tuple(sample[0] for sample in given[:3])
    more = (*three, *(sample[0] for sample in given[3:]))
    fixed = Nonce2vec(subsample=0, sample=0)
    space = background()

    sums = fixed.vectors([three, more], space, lambda _: generator(0))
    unshrunk = replace(fixed, window_decay=0).vectors([more], space, lambda _: generator(0))

    assert fixed.trained_sentences == 3
    assert "after 3 sentences" in fixed.notes(space)[-1]
    assert replace(fixed, window_decay=3).trained_sentences is None  # 15, 12, 9, 6, 3
    assert replace(fixed, window_decay=0).notes(space) == ()
    assert replace(fixed, window=4).trained_sentences == 1
    assert replace(fixed, window=3).trained_sentences is None
    assert replace(fixed, window=2**62 + 1, window_decay=1).trained_sentences is None
    assert not np.allclose(sums[1], unshrunk[0])


def test_a_background_without_output_vectors_is_refused_with_a_remedy():
    with pytest.raises(BadData, match=r"output vectors.*train skipgram TEXT --space both"):
        Nonce2vec().vectors(samples(), background(output=False), generator)


def test_a_background_without_counts_is_refused():
    with pytest.raises(BadData, match="needs word counts"):
        Nonce2vec().vectors(samples(), background(counts=False), generator)


def test_output_vectors_of_another_shape_are_refused():
    space = background()
    with pytest.raises(BadData, match="shapes must be equal"):
        Nonce2vec().vectors(samples(), replace(space, output=space.output[:, :3]), generator)


def test_one_word_with_a_count_is_not_enough_for_negative_samples():
    space = background()
    counts = np.zeros_like(space.counts)
    counts[3] = 5
    with pytest.raises(BadData, match="two words"):
        Nonce2vec().vectors(samples(), replace(space, counts=counts), generator)


def test_a_diverging_training_is_an_error():
    with pytest.raises(BadUsage, match="diverged"):
        Nonce2vec(learning_rate=1e308, update_output=True).vectors(
            samples(), background(), generator
        )
