import numpy as np
import pytest
from scipy.stats import f_oneway, ttest_ind

from lexiscope.core.errors import Undefined
from lexiscope.stats.anova_groups import anova_groups

SPREAD = np.array([-2.0, -1, 0, 0, 1, 2])  # six repetitions around a mean


def around(*means):
    return np.array([mean + SPREAD for mean in means])


def differ(one, other):
    return f_oneway(one, other).pvalue < 0.05


def test_pitfall_44_groups_are_not_transitive_and_the_best_member_is_the_reference():
    a, b, c = scores = around(82, 80.7, 79.4)
    assert not differ(a, b)
    assert not differ(b, c)
    assert differ(a, c)

    found = anova_groups(scores)

    # Compared with the last member instead of the reference, all three would share a rank;
    # in ascending order, b would share c's.
    assert found.rank.tolist() == [0, 0, 1]
    assert found.reference.tolist() == [0, 2]


def test_pitfall_44_the_order_of_the_members_does_not_matter():
    found = anova_groups(around(79.4, 82, 80.7))

    assert found.rank.tolist() == [1, 0, 0]
    assert found.reference.tolist() == [1, 0]


def by_t_tests(scores, alpha):
    """The same procedure in a loop, by Student's t-test."""
    order = sorted(range(len(scores)), key=lambda member: (-np.mean(scores[member]), member))
    groups = [[order[0]]]
    for member in order[1:]:
        p = ttest_ind(scores[groups[-1][0]], scores[member]).pvalue
        groups.append([member]) if p < alpha else groups[-1].append(member)
    return [next(k for k, group in enumerate(groups) if m in group) for m in range(len(scores))]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_groups_equal_those_by_t_tests(seed, alpha):
    rng = np.random.default_rng(seed)
    scores = rng.normal(rng.normal(size=(8, 1)), 1, (8, 6))

    assert anova_groups(scores, alpha).rank.tolist() == by_t_tests(scores, alpha)


def test_constant_scores_share_a_group_only_if_equal():
    scores = np.array([[0.5] * 6, [0.5] * 6, [0.4] * 6])

    assert anova_groups(scores).rank.tolist() == [0, 0, 1]


def test_scores_without_a_variance_estimate_have_no_groups():
    with pytest.raises(Undefined, match="from one repetition"):
        anova_groups(np.ones((3, 1)))
    with pytest.raises(Undefined, match="no score in some repetition"):
        anova_groups(np.array([[1, np.nan], [1, 2]]))
