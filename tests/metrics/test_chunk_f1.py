"""F1 over chunks, compared with a slow implementation of the rules of the shared task's script."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import bootstrap

from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import Undefined
from lexiscope.metrics.chunk_f1 import (
    chunk_counts,
    chunk_f1,
    chunk_precision,
    chunk_recall,
    noun_phrase_f1,
)
from lexiscope.metrics.f1 import f1_of_totals
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.paired import difference
from lexiscope.stats.randomization import permutation_test_of_totals
from lexiscope.stats.resampling import Resamples, leave_one_out, resampled_metric
from lexiscope.stats.standard_error import influence


def slow_chunks(tags):
    """The chunks of one sentence: at each word, what ends before it and what starts."""
    found, start = set(), None
    before = "O"
    for position, tag in enumerate([*tags, "O"]):
        (prefix, _, kind), (last, _, last_kind) = tag.partition("-"), before.partition("-")
        ends = last in "BI" and (prefix in ("B", "O") or kind != last_kind)
        begins = prefix == "B" or (prefix == "I" and (last == "O" or kind != last_kind))
        if ends and start is not None:
            found.add((*start, position))
            start = None
        if begins:
            start = kind, position
        before = tag
    return found


def slow_counts(predicted, gold, only=""):
    rows = []
    for ours, theirs in zip(predicted, gold, strict=True):
        here, there = (
            {chunk for chunk in slow_chunks(tags.split()) if not only or chunk[0] == only}
            for tags in (ours, theirs)
        )
        rows.append((len(here & there), len(here - there), len(there - here)))
    return np.array(rows, float)


def random_tags(sentences, seed, longest=9):
    rng = np.random.default_rng(seed)
    tags = ["O", "B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "I-PP"]
    gold = [rng.choice(tags, rng.integers(1, longest)) for _ in range(sentences)]
    predicted = [
        np.where(rng.random(len(row)) < 0.7, row, rng.choice(tags, len(row))) for row in gold
    ]
    return word_array(map(" ".join, predicted)), word_array(map(" ".join, gold))


@pytest.mark.parametrize("seed", range(5))
def test_counts_agree_with_the_slow_implementation_on_random_tags(seed):
    predicted, gold = random_tags(300, seed)

    assert_array_equal(chunk_counts(predicted, gold), slow_counts(predicted, gold))
    assert_array_equal(chunk_counts(predicted, gold, "NP"), slow_counts(predicted, gold, "NP"))


@pytest.mark.parametrize(
    ("predicted", "gold", "row"),
    [
        ("B-NP I-NP O", "B-NP I-NP O", (1, 0, 0)),
        ("I-NP I-NP O", "B-NP I-NP O", (1, 0, 0)),  # I without a chunk before it starts one
        ("B-NP B-NP O", "B-NP I-NP O", (0, 2, 1)),
        ("B-NP I-VP O", "B-NP I-NP O", (0, 2, 1)),  # I of another type starts another chunk
        ("B-NP I-NP I-NP", "B-NP I-NP O", (0, 1, 1)),
        ("O O O", "B-NP I-NP O", (0, 0, 1)),
        ("B-NP", "B-NP O", (1, 0, 0)),  # a missing tag counts as O
        ("", "B-NP O", (0, 0, 1)),
        ("O", "O", (0, 0, 0)),
    ],
)
def test_the_boundaries_of_chunks(predicted, gold, row):
    found = chunk_counts(word_array([predicted]), word_array([gold]))

    assert found.tolist() == [list(row)]


def test_a_chunk_ends_with_its_sentence():
    found = chunk_counts(word_array(["B-NP", "I-NP"]), word_array(["B-NP", "B-NP"]))

    assert found.tolist() == [[1, 0, 0], [1, 0, 0]]


def test_f1_precision_and_recall_by_hand():
    predicted = word_array(["B-NP I-NP O B-VP", "B-NP B-NP"])
    gold = word_array(["B-NP I-NP O B-PP", "B-NP I-NP"])  # 1 right, 3 wrong, 2 missed

    assert chunk_precision(predicted, gold) == 1 / 4
    assert chunk_recall(predicted, gold) == 1 / 3
    assert chunk_f1(predicted, gold) == 2 / (2 + 3 + 2)
    assert noun_phrase_f1(predicted, gold) == 2 / (2 + 2 + 1)


def test_without_any_chunk_f1_is_undefined():
    with pytest.raises(Undefined, match="the denominator is zero"):
        chunk_f1(word_array(["O"]), word_array(["O"]))


def test_the_interval_is_a_bootstrap_over_sentences():
    predicted, gold = random_tags(400, 1)
    counts = slow_counts(predicted, gold)

    def f1(right, wrong, missed, axis):
        right, wrong, missed = (each.sum(axis=axis) for each in (right, wrong, missed))
        return 2 * right / (2 * right + wrong + missed)

    wanted = bootstrap(tuple(counts.T), f1, paired=True, rng=np.random.default_rng(0))
    found = confidence_interval(chunk_f1, Predictions(predicted, gold), np.random.default_rng(1))

    assert_allclose(found, wanted.confidence_interval, atol=0.004)


def test_the_interval_over_very_many_sentences_is_the_same_bootstrap():
    predicted, gold = random_tags(1500, 2)
    counts, rng = slow_counts(predicted, gold), np.random.default_rng(0)
    totals = np.array([counts[rng.integers(1500, size=1500)].sum(axis=0) for _ in range(4000)])
    values = 2 * totals[:, 0] / (2 * totals[:, 0] + totals[:, 1] + totals[:, 2])

    found = confidence_interval(chunk_f1, Predictions(predicted, gold), np.random.default_rng(1))

    assert_allclose(found, np.quantile(values, [0.025, 0.975]), atol=0.003)


def test_resampled_and_leave_one_out_scores_agree_with_the_metric():
    predicted, gold = random_tags(40, 3)
    predictions = Predictions(predicted, gold)
    samples = np.random.default_rng(0).integers(40, size=(6, 40))

    resampled = resampled_metric(chunk_f1, predictions)(Resamples.of(samples))
    without = leave_one_out(chunk_f1, predictions)

    assert_allclose(resampled, [chunk_f1(predicted[row], gold[row]) for row in samples])
    ones = [np.delete(np.arange(40), k) for k in range(40)]
    assert_allclose(without, [chunk_f1(predicted[row], gold[row]) for row in ones])
    assert_allclose(influence(chunk_f1, predictions).sum(), 0, atol=1e-9)


def test_two_systems_are_compared_by_swapping_whole_sentences():
    first, gold = random_tags(200, 4)
    second = word_array([tags.replace("B-VP", "B-NP", k % 3) for k, tags in enumerate(first)])
    counts = [slow_counts(each, gold).astype(int) for each in (first, second)]

    found = difference(
        chunk_f1, Predictions(first, gold), Predictions(second, gold), np.random.default_rng(0)
    )

    first_f1, second_f1 = (float(f1_of_totals(each.sum(axis=0))) for each in counts)
    p = permutation_test_of_totals(*counts, f1_of_totals, np.random.default_rng(1))
    assert found.value == pytest.approx(first_f1 - second_f1)
    assert found.p == pytest.approx(p, abs=0.02)
    assert found.test == "paired permutations (9,999)"
    assert found.low < found.value < found.high
