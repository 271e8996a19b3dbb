import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from lexiscope.core.dataset import word_array
from lexiscope.core.errors import Undefined
from lexiscope.stats.clusters import adjusted_rand, purity, purity_by_chance, purity_spread

# Two runs over seven items of three categories: clusters of 3, 3 and 1, then one of 6.
ANSWERS = word_array(["0 0", "0 0", "0 0", "1 0", "1 0", "1 0", "2 1"])
GOLD = word_array(["a", "a", "b", "b", "b", "a", "c"])

items = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("abc")),
    min_size=2,
    max_size=30,
)


def columns(rows):
    one, other, gold = zip(*rows, strict=True)
    given_ = word_array(f"{x} {y}" for x, y in zip(one, other, strict=True))
    return given_, word_array(gold), (one, other)


@given(items)
def test_purity_equals_the_largest_cells_of_the_contingency_tables(rows):
    given_, gold, runs = columns(rows)

    tables = [contingency_matrix(list(gold), run) for run in runs]  # categories by clusters
    expected = [table.max(axis=0).sum() / len(gold) for table in tables]

    assert purity(given_, gold) == pytest.approx(np.mean(expected))
    assert purity.per_run(given_, gold).mean(axis=0) == pytest.approx(expected)
    assert purity.per_item(given_, gold).mean() == pytest.approx(np.mean(expected))
    assert purity_spread(given_, gold) == pytest.approx(np.std(expected, ddof=1))


def test_purity_of_unequal_clusters_by_hand():
    hits = purity.per_run(ANSWERS, GOLD)

    assert hits[:, 0].tolist() == [1, 1, 0, 1, 1, 0, 1]
    assert hits[:, 1].sum() == 4
    assert purity(ANSWERS, GOLD) == pytest.approx((5 + 4) / 14)


def test_purity_is_not_inverse_purity():
    # One cluster holds all: its majority is 3 of 4. Each category lies in one cluster: inverse 1.
    together, gold = word_array(["0"] * 4), word_array(["a", "a", "a", "b"])
    apart = word_array(["0", "1", "2", "3"])

    assert purity(together, gold) == 0.75
    assert purity(apart, gold) == 1


@given(items)
def test_the_adjusted_rand_index_is_scikit_learns_for_each_run(rows):
    given_, gold, runs = columns(rows)

    expected = [adjusted_rand_score(list(gold), run) for run in runs]

    assert adjusted_rand.per_unit(given_, gold, None) == pytest.approx(expected)
    assert adjusted_rand(given_, gold) == pytest.approx(np.mean(expected))


def test_purity_by_chance_keeps_the_sizes_of_clusters_and_categories():
    # Of two pairs dealt to clusters of two: 2 of 6 deals keep pairs together (purity 1), else 1/2.
    given_, gold = word_array(["0", "0", "1", "1"]), word_array(["a", "a", "b", "b"])

    found = purity_by_chance(given_, gold)

    assert found == pytest.approx(1 / 3 + 2 / 3 * 0.5, abs=0.06)
    assert found == purity_by_chance(given_, gold)
    assert purity_by_chance.reference


def test_purity_by_chance_rises_with_the_number_of_clusters():
    gold = word_array(["a", "b", "c"] * 20)
    few, many = (word_array(str(k % number) for k in range(60)) for number in (2, 30))

    assert purity_by_chance(few, gold) < purity_by_chance(many, gold)
    assert adjusted_rand(many, gold) < 0.2


def test_clusters_without_order_score_as_chance_does():
    rng = np.random.default_rng(0)
    given_ = word_array(" ".join(map(str, row)) for row in rng.integers(0, 5, (300, 10)))
    gold = word_array(rng.choice(["a", "b", "c", "d"], 300, p=[0.5, 0.3, 0.1, 0.1]).tolist())

    assert purity(given_, gold) == pytest.approx(purity_by_chance(given_, gold), abs=0.01)
    assert adjusted_rand(given_, gold) == pytest.approx(0, abs=0.01)


def test_items_that_were_not_asked_are_a_cluster_of_their_own():
    given_ = word_array(["0 1", "0 1", "", "", ""])
    gold = word_array(["a", "a", "a", "b", "b"])

    assert purity.per_run(given_, gold).tolist() == [[1, 1], [1, 1], [0, 0], [1, 1], [1, 1]]


@pytest.mark.parametrize("measure", [purity, purity_by_chance, purity_spread, adjusted_rand])
def test_no_answer_at_all_is_undefined(measure):
    with pytest.raises(Undefined, match="no item could be asked"):
        measure(word_array(["", ""]), word_array(["a", "b"]))


def test_one_run_has_no_spread():
    with pytest.raises(Undefined, match="one clustering has no spread"):
        purity_spread(word_array(["0", "1"]), word_array(["a", "b"]))
