"""Numbers that follow from the papers' own tables; REQUIREMENTS 1.6."""

import numpy as np
import pytest

from lexiscope.stats.measures import pearson, spearman

# Yaghoobzadeh and Schütze 2016, table 1: PPMI, LBL, CBOW, CWIN, SKIP, SSKIP.
ALL = [61.6, 63.5, 63.0, 66.1, 64.5, 66.2], [44.0, 51.7, 53.5, 53.0, 57.1, 52.8]
HEAD = [69.2, 72.7, 71.7, 73.5, 69.9, 73.9], [63.8, 66.4, 69.4, 68.6, 71.5, 68.5]
TAIL = [43.0, 44.1, 39.1, 46.8, 49.8, 45.5], [28.5, 32.8, 29.9, 31.4, 34.0, 31.4]


@pytest.mark.parametrize(
    ("columns", "rho"), [(ALL, 0.314), (HEAD, 0.029), (TAIL, 0.754)], ids=["all", "head", "tail"]
)
def test_two_classifiers_agree_as_printed_in_the_subspace_paper(columns, rho):
    assert spearman(*map(np.array, columns)) == pytest.approx(rho, abs=5e-4)


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
    places = np.array([other.index(name) for name in SENTI])

    assert spearman(np.arange(11), places) == pytest.approx(rho, abs=5e-5)


# Table 2, in the order CBOW, SG, CWindow, SSG, Attention, GloVe, +WN, +PPDB, LSA, +WN, +PPDB.
SCORES = [40.3, 35.9, 28.1, 40.5, 40.8, 34.4, 42.1, 39.2, 19.7, 29.4, 28.4]
SENTIMENT = [80.5, 76.2, 81.2, 80.1, 79.4, 79.6, 79.7, 76.9, 77.5, 77.3]


@pytest.mark.parametrize(("cbow", "r"), [(90.0, 0.60), (80.6, 0.867)], ids=["misprint", "meant"])
def test_the_sentiment_column_holds_a_misprint(cbow, r):
    found = pearson(np.array(SCORES), np.array([cbow, *SENTIMENT]))

    assert found == pytest.approx(r, abs=5e-3 if cbow == 90 else 5e-4)
