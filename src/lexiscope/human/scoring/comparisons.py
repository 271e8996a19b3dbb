"""Differences between embeddings: tests over query words and judges.

The p-value is the largest of three. A permutation test flips the sign of the difference of each
query word (Schnabel et al. 2015 permute items); it is exact for these judges. A t test has an error
that includes both query words and judges. A t test over judges alone keeps small p-values honest:
if there are few judges, the error of the other test can be far too small by chance.
"""

from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.core.result import Outcome
from lexiscope.human.scoring.errors import crossed_error, difference_interval, judge_error
from lexiscope.human.scoring.ratings import Mask, Ratings
from lexiscope.human.scoring.results import PairOutcome
from lexiscope.human.scoring.scores import weighted_scores, weights
from lexiscope.stats.equivalence import equivalence_p_value
from lexiscope.stats.multiple_comparisons import holm
from lexiscope.stats.paired import t_test
from lexiscope.stats.randomization import enough_permutations
from lexiscope.stats.standard_error import StandardError

_MIN_QUERIES = 6  # fewer cannot give a p-value below 5 %
_BATCH = 2000  # permutations at a time
_TOLERANCE = 1e-12  # of sums that differ by rounding only


def comparisons(
    ratings: Ratings, rule: DecisionRule, rng: Generator, permutations: int | None = None
) -> tuple[PairOutcome, ...]:
    """Compare every two embeddings on the items that both have; Holm over all pairs.

    `permutations` is the number of random signs; by default enough for the number of pairs.
    """
    pairs = list(combinations(range(len(ratings.embeddings)), 2))
    if not pairs:
        return ()
    changes = [_change(ratings, one, two) for one, two in pairs]
    flipped = sign_flip_tests(
        np.array([each.by_query for each in changes]),
        rng,
        permutations or enough_permutations(len(pairs)),
    )
    found = [
        _outcome(ratings, pair, change, p, rule)
        for pair, change, p in zip(pairs, changes, flipped, strict=True)
    ]
    tested = [each for each in found if each.p is not None and each.p_equivalence is not None]
    ps = holm([each.p for each in tested if each.p is not None]).tolist()
    equal = [each.p_equivalence for each in tested if each.p_equivalence is not None]
    corrected = iter(zip(ps, holm(equal).tolist(), strict=True))
    return tuple(e if e.p is None else _decided(e, *next(corrected), rule.alpha) for e in found)


def _decided(each: PairOutcome, p: float, equal: float, alpha: float) -> PairOutcome:
    outcome: Outcome = "undecided"
    if p < alpha:
        outcome = "different"
    elif equal < alpha:
        outcome = "equivalent"
    return replace(each, p_holm=p, p_equivalence=equal, outcome=outcome)


class _Change(NamedTuple):
    """The difference of two scores; `by_query` has what each query word contributes to it."""

    queries: int
    value: float
    error: StandardError | None
    over_judges: StandardError | None
    state: str
    by_query: Floats


def _change(ratings: Ratings, one: int, two: int) -> _Change:
    part = ratings.take(_shared(ratings, one, two))
    codes = int(ratings.query.max()) + 1
    if not len(part):
        return _Change(0, 0.0, None, None, "no shared query word", np.zeros(codes))
    weight = weights(part, part.item)
    values, parts = weighted_scores(part, weight)
    credited = weight * np.nan_to_num(part.credit)
    by_query = np.asarray(
        np.bincount(part.query, credited[:, one] - credited[:, two], codes), np.float64
    )
    queries, value = len(np.unique(part.query)), float(values[one] - values[two])
    given = parts[:, one] - parts[:, two], weight[:, one] + weight[:, two], part
    try:
        errors = crossed_error(*given), judge_error(*given)
    except Undefined as reason:
        return _Change(queries, value, None, None, str(reason), by_query)
    return _Change(queries, value, *errors, "", by_query)


def _shared(ratings: Ratings, one: int, two: int) -> Mask:
    """Which ratings judge either embedding, on query words and ranks that both have."""
    known = np.isfinite(ratings.credit)
    first, second = (set(ratings.cell[known[:, column]].tolist()) for column in (one, two))
    both = np.isin(ratings.cell, sorted(first & second))
    return np.asarray(both & known[:, [one, two]].any(axis=1))


def _outcome(
    ratings: Ratings, pair: tuple[int, int], change: _Change, flipped: float, rule: DecisionRule
) -> PairOutcome:
    names = ratings.embeddings[pair[0]], ratings.embeddings[pair[1]]
    value = change.value if change.queries else None
    blank = PairOutcome(*names, change.queries, Estimate(value, state=change.state),
                        margin=rule.margin, state=change.state)  # fmt: skip
    error, over_judges = change.error, change.over_judges
    if error is None or over_judges is None:
        return blank
    if not error.error:
        state = "the difference is the same for all query words and judges"
        return replace(blank, difference=Estimate(value, state=state), state=state)
    blank = replace(blank, difference=Estimate(value, *difference_interval(change.value, error)))
    if change.queries < _MIN_QUERIES:
        return replace(blank, state=f"{change.queries} query words are too few for a test")
    tests = [t_test(change.value, each) for each in (error, over_judges)]
    equal = [
        equivalence_p_value(change.value, each.error, each.degrees_of_freedom, rule.margin)
        for each in (error, over_judges)
    ]
    p = max(flipped, *tests)
    return replace(blank, p_permutation=flipped, p=p, p_equivalence=max(equal))


def sign_flip_tests(table: Floats, rng: Generator, permutations: int) -> list[float]:
    """Compute two-sided p-values by flipping the signs of the differences of query words.

    Parameters
    ----------
    table : ndarray of shape (tests, queries)
        What each query word contributes to each difference.
    rng : Generator
        Source of the signs, which all tests share.
    permutations : int
        The number of random signs. If there are not more combinations, all are enumerated, which
        is exact; otherwise the observed signs count as one of them, so that p is never 0.

    Examples
    --------
    >>> sign_flip_tests(np.array([[0.3, 0.2, 0.4, 0.1]]), np.random.default_rng(0), 100)
    [0.125]
    """
    used = table[:, np.any(table != 0, axis=0)]
    queries = used.shape[1]
    least = np.abs(used.sum(axis=1)) - _TOLERANCE
    exact = 2**queries <= permutations
    count, number = np.zeros(len(used), np.int64), 2**queries if exact else permutations
    for start in range(0, number, _BATCH):
        rows = np.arange(start, min(start + _BATCH, number))
        if exact:
            ones = (rows[:, None] >> np.arange(queries)) & 1
        else:
            ones = rng.integers(0, 2, (len(rows), queries))
        count += np.count_nonzero(np.abs((1.0 - 2.0 * ones) @ used.T) >= least, axis=0)
    extra = int(not exact)  # the observed signs
    found: list[float] = ((count + extra) / (number + extra)).tolist()
    return found
