import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multinomial, ttest_1samp

from lexiscope.stats.equivalence import (
    Discordant,
    detectable_difference,
    equivalence_p_value,
    equivalence_p_value_of_hits,
)


def test_equivalence_is_the_larger_of_two_one_sided_tests():
    values = np.random.default_rng(0).normal(0.02, 0.1, size=40)
    error = values.std(ddof=1) / np.sqrt(40)

    found = equivalence_p_value(values.mean(), error, 39, 0.05)

    above = ttest_1samp(values, -0.05, alternative="greater").pvalue
    below = ttest_1samp(values, 0.05, alternative="less").pvalue
    assert found == pytest.approx(max(above, below))
    assert equivalence_p_value(-values.mean(), error, 39, 0.05) == pytest.approx(found)


def test_identical_predictions_are_equivalent():
    assert equivalence_p_value(0.0, 0.0, None, 0.05) == 0
    assert equivalence_p_value(0.05, 0.0, None, 0.05) == 1


def test_the_detectable_difference_is_detected_with_80_percent_power():
    rng = np.random.default_rng(0)
    smallest = detectable_difference(0.02, 30, 0.01)

    samples = rng.normal(smallest, 0.02 * np.sqrt(31), (4000, 31))
    p = ttest_1samp(samples, 0.0, axis=1).pvalue

    assert np.mean(p < 0.01) == pytest.approx(0.8, abs=0.03)


def most_likely_proportion(found, margin):
    """The proportion of discordant items with the highest likelihood, by search."""
    first, second, items = found

    def loss(down):
        rest = 1 - 2 * down - margin
        terms = ((first, down + margin), (second, down), (items - first - second, rest))
        return -sum(count * np.log(p) for count, p in terms if count)

    best = minimize_scalar(loss, bounds=(0, (1 - margin) / 2), method="bounded")
    return 2 * best.x + margin


@pytest.mark.parametrize("found", [(2, 1, 100), (5, 9, 60), (9, 5, 60), (30, 20, 60), (0, 4, 30)])
@pytest.mark.parametrize("margin", [0.02, 0.1])
def test_the_p_value_of_hits_is_exact_at_the_most_likely_proportion(found, margin):
    first, second, items = found
    sides = []
    for one, other in ((first, second), (second, first)):
        rate = most_likely_proportion((one, other, items), margin)
        up = (rate + margin) / 2
        table = multinomial(items, [up, rate - up, 1 - rate])
        sides.append(
            sum(
                table.pmf([b, c, items - b - c])
                for c in range(items + 1)
                for b in range(min(items - c, c + one - other) + 1)
            )
        )

    p = equivalence_p_value_of_hits(Discordant(*found), margin)

    assert p == pytest.approx(max(sides), rel=1e-3)


def test_without_discordant_items_the_p_value_is_the_probability_of_none():
    assert equivalence_p_value_of_hits(Discordant(0, 0, 100), 0.05) == pytest.approx(0.95**100)
    assert equivalence_p_value_of_hits(Discordant(0, 0, 100), 1.0) == 0


def test_dependent_items_count_less():
    p = [equivalence_p_value_of_hits(Discordant(4 / d, 4 / d, 400 / d), 0.05) for d in (1, 1.5, 4)]

    assert p == sorted(p)
    assert p[0] < 0.01 < p[2]


def claims(items, margin, rate, seed, studies=1500):
    """How often hits that differ by the margin are called equivalent, by two tests."""
    rng = np.random.default_rng(seed)
    up = (rate + margin) / 2
    counts = rng.multinomial(items, [up, rate - up, 1 - rate], studies)
    exact, by_t = [], []
    for first, second, _ in counts.tolist():
        value = (first - second) / items
        error = np.sqrt((first + second - items * value**2) / (items * (items - 1)))
        exact.append(equivalence_p_value_of_hits(Discordant(first, second, items), margin))
        by_t.append(equivalence_p_value(value, error, items - 1, margin))
    return np.mean(np.array(exact) < 0.05), np.mean(np.array(by_t) < 0.05)


@pytest.mark.parametrize(
    ("items", "margin", "rate"),
    [(30, 0.1, 0.1), (30, 0.1, 0.2), (30, 0.2, 0.2), (100, 0.05, 0.06), (100, 0.1, 0.2),
     (400, 0.02, 0.02), (400, 0.02, 0.03), (400, 0.05, 0.1), (400, 0.05, 0.2)],
)  # fmt: skip
def test_equivalence_of_hits_is_rarely_claimed_at_the_margin(items, margin, rate):
    exact, _ = claims(items, margin, rate, seed=items)

    assert exact <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 1500)


def test_t_tests_of_few_discordant_items_are_liberal():
    _, by_t = claims(100, 0.05, 0.06, seed=0)

    assert by_t > 0.08


def test_equivalence_of_many_hits_agrees_with_t_tests():
    error = np.sqrt((900 + 860 - 40**2 / 8000) / (8000 * 7999))

    exact = equivalence_p_value_of_hits(Discordant(900, 860, 8000), 0.015)

    assert exact == pytest.approx(equivalence_p_value(40 / 8000, error, 7999, 0.015), rel=0.1)
