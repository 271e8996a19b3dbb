"""Co-occurrence counts compared with hand counts, exact fractions and shifted one-hot matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from lexiscope.cooccurrence import contexts as contexts_module
from lexiscope.cooccurrence.contexts import Contexts, by_position, cooccurrences
from lexiscope.core.corpus import Corpus, corpus, empty_corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary
from tests.cooccurrence.reference_counts import (
    corpus_of,
    pairs,
    reference_cooccurrences,
    same_bytes,
    zipf,
)


def counts(sentences, contexts, words=5, seed=0):
    return cooccurrences(corpus_of(sentences, words), contexts, default_rng(seed))


def test_adjacent_words_are_counted_in_both_directions():
    found = cooccurrences(corpus("small", [["a", "b", "a"], ["a"]]), Contexts(1), default_rng(0))

    assert found.toarray().tolist() == [[0, 2], [2, 0]]


def test_weights_decrease_with_distance():
    line = [[0, 1, 2, 3]]

    assert counts(line, Contexts(3)).toarray()[0].tolist() == [0, 1, 1, 1, 0]
    assert_allclose(
        counts(line, Contexts(3, "linear")).toarray()[0], [0, 1, 2 / 3, 1 / 3, 0], rtol=1e-15
    )
    assert_allclose(
        counts(line, Contexts(3, "harmonic")).toarray()[0], [0, 1, 1 / 2, 1 / 3, 0], rtol=1e-15
    )


def test_two_adjacent_occurrences_of_a_word_count_twice():
    assert counts([[0, 0]], Contexts(2), words=1).toarray().tolist() == [[2]]


def test_contexts_end_with_the_sentence():
    assert counts([[0, 1], [], [2], [3, 4]], Contexts(5)).nnz == 4


def test_an_empty_vocabulary_has_a_matrix_of_shape_zero():
    found = cooccurrences(empty_corpus(), Contexts(2, subsample=0.1), default_rng(0))

    assert found.shape == (0, 0)


def test_an_empty_text_has_an_empty_matrix():
    empty = Corpus("none", Vocabulary(("a", "b")), np.array([], np.int32), np.array([0]))

    found = cooccurrences(empty, Contexts(2, subsample=0.1), default_rng(0))

    assert found.shape == (2, 2)
    assert found.nnz == 0


sentences = st.lists(st.lists(st.integers(0, 4), max_size=9), max_size=6)
settings = st.builds(
    Contexts,
    window=st.integers(1, 6),
    weights=st.sampled_from(["flat", "linear", "harmonic"]),
    dynamic_window=st.booleans(),
    subsample=st.sampled_from([0, 0.02, 0.2]),
    delete=st.booleans(),
)


@given(sentences, settings, st.integers(0, 99))
def test_counts_agree_with_exact_fractions(sentences, contexts, seed):
    found = counts(sentences, contexts, seed=seed)

    assert_array_equal(found.toarray(), reference_cooccurrences(sentences, 5, contexts, seed))
    assert found.has_sorted_indices
    assert found.data.all()


@given(sentences, settings, st.integers(0, 99))
def test_counts_by_position_agree_with_a_list_of_pairs(sentences, contexts, seed):
    found = by_position(corpus_of(sentences, 5), contexts, default_rng(seed))

    positions = [p for p in range(-contexts.window, contexts.window + 1) if p]
    expected = {position: np.zeros((5, 5)) for position in positions}
    for centre, other, offset in pairs(sentences, contexts, seed):
        expected[offset][centre, other] += 1
    assert list(found) == positions
    for position in positions:
        assert_array_equal(found[position].toarray(), expected[position])


def test_preceding_positions_are_counted_only_with_dynamic_windows(monkeypatch):
    counted = []
    count_corpus = contexts_module.count_corpus
    monkeypatch.setattr(
        contexts_module,
        "count_corpus",
        lambda *args: counted.append(args[1].lowest) or count_corpus(*args),
    )
    for dynamic_window in (False, True):
        contexts = Contexts(2, dynamic_window=dynamic_window)
        by_position(corpus_of([[0, 1, 2]], 3), contexts, default_rng(0))

    assert counted == [1, 2, -2, -1, 1, 2]


def test_preceding_and_following_words_are_counted_separately():
    found = by_position(corpus("small", [["a", "b", "c"]]), Contexts(1), default_rng(0))

    assert found[-1].toarray().tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert found[1].toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("weights", ["flat", "linear", "harmonic"])
def test_counts_agree_with_products_of_shifted_one_hot_matrices(weights):
    some_corpus = zipf(300, 20_000)
    number = len(some_corpus)
    one_hot = csr_array((np.ones(number), (np.arange(number), some_corpus.tokens)), (number, 300))
    sentence = np.searchsorted(some_corpus.starts, np.arange(number), "right")
    expected = csr_array((300, 300))
    for distance in range(1, 7):
        same = np.flatnonzero(sentence[distance:] == sentence[:-distance])
        once = one_hot[same].T @ one_hot[same + distance]
        weight = {"flat": 1, "linear": (7 - distance) / 6, "harmonic": 1 / distance}[weights]
        expected = expected + (once + once.T) * weight

    found = cooccurrences(some_corpus, Contexts(6, weights), default_rng(0))

    assert_allclose(found.toarray(), expected.toarray(), rtol=1e-12)
    assert found.nnz == expected.nnz


def test_dynamic_windows_belong_to_the_centre_word():
    some_corpus = zipf(50, 20_000)

    found = cooccurrences(some_corpus, Contexts(5, dynamic_window=True), default_rng(0))
    positions = by_position(some_corpus, Contexts(5, dynamic_window=True), default_rng(0))

    assert (found != found.T).nnz
    assert_array_equal(found.toarray(), sum(positions.values()).toarray())
    # A context at distance d is within windows of size d to 5: 5, 4, 3, 2 and 1 of five.
    fractions = [
        positions[d].sum() / by_position(some_corpus, Contexts(5), default_rng(0))[d].sum()
        for d in range(1, 6)
    ]
    assert fractions == pytest.approx([1, 0.8, 0.6, 0.4, 0.2], abs=0.02)


def test_subsampling_drops_words_by_their_frequency():
    some_corpus = corpus_of(
        [[0, 1]] * 9_000 + [[2, 1]] * 1_000, 3
    )  # frequencies 0.45, 0.5 and 0.05

    found = cooccurrences(some_corpus, Contexts(1, subsample=0.05), default_rng(1)).toarray()

    assert found[2, 1] == pytest.approx(1_000 * 0.1**0.5, rel=0.1)
    assert found[0, 1] == pytest.approx(9_000 * (0.05 / 0.45 * 0.1) ** 0.5, rel=0.1)


def test_a_dropped_word_leaves_a_gap_unless_it_is_deleted():
    line = [[0, 1, 2]] * 2_000
    gap = counts(line, Contexts(1, subsample=0.001), words=3).toarray()
    deleted = counts(line, Contexts(1, subsample=0.001, delete=True), words=3).toarray()

    assert gap[0, 2] == 0
    assert deleted[0, 2] > 0


@pytest.mark.parametrize(
    "contexts", [Contexts(4, "harmonic"), Contexts(4, "linear", True, 1e-2, True)]
)
def test_threads_and_memory_limits_change_no_byte(contexts, monkeypatch):
    some_corpus = zipf(400, 120_000)
    found = []
    for threads, limit in (("1", "1G"), ("2", "1G"), ("3", "1G"), ("1", "3M"), ("3", "3M")):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        monkeypatch.setenv("LEXISCOPE_MEMORY", limit)
        found.append(cooccurrences(some_corpus, contexts, default_rng(5)))

    assert all(same_bytes(found[0], other) for other in found[1:])


def test_the_seed_determines_the_sampled_windows():
    some_corpus = zipf(50, 5_000)
    one, same, other = (
        cooccurrences(some_corpus, Contexts(3, dynamic_window=True), default_rng(seed))
        for seed in (1, 1, 2)
    )

    assert same_bytes(one, same)
    assert not same_bytes(one, other)


@pytest.mark.parametrize("window", [22, 23, 50, 100])
def test_harmonic_weights_of_wide_windows_are_accurate_to_single_precision(window):
    line = [list(range(101))]

    found = counts(line, Contexts(window, "harmonic"), words=101).toarray()

    distance = np.arange(1, window + 1)
    assert_allclose(found[0, 1 : window + 1], 1 / distance, rtol=2.3e-7 if window > 22 else 1e-15)
    assert not found[0, window + 1 :].any()


def test_wide_windows_do_not_overflow():
    found = counts([[0] * 3_000], Contexts(100, "harmonic"), words=1).toarray()

    exact = 2 * sum((3_000 - d) / d for d in range(1, 101))
    assert found[0, 0] == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize(("count", "total"), [(cooccurrences, 30_000), (by_position, 60_000)])
@pytest.mark.parametrize("subsample", [0, 0.01])
def test_counting_reports_progress(count, total, subsample):
    reports, contexts = [], Contexts(2, subsample=subsample)

    count(zipf(50, 30_000), contexts, default_rng(0), lambda *report: reports.append(report))

    assert reports[-1] == ("Counting contexts", total, total)
    assert [done for _, done, _ in reports] == sorted(done for _, done, _ in reports)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"window": 0}, "contexts.window must be from 1 to 10,000, found 0"),
        ({"window": 10_001}, "contexts.window must be from 1 to 10,000, found 10001"),
        ({"weights": "harmonik"}, "Did you mean 'harmonic'"),
        ({"subsample": -1.0}, "subsample must be 0 or more, found -1.0"),
        ({"subsample": float("nan")}, "subsample must be a finite number, found nan"),
    ],
)
def test_invalid_contexts_are_an_error(settings, message):
    with pytest.raises(BadUsage, match=message):
        Contexts(**settings)


def test_an_overflow_of_sums_is_an_error():
    some_corpus = corpus_of([[0, 1]], 2)
    vars(some_corpus)["counts"] = np.array([1 << 40, 1])

    with pytest.raises(BadData, match="1,099,511,627,776 times"):
        cooccurrences(some_corpus, Contexts(22, "harmonic"), default_rng(0))
