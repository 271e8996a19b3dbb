"""Scores of embeddings, overall and by attributes of items.

Schnabel et al. 2015, sections 3.3 and 4. Intervals are over queries and judges: ratings that share
a query or a judge are dependent, and the variance includes their covariance.
"""

from collections.abc import Sequence

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.core.study import Item
from lexiscope.human.scoring.errors import crossed_error, proportion_interval, share_interval
from lexiscope.human.scoring.ratings import Codes, Ratings
from lexiscope.human.scoring.results import Score, Slice

_NONE = Estimate(None, state="no ratings")
_NO_SHARE = Estimate(None, state="only comparisons have normalised scores")


def item_ratios(ratings: Ratings) -> Floats:
    """Return the proportion of ratings that credit each embedding (items, embeddings)."""
    shape = len(ratings.items), len(ratings.embeddings)
    sums, numbers = np.zeros(shape), np.zeros(shape)
    known = np.isfinite(ratings.credit)
    np.add.at(sums, ratings.item, np.where(known, ratings.credit, 0.0))
    np.add.at(numbers, ratings.item, known.astype(np.float64))
    return np.asarray(np.divide(sums, numbers, out=np.full(shape, np.nan), where=numbers > 0))


def weights(ratings: Ratings, groups: Codes) -> Floats:
    """Return weights (ratings, embeddings) that make a weighted sum a mean over groups.

    Every group, such as an item, has the same weight, and so has every rating of a group.
    """
    known = np.isfinite(ratings.credit)
    found = np.zeros(known.shape)
    for column in range(known.shape[1]):
        rows = known[:, column]
        if rows.any():
            codes, sizes = np.unique(groups[rows], return_inverse=True, return_counts=True)[1:]
            found[rows, column] = 1 / (sizes[codes] * len(sizes))
    return found


def weighted_scores(ratings: Ratings, weight: Floats) -> tuple[Floats, Floats]:
    """Return scores (embeddings,) and the contribution of each rating to their errors."""
    credit = np.nan_to_num(ratings.credit)
    scores = np.sum(weight * credit, axis=0)
    return scores, weight * (credit - scores)


def scores(ratings: Ratings, *, shares: bool) -> tuple[Score, ...]:
    """Compute the scores of all embeddings; `shares` adds normalised ones."""
    every = np.arange(len(ratings))
    by_item, by_rating = weights(ratings, ratings.item), weights(ratings, every)
    normalised = _shares(ratings, by_item) if shares else [_NO_SHARE] * len(ratings.embeddings)
    return tuple(
        _score(ratings, column, by_item, by_rating, normalised[column])
        for column in range(len(ratings.embeddings))
    )


def _score(
    ratings: Ratings,
    column: int,
    mean: Floats,
    pooled: Floats,
    share: Estimate,
) -> Score:
    involved = np.isfinite(ratings.credit[:, column])
    name, number = ratings.embeddings[column], int(involved.sum())
    if not number:
        return Score(name, 0, 0, _NONE, _NONE, share)
    own = ratings.take(involved)
    both = [
        _proportion(weight[involved, column], own.credit[:, column], own)
        for weight in (mean, pooled)
    ]
    return Score(name, len(np.unique(own.item)), number, both[0], both[1], share)


def _proportion(weight: Floats, credit: Floats, ratings: Ratings) -> Estimate:
    value = float(weight @ credit)
    try:
        error = crossed_error(weight * (credit - value), weight, ratings)
    except Undefined as reason:
        return Estimate(value, state=str(reason))
    return Estimate(value, *proportion_interval(value, error, len(ratings)))


def _shares(ratings: Ratings, weight: Floats) -> list[Estimate]:
    """Scores divided by their sum; the error of a ratio in first order."""
    values, parts = weighted_scores(ratings, weight)
    total = float(values.sum())
    if not total:
        return [_NONE] * len(values)
    common, used = parts.sum(axis=1), weight.mean(axis=1)
    return [
        _share(float(value / total), (part - value / total * common) / total, used, ratings)
        for value, part in zip(values, parts.T, strict=True)
    ]


def _share(value: float, parts: Floats, weight: Floats, ratings: Ratings) -> Estimate:
    try:
        return Estimate(value, *share_interval(value, crossed_error(parts, weight, ratings)))
    except Undefined as reason:
        return Estimate(value, state=str(reason))


def slice_of(ratings: Ratings, by: str, name: str, *, shares: bool) -> Slice:
    """Return the scores of these ratings as a slice."""
    found = scores(ratings, shares=shares)
    items, queries = len(np.unique(ratings.item)), len(np.unique(ratings.query))
    return Slice(by, name, items, queries, found)


def slices(ratings: Ratings, *, shares: bool) -> tuple[Slice, ...]:
    """Compute the scores for each value of each attribute, and for each rank."""
    return tuple(
        slice_of(ratings.of_items(chosen), by, name, shares=shares)
        for by, name, chosen in _groups(ratings.items)
    )


def _groups(items: Sequence[Item]) -> list[tuple[str, str, list[int]]]:
    found: dict[tuple[str, str], list[int]] = {}
    ranks = sorted({item.rank for item in items if item.rank is not None})
    for rank in ranks if len(ranks) > 1 else []:
        found["rank", str(rank)] = [k for k, item in enumerate(items) if item.rank == rank]
    keys = sorted({key for item in items for key in item.attributes})
    for key in keys:
        values = sorted({item.attributes[key] for item in items if key in item.attributes})
        for value in values:
            chosen = [k for k, item in enumerate(items) if item.attributes.get(key) == value]
            found[key, value] = chosen
    return [(by, name, chosen) for (by, name), chosen in found.items()]
