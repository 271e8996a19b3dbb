"""QVEC, its shares, rotations and canonical correlations against slow twins and SciPy."""

import numpy as np
import pytest
from scipy.stats import ortho_group, pearsonr

from lexiscope.core.errors import Undefined
from lexiscope.core.task import Answers
from lexiscope.stats import qvec_cca
from lexiscope.stats.bootstrap import interval
from lexiscope.stats.paired import chance
from lexiscope.stats.qvec import (
    aligned,
    compared,
    highest,
    labels,
    qvec,
    score_by_chance,
    score_held_out,
    shares_of,
)
from lexiscope.stats.rotations import rotated_scores, share_as_high

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(60, 5))
AMOUNTS = RNG.dirichlet(np.ones(4), 60)
NAMES = ("a", "b", "c", "d")


def slowly(vectors, amounts, rule):
    """The sum over dimensions of the best of SciPy's correlations."""
    best = [max(pearsonr(x, s).statistic for s in amounts.T) for x in vectors.T]
    return sum(best) if rule == "script" else sum(max(0, each) for each in best)


@pytest.mark.parametrize("rule", ["formula", "script"])
def test_the_mean_of_the_shares_is_the_sum_of_the_best_correlations(rule):
    # All properties fall where the first dimension rises.
    vectors = np.column_stack([VECTORS, -AMOUNTS @ [1, 1.1, 0.9, 1.2]])

    shares = shares_of(compared(vectors, NAMES, AMOUNTS), rule, np.random.default_rng(0))

    assert shares.mean() == pytest.approx(slowly(vectors, AMOUNTS, rule), abs=1e-12)


def test_a_dimension_without_a_positive_correlation_adds_nothing_by_the_formula():
    correlations = np.array([[0.5, -0.1], [-0.3, -0.2]])

    assert aligned(correlations, "formula").correlations.tolist() == [0.5, 0]
    assert aligned(correlations, "formula").places.tolist() == [0, -1]
    assert aligned(correlations, "script").correlations.tolist() == [0.5, -0.2]


def test_a_share_is_the_score_plus_what_leaving_the_word_out_changes():
    # One property is far better than the other, so no alignment is in doubt.
    rng = np.random.default_rng(1)
    amounts = rng.normal(size=(400, 2))
    vectors = amounts[:, :1] + 0.3 * rng.normal(size=(400, 1))
    shares = shares_of(compared(vectors, NAMES[:2], amounts), "formula", rng)

    whole = slowly(vectors, amounts, "formula")
    for word in (0, 7, 399):
        rest = np.delete(np.arange(400), word)
        without = slowly(vectors[rest], amounts[rest], "formula")
        assert shares[word] - whole == pytest.approx(399 * (whole - without), abs=0.02)


class Study:
    """Words drawn from a population whose dimensions each go with one of six properties a bit."""

    def __init__(self, words):
        self.words = words
        self.mixing = np.random.default_rng(5).normal(size=(6, 8)) * 0.35

    def draw(self, rng, several=1):
        amounts = rng.dirichlet(np.full(6, 0.3), self.words)
        meant = amounts @ self.mixing
        return amounts, [meant + 0.3 * rng.normal(size=(self.words, 8)) for _ in range(several)]

    def shares(self, rng, several=1):
        amounts, tables = self.draw(rng, several)
        return [shares_of(compared(t, tuple("abcdef"), amounts), "formula", rng) for t in tables]


def test_the_interval_holds_what_other_words_score_on_average():
    study, rng = Study(150), np.random.default_rng(2)
    truth = np.mean([study.shares(rng)[0].mean() for _ in range(400)])

    held = 0
    for _ in range(100):
        (given,) = study.shares(rng)
        low, high = interval(qvec, Answers(given, np.zeros(len(given))), rng)
        held += low <= truth <= high

    assert 89 <= held <= 100


def test_drawing_words_anew_and_choosing_again_would_score_too_high():
    """The best of many correlations is luck, and luckier in a resample: why words have shares."""
    rng = np.random.default_rng(2)
    vectors, amounts = rng.normal(size=(150, 12)), rng.normal(size=(150, 6))

    def score(rows):
        return compared(vectors[rows], tuple("abcdef"), amounts[rows]).aligned("formula").score

    drawn = [score(rng.integers(0, 150, 150)) for _ in range(100)]

    assert np.quantile(drawn, 0.1) > score(np.arange(150))


def test_two_embeddings_that_know_as_much_are_seldom_told_apart():
    study, rng = Study(150), np.random.default_rng(3)

    ps = [
        chance(qvec, *(Answers(g, np.zeros(150)) for g in study.shares(rng, 2)), rng, 199)
        for _ in range(100)
    ]

    assert np.mean(np.array(ps) < 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)


def test_a_dimension_or_property_that_never_changes_is_aligned_to_nothing():
    vectors = np.column_stack([VECTORS[:, 0], np.full(60, 0.1)]).astype(np.float32)
    amounts = np.column_stack([AMOUNTS, np.full(60, 0.7)])

    both = compared(vectors, (*NAMES, "always"), amounts)

    assert both.names == NAMES
    assert both.aligned("script").places[1] == -1
    assert both.aligned("script").correlations[1] == 0
    with pytest.raises(Undefined, match="no property differs"):
        compared(vectors, ("always",), amounts[:, -1:])
    with pytest.raises(Undefined, match="no dimension differs"):
        compared(vectors[:, 1:], NAMES, AMOUNTS)
    with pytest.raises(Undefined, match="only 2 words"):
        compared(vectors[:2], NAMES, AMOUNTS[:2])


def test_chance_is_what_properties_dealt_out_anew_score():
    rng = np.random.default_rng(0)
    both = compared(RNG.normal(size=(500, 20)), NAMES, RNG.normal(size=(500, 4)))

    # The best of four normal numbers is 1.03 standard errors on average.
    assert score_by_chance(both, "script", rng) == pytest.approx(20 * 1.03 / 500**0.5, rel=0.15)
    assert score_held_out(both, "script", rng) == pytest.approx(0, abs=0.4)


def test_held_out_alignments_agree_where_nothing_is_in_doubt():
    amounts = RNG.normal(size=(300, 3))
    vectors = amounts + 0.2 * RNG.normal(size=(300, 3))
    both = compared(vectors, NAMES[:3], amounts)

    assert score_held_out(both, "formula", RNG) == pytest.approx(both.aligned("formula").score)


def test_labels_name_the_property_and_the_highest_words():
    amounts = np.array([[1, 0], [1, 0], [0, 1], [0, 1.0]])
    vectors = np.array([[5, -1], [4, -2], [0, -3], [1, -5.0]])

    first, second = labels(compared(vectors, ("x", "y"), amounts), "formula", "abcd", vectors, 2)

    assert first[:2] == (0, "x")
    assert first.correlation == pytest.approx(pearsonr(vectors[:, 0], amounts[:, 0]).statistic)
    assert first.words == ("a", "b")
    assert second.words == ("a", "b")


def test_equal_numbers_stand_in_their_order():
    assert highest(np.array([1, 3, 3, 2, 3.0]), 2) == [1, 2]
    assert highest(np.array([1.0]), 5) == [0]


@pytest.mark.parametrize("rule", ["formula", "script"])
def test_rotated_scores_are_those_of_vectors_that_were_rotated(rule):
    both = compared(VECTORS, NAMES, AMOUNTS)

    scores = rotated_scores(VECTORS, both.properties, 7, rule, np.random.default_rng(4))

    centred = VECTORS - VECTORS.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred / 60)[1]
    turns = ortho_group.rvs(5, 7, random_state=np.random.default_rng(4))
    slow = [slowly(centred @ axes @ turn.T, AMOUNTS, rule) for turn in turns]
    assert scores == pytest.approx(slow)


def test_the_share_of_rotations_counts_the_own_side():
    assert share_as_high(np.array([1.0, 2.0, 3.0]), 2.0) == 3 / 4
    assert share_as_high(np.array([1.0, 2.0, 3.0]), 4.0) == 1 / 4
    with pytest.raises(Undefined, match="one dimension"):
        rotated_scores(VECTORS[:, :1], AMOUNTS, 3, "formula", RNG)


def test_canonical_correlations_are_those_of_their_definition():
    left, right = qvec_cca.unit_rows(VECTORS), qvec_cca.unit_rows(AMOUNTS)

    shares = qvec_cca.shares_of(left, right)

    one, other = (rows - rows.mean(axis=0) for rows in (left, right))
    within, beyond = np.linalg.inv(one.T @ one), np.linalg.inv(other.T @ other)
    squares = np.linalg.eigvals(within @ one.T @ other @ beyond @ other.T @ one)
    four = np.sqrt(np.sort(squares.real)[::-1][:4])
    assert shares.mean() == pytest.approx(four.mean(), abs=1e-10)
    assert qvec_cca.canonical(left, right).correlations == pytest.approx(four)


def test_scikit_learn_finds_the_same_first_direction():
    from sklearn.cross_decomposition import CCA

    left, right = qvec_cca.unit_rows(VECTORS), qvec_cca.unit_rows(AMOUNTS)

    peer = CCA(1, scale=False, max_iter=10_000, tol=1e-12).fit(left, right)
    one, other = peer.transform(left, right)

    found = qvec_cca.canonical(left, right).correlations[0]
    assert found == pytest.approx(abs(pearsonr(one[:, 0], other[:, 0]).statistic), abs=1e-6)


def test_columns_that_say_the_same_twice_count_once():
    left = qvec_cca.unit_rows(VECTORS)
    doubled = np.column_stack([AMOUNTS, AMOUNTS[:, 0]])

    assert len(qvec_cca.canonical(left, doubled).correlations) == 3  # shares add up to 1


def test_held_out_words_show_how_much_of_a_correlation_is_fitted():
    rng = np.random.default_rng(0)
    left, right = (qvec_cca.unit_rows(rng.normal(size=(200, k))) for k in (12, 6))

    fitted = qvec_cca.shares_of(left, right).mean()

    by_chance = qvec_cca.correlation_by_chance(left, right, rng)
    assert fitted == pytest.approx(by_chance, abs=0.06)
    assert fitted > 0.15
    assert abs(qvec_cca.held_out_shares(left, right, 10, rng).mean()) < 0.08


def test_too_few_words_for_canonical_correlations_are_refused():
    with pytest.raises(Undefined, match="fewer than 273"):
        qvec_cca.must_be_enough(272, 50, 41)
    qvec_cca.must_be_enough(273, 50, 41)
