from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.contracts.term_model import TERM, UNKNOWN
from lexiscope.core.errors import BadData
from lexiscope.learners.induction_map import InductionMap, learned_map
from lexiscope.learners.term_models.alacarte import Alacarte
from tests.learners.term_models.material import background, generator, samples


def text(tokens=3_000, words=60, seed=3):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, words, tokens)
    starts = np.unique([0, *rng.integers(0, tokens, tokens // 12), tokens])
    return codes, starts


def slow_contexts(codes, starts, space, window):
    """For each word, the sums of the vectors around its occurrences."""
    sums = {}
    for start, end in pairwise(starts):
        line = codes[start:end]
        for position, word in enumerate(line):
            if word < 0:
                continue
            near = [n for n in range(len(line)) if n != position and abs(n - position) <= window]
            vectors = [space.vectors[line[n]].astype(float) for n in near if line[n] >= 0]
            sums.setdefault(word, []).append(np.sum(vectors, axis=0) + np.zeros(space.dimension))
    return sums


WEIGHTS = {"log": np.log, "count": float, "none": lambda count: 1.0}


@pytest.mark.parametrize("weighting", WEIGHTS)
@pytest.mark.parametrize("window", [1, 3, 10])
def test_the_map_solves_the_weighted_normal_equations(weighting, window):
    space, (codes, starts) = background(), text()

    found = learned_map(
        "text", codes, starts, space, window=window, weighting=weighting, min_count=40, exclude=[4]
    )

    sums = slow_contexts(codes, starts, space, window)
    used = [word for word in sums if len(sums[word]) >= 40 and word != 4]
    gram = product = 0
    for word in used:
        context, weight = np.mean(sums[word], axis=0), WEIGHTS[weighting](len(sums[word]))
        gram = gram + weight * np.outer(context, context)
        product = product + weight * np.outer(space.vectors[word].astype(float), context)
    assert found.words == len(used)
    assert 0 < len(used) < len(sums)
    assert_allclose(found.matrix, product @ np.linalg.inv(gram), atol=1e-9)


def test_the_map_fits_better_than_no_map():
    space, (codes, starts) = background(), text()
    found = learned_map("text", codes, starts, space, min_count=1)

    contexts = slow_contexts(codes, starts, space, 10)
    cosines = []
    for word, sums in contexts.items():
        mean, vector = np.mean(sums, axis=0), space.vectors[word].astype(float)
        mapped = found.matrix @ mean
        cosines.append(mapped @ vector / np.linalg.norm(mapped) / np.linalg.norm(vector))
    assert found.cosine == pytest.approx(np.mean(cosines))
    assert found.cosine > 0


def test_a_vector_is_the_map_of_the_mean_over_occurrences():
    space, given = background(), samples()
    matrix = np.random.default_rng(0).normal(size=(7, 7))

    found = Alacarte(window=4, map=InductionMap("given", matrix)).vectors(given, space, generator)

    for vector, sample in zip(found, given, strict=True):
        sums = []
        for line in sample:
            for position in np.flatnonzero(line == TERM):
                near = line[max(0, position - 4) : position + 5]
                sums.append(space.vectors[near[near >= 0]].astype(float).sum(axis=0))
        assert_allclose(vector, matrix @ np.mean(sums, axis=0), atol=1e-9)


def test_unknown_words_take_up_a_position():
    space = background()
    model = Alacarte(window=1, map=InductionMap("identity", np.eye(7)))

    found = model.vectors([(np.array([3, UNKNOWN, TERM, 4]),)], space, generator)

    assert_allclose(found[0], space.vectors[4])


def test_the_model_learns_its_map_with_its_own_settings():
    space, (codes, starts) = background(), text()

    model = Alacarte(window=2, weighting="count", map_min_count=30).with_map(
        "book", codes, starts, space, exclude=[1]
    )

    same = learned_map(
        "book", codes, starts, space, window=2, weighting="count", min_count=30, exclude=[1]
    )
    assert model.map.fingerprint == same.fingerprint
    assert f"{same.words:,} words of book" in model.notes(space)[0]


def test_too_few_words_for_a_map_is_an_error():
    codes, starts = text(tokens=50)
    with pytest.raises(BadData, match=r"book: 0 words occur 50 times"):
        learned_map("book", codes, starts, background(), min_count=50)
    with pytest.raises(BadData, match=r"book: 0 words"):
        learned_map("book", codes[:0], starts[:1], background())


def test_a_model_without_a_map_is_an_error():
    with pytest.raises(BadData, match="needs a map"):
        Alacarte().vectors(samples(), background(), generator)


def test_a_map_of_another_dimension_is_an_error():
    with pytest.raises(BadData, match="3 dimensions, the background 7"):
        Alacarte(map=InductionMap("m", np.eye(3))).vectors(samples(), background(), generator)


@pytest.mark.parametrize("matrix", [np.ones((2, 3)), np.ones(4), np.full((2, 2), np.nan)])
def test_a_matrix_that_is_no_map_is_refused(matrix):
    with pytest.raises(BadData, match=r"^m: "):
        InductionMap("m", matrix)


def test_a_map_is_a_copy_that_cannot_change():
    matrix = np.eye(2)
    found = InductionMap("m", matrix)
    matrix[0, 0] = 5

    assert found.matrix[0, 0] == 1
    assert not found.matrix.flags.writeable
    assert replace(found, name="n").fingerprint == found.fingerprint
