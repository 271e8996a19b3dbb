import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import Undefined
from lexiscope.metrics.purity import adjusted_rand, purity, purity_chance_level, purity_std

# Two repetitions over seven items of three categories: clusters of 3, 3 and 1, then one of 6.
PREDICTED = word_array(["0 0", "0 0", "0 0", "1 0", "1 0", "1 0", "2 1"])
GOLD = word_array(["a", "a", "b", "b", "b", "a", "c"])

items = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("abc")),
    min_size=2,
    max_size=30,
)


def columns(rows):
    one, other, gold = zip(*rows, strict=True)
    predicted = word_array(f"{x} {y}" for x, y in zip(one, other, strict=True))
    return predicted, word_array(gold), (one, other)


@given(items)
def test_purity_is_the_sum_of_the_largest_cells_of_the_contingency_table(rows):
    predicted, gold, repeats = columns(rows)

    tables = [contingency_matrix(list(gold), run) for run in repeats]  # categories by clusters
    expected = [table.max(axis=0).sum() / len(gold) for table in tables]

    assert purity(predicted, gold) == pytest.approx(np.mean(expected))
    assert purity.per_repeat(predicted, gold).mean(axis=0) == pytest.approx(expected)
    assert purity.per_item(predicted, gold).mean() == pytest.approx(np.mean(expected))
    assert purity_std(predicted, gold) == pytest.approx(np.std(expected, ddof=1))


def test_purity_of_unequal_clusters_by_hand():
    hits = purity.per_repeat(PREDICTED, GOLD)

    assert hits[:, 0].tolist() == [1, 1, 0, 1, 1, 0, 1]
    assert hits[:, 1].sum() == 4
    assert purity(PREDICTED, GOLD) == pytest.approx((5 + 4) / 14)


def test_purity_is_not_inverse_purity():
    # One cluster holds all: its majority is 3 of 4. Each category is in one cluster: inverse 1.
    together, gold = word_array(["0"] * 4), word_array(["a", "a", "a", "b"])
    separate = word_array(["0", "1", "2", "3"])

    assert purity(together, gold) == 0.75
    assert purity(separate, gold) == 1


@given(items)
def test_the_adjusted_rand_index_is_scikit_learns_for_each_repetition(rows):
    predicted, gold, repeats = columns(rows)

    expected = [adjusted_rand_score(list(gold), run) for run in repeats]

    assert adjusted_rand(predicted, gold) == pytest.approx(np.mean(expected))


def test_the_chance_level_keeps_the_sizes_of_clusters_and_categories():
    # Two pairs in two clusters: 2 of 6 permutations keep pairs together (purity 1), else 1/2.
    predicted, gold = word_array(["0", "0", "1", "1"]), word_array(["a", "a", "b", "b"])

    found = purity_chance_level(predicted, gold)

    assert found == pytest.approx(1 / 3 + 2 / 3 * 0.5, abs=0.06)
    assert found == purity_chance_level(predicted, gold)
    assert purity_chance_level.reference


def test_the_chance_level_rises_with_the_number_of_clusters():
    gold = word_array(["a", "b", "c"] * 20)
    few, many = (word_array(str(k % number) for k in range(60)) for number in (2, 30))

    assert purity_chance_level(few, gold) < purity_chance_level(many, gold)
    assert adjusted_rand(many, gold) < 0.2


def test_random_clusters_score_at_the_chance_level():
    rng = np.random.default_rng(0)
    predicted = word_array(" ".join(map(str, row)) for row in rng.integers(0, 5, (300, 10)))
    gold = word_array(rng.choice(["a", "b", "c", "d"], 300, p=[0.5, 0.3, 0.1, 0.1]).tolist())

    assert purity(predicted, gold) == pytest.approx(purity_chance_level(predicted, gold), abs=0.01)
    assert adjusted_rand(predicted, gold) == pytest.approx(0, abs=0.01)


def test_items_that_are_not_covered_form_a_cluster_of_their_own():
    predicted = word_array(["0 1", "0 1", "", "", ""])
    gold = word_array(["a", "a", "a", "b", "b"])

    assert purity.per_repeat(predicted, gold).tolist() == [[1, 1], [1, 1], [0, 0], [1, 1], [1, 1]]


@pytest.mark.parametrize("metric", [purity, purity_chance_level, purity_std, adjusted_rand])
def test_without_covered_items_the_score_is_undefined(metric):
    with pytest.raises(Undefined, match="no item is covered"):
        metric(word_array(["", ""]), word_array(["a", "b"]))


def test_one_clustering_has_no_standard_deviation():
    with pytest.raises(Undefined, match="one clustering has no standard deviation"):
        purity_std(word_array(["0", "1"]), word_array(["a", "b"]))
