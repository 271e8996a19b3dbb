"""Abilities by Luce's choice model, which generalises Bradley-Terry to several options.

The probability of an option is the sum of the abilities of the embeddings that offer it, divided
by the sum over all embeddings of the item, so that merged options are handled exactly.
"""

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.human.scoring.errors import crossed_error, share_interval
from lexiscope.human.scoring.ratings import Ratings

_ITERATIONS = 500
_TOLERANCE = 1e-9


def abilities(ratings: Ratings) -> Floats:
    """Estimate abilities that sum to one, by expectation maximisation.

    A rating that credits nobody (an opt-out) is left out.
    """
    credit = np.nan_to_num(ratings.credit)
    present = np.isfinite(ratings.credit).astype(np.float64)
    times = (credit.sum(axis=1) > 0).astype(np.float64)
    found: Floats = np.full(credit.shape[1], 1.0 / credit.shape[1])
    for _ in range(_ITERATIONS):
        new = _improved(found, credit, present, times)
        if np.abs(new - found).max() < _TOLERANCE:
            break
        found = new
    return new


def _improved(found: Floats, credit: Floats, present: Floats, times: Floats) -> Floats:
    """One step: the expected number of wins, divided by the exposure."""
    chosen, total = credit @ found, present @ found
    wins = found * ((times / np.where(chosen > 0, chosen, 1.0)) @ credit)
    tries = (times / np.where(total > 0, total, 1.0)) @ present
    new = np.divide(wins, tries, out=np.zeros_like(wins), where=tries > 0)
    return np.asarray(new / (new.sum() or 1.0))


def ability_estimates(ratings: Ratings) -> tuple[Estimate, ...]:
    """Estimate abilities with intervals over query words and judges.

    The error of the estimates is linear in the gradients of the ratings (the sandwich estimator),
    so it has the variance of any other score. Abilities of 0 have no interval.
    """
    found = abilities(ratings)
    parts, used = _influence(ratings, found), np.ones(len(ratings))
    return tuple(
        _estimate(float(value), part, used, ratings)
        for value, part in zip(found, parts.T, strict=True)
    )


def _estimate(value: float, parts: Floats, used: Floats, ratings: Ratings) -> Estimate:
    try:
        return Estimate(value, *share_interval(value, crossed_error(parts, used, ratings)))
    except Undefined as reason:
        return Estimate(value, state=str(reason))


def _influence(ratings: Ratings, found: Floats) -> Floats:
    """The contribution of each rating to the error of each ability (ratings, embeddings).

    The gradient is with respect to log abilities, in which the likelihood has the information
    matrix that is inverted here; abilities are shares, so it has no inverse in one direction.
    """
    credit = np.nan_to_num(ratings.credit)
    present = np.isfinite(ratings.credit).astype(np.float64)
    chosen, shown = (_shares_of(each, found) for each in (credit, present))
    counts = (credit.sum(axis=1) > 0).astype(np.float64)
    gradient = counts[:, None] * (chosen - shown)
    spread = np.diag(counts @ (shown - chosen)) - (counts[:, None] * shown).T @ shown
    information = spread + (counts[:, None] * chosen).T @ chosen
    logs = gradient @ np.linalg.pinv(information, rcond=1e-10, hermitian=True)
    return np.asarray(found * (logs - (logs @ found)[:, None]))


def _shares_of(members: Floats, found: Floats) -> Floats:
    """The share of each embedding in the ability of a set (ratings, embeddings)."""
    total = members @ found
    return np.asarray(members * found / np.where(total > 0, total, 1.0)[:, None])
