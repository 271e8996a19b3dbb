"""QVEC, contributions, rotations and canonical correlations, compared with SciPy."""

import numpy as np
import pytest
from scipy.stats import ortho_group, pearsonr

from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.metrics import qvec_cca
from lexiscope.metrics.qvec import (
    align,
    chance_level,
    contributions,
    held_out_score,
    labels,
    qvec,
    qvec_input,
    top_indices,
)
from lexiscope.metrics.rotations import rotated_scores, rotation_test
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.paired import p_value

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(60, 5))
AMOUNTS = RNG.dirichlet(np.ones(4), 60)
NAMES = ("a", "b", "c", "d")


def sum_of_best(vectors, amounts, rule):
    """The sum over dimensions of the best of SciPy's correlations."""
    best = [max(pearsonr(x, s).statistic for s in amounts.T) for x in vectors.T]
    return sum(best) if rule == "script" else sum(max(0, each) for each in best)


@pytest.mark.parametrize("rule", ["formula", "script"])
def test_the_mean_contribution_is_the_sum_of_the_best_correlations(rule):
    # The last dimension correlates negatively with all properties.
    vectors = np.column_stack([VECTORS, -AMOUNTS @ [1, 1.1, 0.9, 1.2]])

    found = contributions(qvec_input(vectors, NAMES, AMOUNTS), rule, np.random.default_rng(0))

    assert found.mean() == pytest.approx(sum_of_best(vectors, AMOUNTS, rule), abs=1e-12)


def test_a_dimension_without_a_positive_correlation_adds_nothing_by_the_formula():
    correlations = np.array([[0.5, -0.1], [-0.3, -0.2]])

    assert align(correlations, "formula").correlations.tolist() == [0.5, 0]
    assert align(correlations, "formula").indices.tolist() == [0, -1]
    assert align(correlations, "script").correlations.tolist() == [0.5, -0.2]


def test_a_contribution_is_the_score_plus_the_leave_one_out_influence():
    # One property is far better than the other, so the alignment is certain.
    rng = np.random.default_rng(1)
    amounts = rng.normal(size=(400, 2))
    vectors = amounts[:, :1] + 0.3 * rng.normal(size=(400, 1))
    found = contributions(qvec_input(vectors, NAMES[:2], amounts), "formula", rng)

    whole = sum_of_best(vectors, amounts, "formula")
    for word in (0, 7, 399):
        rest = np.delete(np.arange(400), word)
        without = sum_of_best(vectors[rest], amounts[rest], "formula")
        assert found[word] - whole == pytest.approx(399 * (whole - without), abs=0.02)


class Population:
    """A population of words whose dimensions correlate weakly with six properties."""

    def __init__(self, words):
        self.words = words
        self.mixing = np.random.default_rng(5).normal(size=(6, 8)) * 0.35

    def sample(self, rng, tables_wanted=1):
        amounts = rng.dirichlet(np.full(6, 0.3), self.words)
        meant = amounts @ self.mixing
        return amounts, [
            meant + 0.3 * rng.normal(size=(self.words, 8)) for _ in range(tables_wanted)
        ]

    def contributions(self, rng, tables_wanted=1):
        amounts, tables = self.sample(rng, tables_wanted)
        return [
            contributions(qvec_input(t, tuple("abcdef"), amounts), "formula", rng) for t in tables
        ]


def test_the_interval_covers_the_mean_score_of_other_samples_of_words():
    population, rng = Population(150), np.random.default_rng(2)
    truth = np.mean([population.contributions(rng)[0].mean() for _ in range(400)])

    held = 0
    for _ in range(100):
        (predicted,) = population.contributions(rng)
        low, high = confidence_interval(qvec, Predictions(predicted, np.zeros(len(predicted))), rng)
        held += low <= truth <= high

    assert 89 <= held <= 100


def test_a_bootstrap_that_aligns_again_is_biased_upwards():
    """The best of many correlations is biased, and more so in a resample."""
    rng = np.random.default_rng(2)
    vectors, amounts = rng.normal(size=(150, 12)), rng.normal(size=(150, 6))

    def score(rows):
        return qvec_input(vectors[rows], tuple("abcdef"), amounts[rows]).align("formula").score

    resampled = [score(rng.integers(0, 150, 150)) for _ in range(100)]

    assert np.quantile(resampled, 0.1) > score(np.arange(150))


def test_equally_good_embeddings_seldom_differ_significantly():
    population, rng = Population(150), np.random.default_rng(3)

    ps = [
        p_value(
            qvec,
            *(Predictions(g, np.zeros(150)) for g in population.contributions(rng, 2)),
            rng,
            199,
        )
        for _ in range(100)
    ]

    assert np.mean(np.array(ps) < 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)


def test_a_constant_dimension_or_property_is_not_aligned():
    vectors = np.column_stack([VECTORS[:, 0], np.full(60, 0.1)]).astype(np.float32)
    amounts = np.column_stack([AMOUNTS, np.full(60, 0.7)])

    data = qvec_input(vectors, (*NAMES, "always"), amounts)

    assert data.names == NAMES
    assert data.align("script").indices[1] == -1
    assert data.align("script").correlations[1] == 0
    with pytest.raises(Undefined, match="no property differs"):
        qvec_input(vectors, ("always",), amounts[:, -1:])
    with pytest.raises(Undefined, match="no dimension differs"):
        qvec_input(vectors[:, 1:], NAMES, AMOUNTS)
    with pytest.raises(Undefined, match="only 2 words"):
        qvec_input(vectors[:2], NAMES, AMOUNTS[:2])


def test_the_chance_level_is_the_score_of_permuted_properties():
    rng = np.random.default_rng(0)
    data = qvec_input(RNG.normal(size=(500, 20)), NAMES, RNG.normal(size=(500, 4)))

    # The best of four normal numbers is 1.03 standard errors on average.
    assert chance_level(data, "script", rng) == pytest.approx(20 * 1.03 / 500**0.5, rel=0.15)
    assert held_out_score(data, "script", rng) == pytest.approx(0, abs=0.4)


def test_held_out_alignments_agree_for_clear_correlations():
    amounts = RNG.normal(size=(300, 3))
    vectors = amounts + 0.2 * RNG.normal(size=(300, 3))
    data = qvec_input(vectors, NAMES[:3], amounts)

    assert held_out_score(data, "formula", RNG) == pytest.approx(data.align("formula").score)


def test_labels_have_the_property_and_the_top_words():
    amounts = np.array([[1, 0], [1, 0], [0, 1], [0, 1.0]])
    vectors = np.array([[5, -1], [4, -2], [0, -3], [1, -5.0]])

    first, second = labels(qvec_input(vectors, ("x", "y"), amounts), "formula", "abcd", vectors, 2)

    assert first[:2] == (0, "x")
    assert first.correlation == pytest.approx(pearsonr(vectors[:, 0], amounts[:, 0]).statistic)
    assert first.words == ("a", "b")
    assert second.words == ("a", "b")


def test_ties_are_in_index_order():
    assert top_indices(np.array([1, 3, 3, 2, 3.0]), 2) == [1, 2]
    assert top_indices(np.array([1.0]), 5) == [0]


@pytest.mark.parametrize("rule", ["formula", "script"])
def test_rotated_scores_are_those_of_rotated_vectors(rule):
    data = qvec_input(VECTORS, NAMES, AMOUNTS)

    scores = rotated_scores(VECTORS, data.properties, 7, rule, np.random.default_rng(4))

    centred = VECTORS - VECTORS.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred / 60)[1]
    rotations = ortho_group.rvs(5, 7, random_state=np.random.default_rng(4))
    slow = [sum_of_best(centred @ axes @ rotation.T, AMOUNTS, rule) for rotation in rotations]
    assert scores == pytest.approx(slow)


def test_the_rotation_test_counts_the_unrotated_vectors():
    assert rotation_test(np.array([1.0, 2.0, 3.0]), 2.0) == 3 / 4
    assert rotation_test(np.array([1.0, 2.0, 3.0]), 4.0) == 1 / 4
    with pytest.raises(Undefined, match="one dimension"):
        rotated_scores(VECTORS[:, :1], AMOUNTS, 3, "formula", RNG)


def test_canonical_correlations_are_those_of_their_definition():
    left, right = qvec_cca.unit_rows(VECTORS), qvec_cca.unit_rows(AMOUNTS)

    found = qvec_cca.contributions(left, right)

    one, other = (rows - rows.mean(axis=0) for rows in (left, right))
    within, beyond = np.linalg.inv(one.T @ one), np.linalg.inv(other.T @ other)
    squares = np.linalg.eigvals(within @ one.T @ other @ beyond @ other.T @ one)
    four = np.sqrt(np.sort(squares.real)[::-1][:4])
    assert found.mean() == pytest.approx(four.mean(), abs=1e-10)
    assert qvec_cca.canonical(left, right).correlations == pytest.approx(four)


def test_the_first_direction_is_scikit_learns():
    from sklearn.cross_decomposition import CCA

    left, right = qvec_cca.unit_rows(VECTORS), qvec_cca.unit_rows(AMOUNTS)

    peer = CCA(1, scale=False, max_iter=10_000, tol=1e-12).fit(left, right)
    one, other = peer.transform(left, right)

    found = qvec_cca.canonical(left, right).correlations[0]
    assert found == pytest.approx(abs(pearsonr(one[:, 0], other[:, 0]).statistic), abs=1e-6)


def test_redundant_columns_count_once():
    left = qvec_cca.unit_rows(VECTORS)
    doubled = np.column_stack([AMOUNTS, AMOUNTS[:, 0]])

    assert len(qvec_cca.canonical(left, doubled).correlations) == 3  # proportions add up to 1


def test_held_out_words_show_the_overfitting_of_canonical_correlations():
    rng = np.random.default_rng(0)
    left, right = (qvec_cca.unit_rows(rng.normal(size=(200, k))) for k in (12, 6))

    fitted = qvec_cca.contributions(left, right).mean()

    permuted = qvec_cca.chance_level(left, right, rng)
    assert fitted == pytest.approx(permuted, abs=0.06)
    assert fitted > 0.15
    assert abs(qvec_cca.held_out_contributions(left, right, 10, rng).mean()) < 0.08


def test_too_few_words_for_canonical_correlations_are_refused():
    with pytest.raises(Undefined, match="fewer than 273"):
        qvec_cca.check_enough_words(272, 50, 41)
    qvec_cca.check_enough_words(273, 50, 41)
