"""Neighbour ranks, shape, norms, agreement and map, against slow or library implementations."""

import sys

import numpy as np
import pytest
from scipy.stats import linregress, spearmanr
from sklearn.metrics.pairwise import cosine_similarity

import lexiscope
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import MissingExtra, UnknownName
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.inspection import neighbour_ranks as neighbour_ranks_module
from lexiscope.experiments.inspection.agreement import agreement
from lexiscope.experiments.inspection.frequencies import frequencies_of
from lexiscope.experiments.inspection.neighbour_ranks import neighbour_ranks
from lexiscope.experiments.inspection.shape import norms, shape, sizes
from lexiscope.experiments.inspection.word_map import _umap, word_map
from lexiscope.metrics.geometry import isoscore, mean_cosine
from lexiscope.stats.power_law import mean_curve


def made(vectors, name="made"):
    words = Vocabulary(tuple(f"w{k}" for k in range(len(vectors))))
    return Embedding(name, words, np.asarray(vectors, np.float32))


def ranked(given):
    return frequencies_of(given, None, "")


def noise(words=500, dimension=10, seed=0):
    return np.random.default_rng(seed).normal(size=(words, dimension))


def found_ranks(given, queries, number):
    return neighbour_ranks(given, ranked(given), queries, np.random.default_rng(0), number)


def test_both_power_laws_equal_those_of_scipy_on_slow_neighbours():
    vectors = noise() + np.linspace(2, 0, 500)[:, None]
    queries = [f"w{k}" for k in range(0, 500, 25)]
    found = found_ranks(made(vectors), queries, 100)

    cosines = cosine_similarity(vectors.astype(np.float32).astype(np.float64))
    np.fill_diagonal(cosines, -2)
    nearest = np.argsort(-cosines[::25], axis=1, kind="stable")[:, :100]
    curve = (nearest + 1).mean(axis=0)
    at = np.arange(1, 101)
    ours = linregress(np.log(at), np.log(curve))
    theirs = linregress(np.log(curve), np.log(at))

    assert found.points[0].corpus_rank.value == pytest.approx(curve[0])
    assert found.points[-1].corpus_rank.value == pytest.approx(curve[-1])
    assert found.exponent.value == pytest.approx(ours.slope, rel=1e-9)
    assert found.coefficient == pytest.approx(np.exp(ours.intercept), rel=1e-9)
    assert found.inverse_exponent.value == pytest.approx(theirs.slope, rel=1e-9)
    assert found.r_squared == pytest.approx(ours.rvalue**2, rel=1e-9)
    assert found.exponent.low < found.exponent.value < found.exponent.high
    assert found.inverse_exponent.low < found.inverse_exponent.value < found.inverse_exponent.high
    assert found.random_rank == 250.5


def test_the_interval_of_the_exponent_covers_the_planted_one():
    # The mean over queries of c * k^0.2 times noise; 100 samples of 60 queries.
    rng = np.random.default_rng(0)
    at = np.arange(1.0, 51.0)
    inside = []
    for _ in range(100):
        level = rng.lognormal(0, 0.5, (60, 1))
        slopes = rng.normal(0.2, 0.1, (60, 1))
        # E[k^s] is not k^E[s], so that the noise of the slopes is divided out.
        ranks = level * at**slopes / np.exp(0.5 * (0.1 * np.log(at)) ** 2)
        curve = mean_curve(ranks * rng.lognormal(0, 0.3, ranks.shape), rng, 199)
        found = neighbour_ranks_module._fitted(curve, 60, 25.0).exponent
        inside.append(found.low <= 0.2 <= found.high)

    assert np.mean(inside) >= 0.87  # fewer have a probability of 0.1 %


@pytest.mark.slow
def test_the_shape_of_glove_is_as_published(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE")
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.download import fetch
    from lexiscope.data.local_data import LocalData

    fetch(LocalData(), catalogue()["glove-6b-50d"])
    vectors = lexiscope.load("glove-6b-50d").vectors

    sizes = (1_000, 10_000, 100_000, 400_000)
    assert [isoscore(vectors[:size]) for size in sizes] == pytest.approx(
        [0.467, 0.642, 0.760, 0.773], abs=5e-4
    )
    assert [mean_cosine(vectors[:size]) for size in sizes] == pytest.approx(
        [0.500, 0.220, 0.012, 0.1126], abs=5e-4
    )


def test_neighbours_in_isotropic_noise_do_not_follow_frequency():
    given = made(noise(2000, 20))
    found = found_ranks(given, [f"w{k}" for k in range(0, 2000, 10)], 500)

    assert found.exponent.low < 0 < found.exponent.high


def test_few_queries_have_no_exponent_and_a_reason():
    found = found_ranks(made(noise()), ["w1", "w2", "absent"], 100)

    assert found.exponent.value is None
    assert found.state == "2 query words with 100 neighbours are too few"


def values(points, metric):
    return {point.words: point.value for point in points if point.metric == metric}


def test_each_property_is_a_curve_over_the_most_frequent_words():
    vectors = noise(2500, 6) * [5, 1, 1, 1, 1, 1] + np.linspace(2, 0, 2500)[:, None]
    given = made(vectors)
    points = list(shape(given, ranked(given), np.random.default_rng(0)))

    assert sizes(2500) == [1000, 2500]
    for size in (1000, 2500):
        first = vectors[:size].astype(np.float32)
        assert values(points, "IsoScore")[size].value == pytest.approx(isoscore(first))
        cosine = values(points, "mean cosine")[size]
        assert cosine.value == pytest.approx(mean_cosine(first))
        assert cosine.low < cosine.value < cosine.high


def test_the_band_of_every_property_contains_its_value():
    # The statistics of small subsamples are biased: IsoScore of 5,000 words is lower than of all.
    given = made(noise(12_000, 30))
    points = list(shape(given, ranked(given), np.random.default_rng(0)))

    spread = [point.value for point in points if point.value.low is not None]
    assert len(spread) >= 16
    assert all(each.low <= each.value <= each.high for each in spread)


def test_agreement_is_a_curve_with_intervals_over_the_shared_words():
    vectors = noise(1500, 8)
    other = made(vectors[::-1] + 0.5 * noise(1500, 8, 1), "other")
    other = Embedding(
        "other", Vocabulary(tuple(f"w{k}" for k in range(1499, -1, -1))), other.vectors
    )
    found = agreement(made(vectors), other, np.arange(1500), np.random.default_rng(0))

    assert [point.words for point in found.points] == [1000, 1500]
    for point in found.points:
        assert point.cka.value == pytest.approx(0.8, abs=0.05)
        assert point.cka.low < point.cka.value < point.cka.high
        assert point.jaccard.low < point.jaccard.value < point.jaccard.high


def test_few_shared_words_have_no_agreement_and_a_reason():
    found = agreement(
        made(noise(19)), made(noise(500), "b"), np.arange(19), np.random.default_rng(0)
    )

    assert found.state == "19 shared words are too few, 20 are needed"


def test_norms_equal_those_of_scipy_and_numpy():
    vectors = noise(1000) * np.linspace(3, 1, 1000)[:, None]
    given = made(vectors)
    found = norms(given, ranked(given))
    lengths = np.linalg.norm(vectors, axis=1)

    assert found.correlation.value == pytest.approx(
        spearmanr(-np.arange(1000), lengths).statistic, abs=1e-6
    )
    assert len(found.bands) == 10
    assert [(band.first, band.words) for band in found.bands[:3]] == [(1, 2), (3, 2), (5, 4)]
    assert found.bands[2].norm.value == pytest.approx(lengths[4:8].mean(), rel=1e-5)


def test_unit_vectors_have_no_norm_correlation():
    given = made(np.eye(20))

    assert norms(given, ranked(given)).correlation.state == "all vectors have the same norm"


def test_a_rotated_space_agrees_completely_and_an_unrelated_one_at_chance():
    vectors = noise(400, 8)
    rotation, _ = np.linalg.qr(noise(8, 8, 1))
    rng = np.random.default_rng(0)

    same = agreement(
        made(vectors), made(vectors @ rotation * 3, "rotated"), np.arange(400), rng
    ).points[-1]
    other = agreement(made(vectors), made(noise(400, 8, 5), "other"), np.arange(400), rng).points[
        -1
    ]

    assert same.cka.value == pytest.approx(1, abs=1e-5)
    assert same.jaccard.value > 0.99
    assert other.cka.value < 0.1
    assert other.jaccard.value < 0.05


def test_the_map_is_the_pca_of_unit_vectors():
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import normalize

    given = made(noise(50, 5))
    found = word_map(given, ranked(given), [*given.words, "absent"])
    pca = PCA(2)
    projected = pca.fit_transform(normalize(given.vectors.astype(np.float64)))

    ours = np.array([(point.x, point.y) for point in found.points])
    assert np.abs(ours) == pytest.approx(np.abs(projected), abs=1e-6)
    assert found.explained == pytest.approx(pca.explained_variance_ratio_.sum(), abs=1e-6)
    assert found.absent == 1
    assert found.points[3].frequency == 4


def test_a_projection_that_does_not_exist_is_refused():
    given = made(noise(50, 5))

    with pytest.raises(UnknownName, match="pca, tsne, umap"):
        word_map(given, ranked(given), given.words, "mds")


def test_three_words_and_two_dimensions_are_the_fewest_of_a_map():
    given = made(noise(2, 5))

    assert word_map(given, ranked(given), given.words).state == (
        "a map needs 3 words and two dimensions"
    )


def test_umap_without_its_package_is_a_missing_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)

    with pytest.raises(MissingExtra, match=r"lexiscope\[umap\]"):
        _umap(np.ones((3, 2)), 0)
