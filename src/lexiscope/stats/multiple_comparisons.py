"""Multiple comparisons: corrected p-values, rank intervals and groups without differences."""

from collections.abc import Iterable, Sequence
from string import ascii_letters
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


def holm(ps: Sequence[float], min_ps: Sequence[float] | None = None) -> NDArray[np.float64]:
    """Correct p-values with Holm's step-down method, which controls the family-wise error rate.

    `min_ps` are the smallest p-values that discrete tests can give. A test that cannot give a
    p-value as small as the one considered cannot be falsely rejected at that level, so it does not
    count (Tarone 1990; the step-down method of Hommel and Krummenauer 1998).

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    >>> holm([0.01, 0.5, 0.5], [0.0, 0.25, 0.25]).tolist()
    [0.01, 1.0, 1.0]
    """
    smallest = np.zeros(len(ps)) if min_ps is None else np.asarray(min_ps, np.float64)
    # A p-value estimated by sampling can fall below the smallest possible one.
    values = np.maximum(np.asarray(ps, np.float64), smallest)
    order = np.argsort(values, kind="stable")
    factors = [np.count_nonzero(smallest[order[k:]] <= values[order[k]]) for k in range(len(order))]
    stepped = np.maximum.accumulate(values[order] * factors) if len(order) else values
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> NDArray[np.float64]:
    """Correct p-values with the method of Benjamini and Hochberg (false discovery rate)."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(list(ps)) if len(ps) else [], np.float64)


class Ranks(NamedTuple):
    """The best and the worst rank that are compatible with the comparisons."""

    best: int
    worst: int


def rank_intervals(members: Sequence[str], beaten: Iterable[tuple[str, str]]) -> dict[str, Ranks]:
    """Compute rank intervals from pairs (worse, better) that differ significantly.

    All intervals hold simultaneously, with the confidence of the corrected tests.

    >>> rank_intervals(["a", "b", "c"], [("c", "a")])["b"]
    Ranks(best=1, worst=3)
    """
    pairs = set(beaten)
    above = {m: sum(worse == m for worse, _ in pairs) for m in members}
    below = {m: sum(better == m for _, better in pairs) for m in members}
    return {m: Ranks(1 + above[m], len(members) - below[m]) for m in members}


def homogeneous_groups(
    members: Sequence[str], different: set[frozenset[str]]
) -> list[tuple[str, ...]]:
    """Find the maximal groups without a significant difference, in the order of `members`.

    The relation is not transitive, so a member can be in several groups.

    >>> homogeneous_groups(["a", "b", "c"], {frozenset(("a", "c"))})
    [('a', 'b'), ('b', 'c')]
    """
    groups: list[tuple[str, ...]] = []

    def fits_all(member: str, others: list[str]) -> bool:
        return all(frozenset((member, other)) not in different for other in others)

    def grow(group: tuple[str, ...], candidates: list[str], excluded: list[str]) -> None:
        if not candidates and not excluded and group:
            groups.append(group)
        # A group that an excluded member could join was already found with that member.
        while candidates and not any(fits_all(member, candidates) for member in excluded):
            member = candidates[0]
            fits = [m for m in candidates[1:] if frozenset((m, member)) not in different]
            grow(
                (*group, member),
                fits,
                [m for m in excluded if frozenset((m, member)) not in different],
            )
            candidates = candidates[1:]
            excluded = [*excluded, member]

    grow((), list(members), [])
    return groups


def letters(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """Compact letter display: members that share a letter are not significantly different.

    Empty if there is nothing to compare.
    """
    marks: dict[str, str] = {}
    for index, group in enumerate(groups):
        mark = ascii_letters[index] if index < len(ascii_letters) else f"({index + 1})"
        for member in group:
            marks[member] = marks.get(member, "") + mark
    return marks if sum(map(len, groups)) > 1 else {}
