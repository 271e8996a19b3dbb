"""Many comparisons at once: corrected p-values, and who cannot be told apart."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


def holm(ps: Sequence[float]) -> NDArray[np.float64]:
    """Holm's step-down correction: the chance of one false alarm among all stays below the level.

    SciPy has false-discovery control only; this keeps the stricter promise.
    """
    values = np.asarray(ps, np.float64)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    stepped = np.maximum.accumulate(values[order] * factors)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> NDArray[np.float64]:
    """The share of false alarms among what is called real stays below the level."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(list(ps)) if len(ps) else [], np.float64)


class Ranks(NamedTuple):
    """The best and the worst rank that the comparisons leave possible."""

    best: int
    worst: int


def rank_intervals(members: Sequence[str], beaten: Iterable[tuple[str, str]]) -> dict[str, Ranks]:
    """Between which ranks each member lies, given who is really worse than whom: (worse, better).

    All these statements hold together with the confidence of the corrected tests behind them.
    """
    pairs = set(beaten)
    above = {m: sum(worse == m for worse, _ in pairs) for m in members}
    below = {m: sum(better == m for _, better in pairs) for m in members}
    return {m: Ranks(1 + above[m], len(members) - below[m]) for m in members}


def alike(members: Sequence[str], apart: set[frozenset[str]]) -> list[tuple[str, ...]]:
    """The largest groups in which no two members were told apart, in the order of `members`.

    A member may stand in several groups: being alike is not transitive.
    """
    groups: list[tuple[str, ...]] = []

    def fits_all(member: str, others: list[str]) -> bool:
        return all(frozenset((member, other)) not in apart for other in others)

    def grow(group: tuple[str, ...], candidates: list[str], passed: list[str]) -> None:
        if not candidates and not passed and group:
            groups.append(group)
        # What a passed member could join as a whole was found with that member already.
        while candidates and not any(fits_all(member, candidates) for member in passed):
            member = candidates[0]
            fits = [m for m in candidates[1:] if frozenset((m, member)) not in apart]
            grow((*group, member), fits, [m for m in passed if frozenset((m, member)) not in apart])
            candidates = candidates[1:]
            passed = [*passed, member]

    grow((), list(members), [])
    return groups
