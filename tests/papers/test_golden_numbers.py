"""Numbers that follow from the papers' own tables, and what papers warn of."""

import numpy as np
import pytest

from lexiscope.core.contracts.task import Predictions
from lexiscope.linalg.analogy_search import three_cos_add
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.stats.intervals import confidence_interval
from lexiscope.stats.rank_aggregation import borda, kemeny
from lexiscope.stats.rank_counts import first_ranks, last_ranks, means
from lexiscope.stats.reversals import agreement, reversals

# Yaghoobzadeh and Schütze 2016, table 1: PPMI, LBL, CBOW, CWIN, SKIP, SSKIP.
ALL = [61.6, 63.5, 63.0, 66.1, 64.5, 66.2], [44.0, 51.7, 53.5, 53.0, 57.1, 52.8]
HEAD = [69.2, 72.7, 71.7, 73.5, 69.9, 73.9], [63.8, 66.4, 69.4, 68.6, 71.5, 68.5]
TAIL = [43.0, 44.1, 39.1, 46.8, 49.8, 45.5], [28.5, 32.8, 29.9, 31.4, 34.0, 31.4]


@pytest.mark.parametrize(
    ("columns", "rho"), [(ALL, 0.314), (HEAD, 0.029), (TAIL, 0.754)], ids=["all", "head", "tail"]
)
def test_two_classifiers_agree_as_printed_in_the_subspace_paper(columns, rho):
    assert spearman(*map(np.array, columns)) == pytest.approx(rho, abs=5e-4)


MODELS = ["PPMI", "LBL", "CBOW", "CWIN", "SKIP", "SSKIP"]


@pytest.mark.parametrize(
    ("loser", "gain", "loss"), [("SSKIP", 4.3, 1.7), ("CWIN", 4.1, 1.6)], ids=["SSKIP", "CWIN"]
)
def test_skip_wins_with_the_nearest_neighbour_and_loses_with_the_network(loser, gain, loss):
    mlp, nearest = map(np.array, ALL)

    found = {(MODELS[pair.first], MODELS[pair.second]): pair for pair in reversals(nearest, mlp)}

    pair = found["SKIP", loser]
    assert (round(pair.gain, 1), round(pair.loss, 1)) == (gain, loss)
    assert agreement(nearest, mlp) == pytest.approx(0.314, abs=5e-4)


def test_the_clearest_reversals_of_the_subspace_paper_are_the_two_that_it_tells():
    mlp, nearest = map(np.array, ALL)

    found = [(MODELS[pair.first], MODELS[pair.second]) for pair in reversals(nearest, mlp)]

    assert found[:2] == [("SKIP", "SSKIP"), ("SKIP", "CWIN")]
    assert len(found) == 6


def test_ties_would_show_in_the_tail_column():
    mlp, nearest = map(np.array, TAIL)

    assert len(set(nearest)) == 5  # two models tie at 31.4
    assert spearman(mlp, nearest + np.array([0, 0, 0, 0.01, 0, 0])) != pytest.approx(
        0.754, abs=5e-4
    )


# Tsvetkov et al. 2015, section 5: rankings of 300-dimensional vectors.
SENTI = [
    "SSG", "CBOW", "SG", "Attention", "GloVe+PPDB", "GloVe+WN",
    "GloVe", "LSA+WN", "LSA+PPDB", "LSA", "CWindow",
]  # fmt: skip
QVEC = [
    "GloVe+WN", "Attention", "SSG", "CBOW", "GloVe+PPDB", "SG",
    "GloVe", "LSA+WN", "LSA+PPDB", "CWindow", "LSA",
]  # fmt: skip
SIMLEX = [
    "GloVe+PPDB", "GloVe+WN", "SG", "LSA+PPDB", "SSG", "CBOW",
    "Attention", "CWindow", "LSA+WN", "GloVe", "LSA",
]  # fmt: skip


@pytest.mark.parametrize(("other", "rho"), [(QVEC, 0.7818), (SIMLEX, 0.4636)])
def test_rankings_correlate_as_printed_in_the_qvec_paper(other, rho):
    ranks = np.array([other.index(name) for name in SENTI])

    assert spearman(np.arange(11), ranks) == pytest.approx(rho, abs=5e-5)


# Table 2, in the order CBOW, SG, CWindow, SSG, Attention, GloVe, +WN, +PPDB, LSA, +WN, +PPDB.
SCORES = [40.3, 35.9, 28.1, 40.5, 40.8, 34.4, 42.1, 39.2, 19.7, 29.4, 28.4]
SENTIMENT = [80.5, 76.2, 81.2, 80.1, 79.4, 79.6, 79.7, 76.9, 77.5, 77.3]


@pytest.mark.parametrize(("cbow", "r"), [(90.0, 0.60), (80.6, 0.867)], ids=["misprint", "meant"])
def test_the_sentiment_column_holds_a_misprint(cbow, r):
    found = pearson(np.array(SCORES), np.array([cbow, *SENTIMENT]))

    assert found == pytest.approx(r, abs=5e-3 if cbow == 90 else 5e-4)


def test_the_printed_sentiment_ranking_puts_cbow_where_the_table_does_not():
    printed = np.array([90.0, *SENTIMENT])
    names = [
        "CBOW", "SG", "CWindow", "SSG", "Attention", "GloVe",
        "GloVe+WN", "GloVe+PPDB", "LSA", "LSA+WN", "LSA+PPDB",
    ]  # fmt: skip

    by_table, by_meant = (
        [names[index] for index in np.argsort(-column)]
        for column in (printed, np.array([80.6, *SENTIMENT]))
    )

    assert by_table[0] == "CBOW"
    assert by_meant == SENTI


def test_kemenys_order_disagrees_less_with_the_printed_rankings_than_each_of_them():
    ranks = np.array([[ranking.index(name) for name in SENTI] for ranking in (SENTI, QVEC, SIMLEX)])

    found = kemeny(-ranks)

    for order in found.rankings:
        assert disagreements(ranks, np.argsort(order)) == found.disagreements
    assert found.disagreements <= min(disagreements(ranks, row) for row in ranks)
    assert spearman(-np.argsort(found.rankings[0]), borda(-ranks)) > 0.9


def disagreements(ranks, chosen):
    """Over all pairs and rankings, how often a ranking and the chosen one differ."""
    return sum(
        (row[a] < row[b]) != (chosen[a] < chosen[b])
        for row in ranks
        for a in range(len(chosen))
        for b in range(a)
    )


# Schnabel et al. 2015, table 1: CBOW, GloVe, TSCCA, C&W, H-PCA, random projections.
# Relatedness (rg ws wss wsr men toefl), categorization (ap esslli batt.), selectional preference
# (up mcrae), analogy (an ansyn ansem).
INTRINSIC = np.array([
    [74.0, 64.0, 71.5, 56.5, 70.7, 66.7, 65.9, 70.5, 85.2, 24.1, 13.9, 52.2, 47.8, 57.6],
    [63.7, 54.8, 65.8, 49.6, 64.6, 69.4, 64.1, 65.9, 77.8, 27.0, 18.4, 42.2, 44.2, 39.7],
    [57.8, 54.4, 64.7, 43.3, 56.7, 58.3, 57.5, 70.5, 64.2, 31.0, 14.4, 15.5, 19.0, 11.1],
    [48.1, 49.8, 60.7, 40.1, 57.5, 66.7, 60.6, 61.4, 80.2, 28.3, 16.0, 10.9, 12.2, 9.3],
    [19.8, 32.9, 43.6, 15.1, 21.3, 54.2, 34.1, 50.0, 42.0, -2.5, 3.2, 3.0, 2.4, 3.7],
    [17.1, 19.5, 24.9, 16.1, 11.3, 51.4, 21.9, 38.6, 29.6, -8.5, 1.2, 1.0, 0.3, 1.9],
])  # fmt: skip


def test_the_average_is_the_plain_mean_of_fourteen_columns():
    found = means(INTRINSIC)

    assert found == pytest.approx([58.61, 53.37, 44.17, 42.99, 23.06, 16.16], abs=5e-3)
    assert found.round(1).tolist() == [58.6, 53.4, 44.2, 43.0, 23.1, 16.2]  # as printed


def test_cbow_wins_ten_columns_alone_and_shares_one():
    found = first_ranks(INTRINSIC)

    assert found.untied.tolist() == [10, 2, 1, 0, 0, 0]
    assert found.ties == ((7, (0, 2)),)  # esslli, with TSCCA


def test_random_projections_are_last_in_thirteen_columns():
    found = last_ranks(INTRINSIC)

    assert found.untied.tolist() == [0, 0, 0, 0, 1, 13]
    assert found.ties == ()


def test_pitfall_15_a_pooled_correlation_hides_that_every_query_is_ranked_upside_down():
    """Schnabel et al., section 3.1: scores of different query words are not comparable."""
    query, near = np.divmod(np.arange(60), 6)
    units = np.column_stack([query, 100 + np.arange(60)])
    gold = 10.0 * query + near
    given = 10.0 * query - near

    assert spearman(given, gold) > 0.95
    assert spearman_by_query(given, gold, units) == pytest.approx(-1)


def test_pitfall_25_the_word_with_the_highest_product_is_the_answer():
    """Jastrzebski et al., appendix B, prints the lowest; the network starts as this."""
    a, b, c, right, opposite = range(5)
    vectors = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, -1, -1]], np.float32)

    found = three_cos_add(vectors, *(np.array([index]) for index in (a, b, c)))

    assert found.tolist() == [right]
    assert found.tolist() != [opposite]


def test_pitfall_47_an_interval_of_spearman_is_wider_than_fishers():
    """Fisher's is Pearson's; Bonett and Wright 2000 widen it by 19 % for rho = 0.9."""
    widths = []
    for seed in range(30):
        x, noise = np.random.default_rng(seed).normal(size=(2, 200))
        given = 0.9 * x + np.sqrt(1 - 0.9**2) * noise
        low, high = confidence_interval(
            spearman, Predictions(given, x), np.random.default_rng(seed)
        )
        widths.append(np.arctanh(high) - np.arctanh(low))

    fisher = 2 * 1.96 / np.sqrt(200 - 3)
    assert 1.1 < np.mean(widths) / fisher < 1.3
