"""Ranks shared by those that an analysis of variance cannot tell apart.

The greedy procedure of Jastrzebski et al. 2017, section 3.3. The paper leaves open the order, the
reference member and the level; here:

- members are taken by their mean score, the best first, equal means in the order given;
- the best member of a group is its reference, and only it is compared;
- a member joins when the one-way ANOVA of its scores and the reference's gives p >= level, and
  otherwise opens the next group and is its reference.

Being alike is not transitive: a member may be like the last of one group and yet open the next.
`stats/many.py` shows all groups instead of one rank each. Scores of repeats over the same items are
not independent (`stats/folds.py`): these ranks sum up, they are no tests.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats

LEVEL = 0.05


class Groups(NamedTuple):
    """The rank of each member, from 0, one per group; and each group's reference member."""

    rank: NDArray[np.int64]
    reference: NDArray[np.int64]


def anova_groups(scores: Floats, level: float = LEVEL) -> Groups:
    """Group members by their scores (members, repeats), higher is better."""
    if scores.shape[1] < 2:
        raise Undefined("one score each does not say how scores vary")
    if not np.isfinite(scores).all():
        raise Undefined("a member has no score in some repeat")
    ranks = np.zeros(len(scores), np.int64)
    references: list[int] = []
    for member in np.argsort(-scores.mean(axis=1), kind="stable").tolist():
        if not references or _chance(scores[references[-1]], scores[member]) < level:
            references.append(member)
        ranks[member] = len(references) - 1
    return Groups(ranks, np.array(references, np.int64))


def _chance(first: Floats, second: Floats) -> float:
    from scipy.stats import f_oneway

    if not np.ptp(first) and not np.ptp(second):  # nothing varies: only equal scores are alike
        return float(first[0] == second[0])
    return float(f_oneway(first, second).pvalue)
