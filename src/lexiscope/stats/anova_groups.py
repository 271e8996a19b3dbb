"""Ranks of members in groups whose scores do not differ significantly by one-way ANOVA.

The greedy procedure of Jastrzebski et al. 2017, section 3.3, for summaries of human judgments and
learning curves. The paper does not specify the order, the reference member and the significance
level. Here:

- members are processed by descending mean score, ties in the given order;
- the best member of a group is its reference, and only it is compared;
- a member joins if the one-way ANOVA of its scores and the reference's gives p >= alpha. Otherwise
  it starts the next group and is its reference.

The relation is not transitive: a member may be similar to the last member of one group and yet
start the next. `multiple_comparisons.homogeneous_groups` lists all groups instead. Scores of
repetitions over the same items are not independent (`learners.splits`): these ranks summarise, they
are no tests.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined

ALPHA = 0.05


class Groups(NamedTuple):
    """The rank of each member's group, from 0, and the reference member of each group."""

    rank: NDArray[np.int64]
    reference: NDArray[np.int64]


def anova_groups(scores: Floats, alpha: float = ALPHA) -> Groups:
    """Group members by their scores (members, repetitions), higher is better.

    >>> scores = np.array([[0.80, 0.81, 0.82], [0.79, 0.81, 0.80], [0.50, 0.51, 0.52]])
    >>> anova_groups(scores).rank.tolist()
    [0, 0, 1]
    """
    if scores.shape[1] < 2:
        raise Undefined("the variance of scores cannot be estimated from one repetition")
    if not np.isfinite(scores).all():
        raise Undefined("a member has no score in some repetition")
    ranks = np.zeros(len(scores), np.int64)
    references: list[int] = []
    for member in np.argsort(-scores.mean(axis=1), kind="stable").tolist():
        if not references or _p_value(scores[references[-1]], scores[member]) < alpha:
            references.append(member)
        ranks[member] = len(references) - 1
    return Groups(ranks, np.array(references, np.int64))


def _p_value(first: Floats, second: Floats) -> float:
    from scipy.stats import f_oneway

    if not np.ptp(first) and not np.ptp(second):  # no variance: only equal scores are in one group
        return float(first[0] == second[0])
    return float(f_oneway(first, second).pvalue)
