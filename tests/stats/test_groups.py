import numpy as np
import pytest
from scipy.stats import f_oneway, ttest_ind

from lexiscope.core.errors import Undefined
from lexiscope.stats.groups import anova_groups

SPREAD = np.array([-2.0, -1, 0, 0, 1, 2])  # six repeats around a mean


def around(*means):
    return np.array([mean + SPREAD for mean in means])


def differ(one, other):
    return f_oneway(one, other).pvalue < 0.05


def test_pitfall_44_being_alike_is_not_transitive_and_the_best_of_a_group_is_its_reference():
    a, b, c = scores = around(82, 80.7, 79.4)
    assert not differ(a, b)
    assert not differ(b, c)
    assert differ(a, c)

    found = anova_groups(scores)

    # Compared with the last member instead of the reference, all three would share a rank;
    # taken from the worst upwards, b would share c's.
    assert found.rank.tolist() == [0, 0, 1]
    assert found.reference.tolist() == [0, 2]


def test_pitfall_44_the_order_of_the_members_does_not_matter():
    found = anova_groups(around(79.4, 82, 80.7))

    assert found.rank.tolist() == [1, 0, 0]
    assert found.reference.tolist() == [1, 0]


def by_t_tests(scores, level):
    """One member after the other against the best of the open group, by Student's t-test."""
    order = sorted(range(len(scores)), key=lambda member: (-np.mean(scores[member]), member))
    groups = [[order[0]]]
    for member in order[1:]:
        p = ttest_ind(scores[groups[-1][0]], scores[member]).pvalue
        groups.append([member]) if p < level else groups[-1].append(member)
    return [next(k for k, group in enumerate(groups) if m in group) for m in range(len(scores))]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_groups_equal_those_by_t_tests(seed, level):
    rng = np.random.default_rng(seed)
    scores = rng.normal(rng.normal(size=(8, 1)), 1, (8, 6))

    assert anova_groups(scores, level).rank.tolist() == by_t_tests(scores, level)


def test_scores_that_do_not_vary_are_alike_only_when_equal():
    scores = np.array([[0.5] * 6, [0.5] * 6, [0.4] * 6])

    assert anova_groups(scores).rank.tolist() == [0, 0, 1]


def test_scores_that_say_nothing_about_their_spread_have_no_groups():
    with pytest.raises(Undefined, match="one score each"):
        anova_groups(np.ones((3, 1)))
    with pytest.raises(Undefined, match="no score in some repeat"):
        anova_groups(np.array([[1, np.nan], [1, 2]]))
