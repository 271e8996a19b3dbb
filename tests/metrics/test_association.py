from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics import association
from lexiscope.metrics.association import (
    associations,
    relative_norm_distance,
    weat_effect_size,
    weat_statistic,
    weat_test,
)


def sets(x=4, y=4, a=3, b=5, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(number, 6)) + k / 3 for k, number in enumerate((x, y, a, b))]


def cosine(u, v):
    return sum(p * q for p, q in zip(u, v, strict=True)) / sqrt(
        sum(p * p for p in u) * sum(q * q for q in v)
    )


def slow_association(w, a, b):
    return sum(cosine(w, v) for v in a) / len(a) - sum(cosine(w, v) for v in b) / len(b)


def slow_effect_size(x, y, a, b):
    ours = [slow_association(w, a, b) for w in x]
    theirs = [slow_association(w, a, b) for w in y]
    every = ours + theirs
    mean = sum(every) / len(every)
    spread = sqrt(sum((value - mean) ** 2 for value in every) / len(every))
    return (sum(ours) / len(ours) - sum(theirs) / len(theirs)) / spread


def slow_p(x, y, a, b):
    """The definition of the paper, with equal statistics counted."""
    words = [*x, *y]
    values = [slow_association(w, a, b) for w in words]

    def statistic(half):
        return sum(v if k in half else -v for k, v in enumerate(values))

    observed = statistic(range(len(x)))
    halves = list(combinations(range(len(words)), len(x)))
    return sum(statistic(half) >= observed - 1e-12 for half in halves) / len(halves)


def slow_norm_distance(x, y, attributes):
    def unit(v):
        return v / sqrt(sum(v * v))

    middles = [sum(unit(v) for v in group) / len(group) for group in (x, y)]
    return sum(
        sqrt(sum((unit(v) - middles[0]) ** 2)) - sqrt(sum((unit(v) - middles[1]) ** 2))
        for v in attributes
    ) / len(attributes)


@pytest.mark.parametrize("seed", range(5))
def test_all_values_equal_their_definitions(seed):
    x, y, a, b = sets(seed=seed)
    first, second = associations(x, a, b), associations(y, a, b)

    assert first == pytest.approx([slow_association(w, a, b) for w in x], rel=1e-12)
    assert weat_statistic(first, second) == pytest.approx(
        sum(slow_association(w, a, b) for w in x) - sum(slow_association(w, a, b) for w in y)
    )
    assert weat_effect_size(first, second) == pytest.approx(slow_effect_size(x, y, a, b))
    assert weat_test(first, second, np.random.default_rng(0)) == (
        pytest.approx(slow_p(x, y, a, b), abs=1e-12),
        comb(8, 4),
        True,
    )
    assert relative_norm_distance(x, y, a) == pytest.approx(slow_norm_distance(x, y, a))


def test_all_values_equal_those_of_wefe():
    pytest.importorskip("wefe")
    models = pytest.importorskip("gensim.models")
    from wefe.metrics import RND, WEAT
    from wefe.query import Query
    from wefe.word_embedding_model import WordEmbeddingModel

    found = sets()
    names = [
        [f"{role}{k}" for k in range(len(each))] for role, each in zip("xyab", found, strict=True)
    ]
    vectors = models.KeyedVectors(6)
    vectors.add_vectors([w for each in names for w in each], np.vstack(found).astype(np.float32))
    model = WordEmbeddingModel(vectors, "made")
    x, y, a, b = found
    first, second = associations(x, a, b), associations(y, a, b)

    weat = WEAT().run_query(Query(names[:2], names[2:]), model)
    rnd = RND().run_query(Query(names[:2], names[2:3]), model, normalize=True)

    assert weat_statistic(first, second) == pytest.approx(weat["weat"], rel=1e-5)
    assert weat_effect_size(first, second) == pytest.approx(weat["effect_size"], rel=1e-5)
    assert relative_norm_distance(x, y, a) == pytest.approx(rnd["rnd"], rel=1e-4)


def test_perfect_separation_has_an_effect_size_of_2_and_the_smallest_p():
    first, second = np.full(8, 0.3), np.full(8, -0.1)

    assert weat_effect_size(first, second) == pytest.approx(2)
    assert weat_test(first, second, np.random.default_rng(0)).p == 1 / comb(16, 8)
    assert weat_test(second, first, np.random.default_rng(0)).p == 1


def test_a_sampled_p_value_is_near_the_enumerated_one_and_follows_the_seed(monkeypatch):
    x, y, a, b = sets(8, 8, seed=3)
    first, second = associations(x, a, b), associations(y, a, b)
    exact = weat_test(first, second, np.random.default_rng(0))
    monkeypatch.setattr(association, "MOST_PARTITIONS", 1)

    sampled, again = (weat_test(first, second, np.random.default_rng(7)) for _ in range(2))

    assert exact.exact
    assert not sampled.exact
    assert sampled == again
    error = sqrt(exact.p * (1 - exact.p) / sampled.partitions)
    assert abs(sampled.p - exact.p) < 4 * error + 1 / sampled.partitions


def test_a_sampled_p_value_is_never_0(monkeypatch):
    monkeypatch.setattr(association, "MOST_PARTITIONS", 1)
    found = weat_test(np.full(15, 1.0) + np.arange(15), -np.arange(15.0), np.random.default_rng(0))

    assert found.p == 1 / 100_000


def test_p_values_are_uniform_without_an_association():
    rng = np.random.default_rng(5)
    p_values = [weat_test(*rng.normal(size=(2, 5)), rng).p for _ in range(2000)]

    for level in (0.05, 0.2, 0.5):
        rate = np.mean(np.array(p_values) <= level)
        assert abs(rate - level) < 4 * sqrt(level * (1 - level) / 2000) + 1 / comb(10, 5)


def test_targets_of_unequal_number_have_no_permutation_test():
    with pytest.raises(BadUsage, match="equal number, found 3 and 2"):
        weat_test(np.zeros(3), np.zeros(2), np.random.default_rng(0))


def test_equal_associations_have_no_effect_size():
    with pytest.raises(Undefined, match="the same association"):
        weat_effect_size(np.full(3, 0.2), np.full(3, 0.2))
    with pytest.raises(Undefined, match="empty"):
        weat_effect_size(np.zeros(0), np.ones(2))
