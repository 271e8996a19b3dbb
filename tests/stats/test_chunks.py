"""F1 over chunks, against a slow twin that follows the rules of the shared task's own script."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import bootstrap

from lexiscope.core.dataset import word_array
from lexiscope.core.errors import Undefined
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import interval
from lexiscope.stats.chunks import (
    chunk_counts,
    chunk_f1,
    chunk_precision,
    chunk_recall,
    noun_phrase_f1,
)
from lexiscope.stats.paired import difference
from lexiscope.stats.randomization import swapped_f1
from lexiscope.stats.resampling import left_out, of_samples
from lexiscope.stats.standard_error import influence


def slow_chunks(tags):
    """The chunks of one sentence, by asking at each word what ends before it and what begins."""
    found, begun = set(), None
    before = "O"
    for place, tag in enumerate([*tags, "O"]):
        (mark, _, kind), (last, _, last_kind) = tag.partition("-"), before.partition("-")
        ends = last in "BI" and (mark in ("B", "O") or kind != last_kind)
        begins = mark == "B" or (mark == "I" and (last == "O" or kind != last_kind))
        if ends and begun is not None:
            found.add((*begun, place))
            begun = None
        if begins:
            begun = kind, place
        before = tag
    return found


def slow_counts(given, gold, only=""):
    rows = []
    for ours, theirs in zip(given, gold, strict=True):
        here, there = (
            {chunk for chunk in slow_chunks(tags.split()) if not only or chunk[0] == only}
            for tags in (ours, theirs)
        )
        rows.append((len(here & there), len(here - there), len(there - here)))
    return np.array(rows, float)


def drawn(sentences, seed, longest=9):
    rng = np.random.default_rng(seed)
    tags = ["O", "B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "I-PP"]
    gold = [rng.choice(tags, rng.integers(1, longest)) for _ in range(sentences)]
    given = [np.where(rng.random(len(row)) < 0.7, row, rng.choice(tags, len(row))) for row in gold]
    return word_array(map(" ".join, given)), word_array(map(" ".join, gold))


@pytest.mark.parametrize("seed", range(5))
def test_counts_agree_with_the_slow_twin_on_any_tags(seed):
    given, gold = drawn(300, seed)

    assert_array_equal(chunk_counts(given, gold), slow_counts(given, gold))
    assert_array_equal(chunk_counts(given, gold, "NP"), slow_counts(given, gold, "NP"))


@pytest.mark.parametrize(
    ("given", "gold", "row"),
    [
        ("B-NP I-NP O", "B-NP I-NP O", (1, 0, 0)),
        ("I-NP I-NP O", "B-NP I-NP O", (1, 0, 0)),  # I after nothing begins a chunk
        ("B-NP B-NP O", "B-NP I-NP O", (0, 2, 1)),
        ("B-NP I-VP O", "B-NP I-NP O", (0, 2, 1)),  # I of another type begins another chunk
        ("B-NP I-NP I-NP", "B-NP I-NP O", (0, 1, 1)),
        ("O O O", "B-NP I-NP O", (0, 0, 1)),
        ("B-NP", "B-NP O", (1, 0, 0)),  # a tag that is lacking counts as O
        ("", "B-NP O", (0, 0, 1)),
        ("O", "O", (0, 0, 0)),
    ],
)
def test_the_edges_of_chunks(given, gold, row):
    found = chunk_counts(word_array([given]), word_array([gold]))

    assert found.tolist() == [list(row)]


def test_a_chunk_does_not_reach_into_the_next_sentence():
    found = chunk_counts(word_array(["B-NP", "I-NP"]), word_array(["B-NP", "B-NP"]))

    assert found.tolist() == [[1, 0, 0], [1, 0, 0]]


def test_f1_precision_and_recall_by_hand():
    given = word_array(["B-NP I-NP O B-VP", "B-NP B-NP"])
    gold = word_array(["B-NP I-NP O B-PP", "B-NP I-NP"])  # 1 right, 3 wrong, 2 missed

    assert chunk_precision(given, gold) == 1 / 4
    assert chunk_recall(given, gold) == 1 / 3
    assert chunk_f1(given, gold) == 2 / (2 + 3 + 2)
    assert noun_phrase_f1(given, gold) == 2 / (2 + 2 + 1)


def test_where_nothing_is_to_be_found_there_is_no_f1():
    with pytest.raises(Undefined, match="nothing to find"):
        chunk_f1(word_array(["O"]), word_array(["O"]))


def test_the_interval_is_a_bootstrap_over_sentences():
    given, gold = drawn(400, 1)
    counts = slow_counts(given, gold)

    def f1(right, wrong, missed, axis):
        right, wrong, missed = (each.sum(axis=axis) for each in (right, wrong, missed))
        return 2 * right / (2 * right + wrong + missed)

    wanted = bootstrap(tuple(counts.T), f1, paired=True, rng=np.random.default_rng(0))
    found = interval(chunk_f1, Answers(given, gold), np.random.default_rng(1))

    assert_allclose(found, wanted.confidence_interval, atol=0.004)


def test_of_very_many_sentences_the_interval_is_the_same_bootstrap():
    given, gold = drawn(1500, 2)
    counts, rng = slow_counts(given, gold), np.random.default_rng(0)
    totals = np.array([counts[rng.integers(1500, size=1500)].sum(axis=0) for _ in range(4000)])
    values = 2 * totals[:, 0] / (2 * totals[:, 0] + totals[:, 1] + totals[:, 2])

    found = interval(chunk_f1, Answers(given, gold), np.random.default_rng(1))

    assert_allclose(found, np.quantile(values, [0.025, 0.975]), atol=0.003)


def test_resampled_and_left_out_scores_agree_with_the_measure_itself():
    given, gold = drawn(40, 3)
    answers = Answers(given, gold)
    samples = np.random.default_rng(0).integers(40, size=(6, 40))

    resampled = of_samples(chunk_f1, answers)(samples)
    without = left_out(chunk_f1, answers)

    assert_allclose(resampled, [chunk_f1(given[row], gold[row]) for row in samples])
    ones = [np.delete(np.arange(40), k) for k in range(40)]
    assert_allclose(without, [chunk_f1(given[row], gold[row]) for row in ones])
    assert_allclose(influence(chunk_f1, answers).sum(), 0, atol=1e-9)


def test_two_systems_are_compared_by_exchanging_whole_sentences():
    first, gold = drawn(200, 4)
    second = word_array([tags.replace("B-VP", "B-NP", k % 3) for k, tags in enumerate(first)])
    counts = [slow_counts(each, gold).astype(int) for each in (first, second)]

    found = difference(
        chunk_f1, Answers(first, gold), Answers(second, gold), np.random.default_rng(0)
    )

    yeh = swapped_f1(*counts, np.random.default_rng(1))
    assert found.value == pytest.approx(yeh.first - yeh.second)
    assert found.p == pytest.approx(yeh.p, abs=0.02)
    assert found.test == "swaps (9,999)"
    assert found.low < found.value < found.high
