"""Expected loss over datasets, models and training sizes (equation 1 of Jastrzebski et al. 2017).

The loss of a model is 1 minus its score. Weights are relative. A name that is not listed has weight
1, or the weight of "*" if that is listed: {"sizes": {"*": 0, "100%": 1}} counts the largest
training set only. Training sizes are counts ("100") or percentages of the training items ("30%").
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined, UnknownName
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.curves.protocol import percentage
from lexiscope.experiments.curves.results import DatasetScores, ExpectedLoss
from lexiscope.stats.curves.repeats import Means, corrected_means, weighted_sum

Weights = Mapping[str, Mapping[str, float]]
OTHERS = "*"  # the name of the weight of all names that are not listed
_KINDS = {"datasets": "dataset", "models": "model", "sizes": "training size"}


def expected_losses(datasets: Sequence[DatasetScores], weights: Weights) -> Iterator[ExpectedLoss]:
    """Yield the expected loss of every embedding, with its interval over repeats.

    A dataset of which no model or no size has a weight above 0 does not count.
    """
    check_weights(datasets, weights)
    for name in dict.fromkeys(name for found in datasets for name in found.embeddings):
        parts = [
            (_weight(weights, "datasets", found.dataset), found, losses)
            for found in datasets
            if (losses := _losses(found, name, weights)) is not None
        ]
        parts = [part for part in parts if part[0] > 0]
        if parts:
            control = any(name in found.controls for _, found, _ in parts)
            yield ExpectedLoss(name, control, len(parts), _estimate(parts))


def _estimate(parts: Sequence[tuple[float, DatasetScores, Floats]]) -> Estimate:
    """The weighted mean over datasets, whose repeats are independent."""
    total = sum(weight for weight, _, _ in parts)
    shares = [weight / total for weight, _, _ in parts]
    try:
        means: list[Means] = [corrected_means(each, found.test_ratio) for _, found, each in parts]
    except Undefined as reason:
        value = sum(w * float(each.mean()) for w, (_, _, each) in zip(shares, parts, strict=True))
        return Estimate(value, state=str(reason))
    whole = weighted_sum(means, shares)
    low, high = whole.interval((0.0, 2.0))
    return Estimate(float(whole.value), float(low), float(high))


def _losses(found: DatasetScores, embedding: str, weights: Weights) -> Floats | None:
    """The expected loss of each repeat on a dataset; None if nothing has a weight."""
    entries = [each for each in found.entries if each.embedding == embedding]
    of_models = np.array([_weight(weights, "models", each.model) for each in entries])
    of_sizes = np.array([_size_weight(found, n, weights) for n in range(len(found.sizes))])
    if not of_models.sum() or not of_sizes.sum():
        return None
    scores = np.stack([each.scores for each in entries])
    shares = of_models / of_models.sum(), of_sizes / of_sizes.sum()
    return np.asarray(1 - np.einsum("m,mrs,s->r", shares[0], scores, shares[1]))


def _weight(weights: Weights, part: str, name: str) -> float:
    return _listed(weights.get(part, {}), (name,))


def _size_weight(found: DatasetScores, size: int, weights: Weights) -> float:
    return _listed(weights.get("sizes", {}), size_names(found.sizes[size], found.pool))


def _listed(own: Mapping[str, float], names: Iterable[str]) -> float:
    """The weight of the first of the names that is listed, else that of all others."""
    return float(next((own[name] for name in names if name in own), own.get(OTHERS, 1.0)))


def size_names(size: int, pool: int) -> tuple[str, ...]:
    """Return the names of a training size in weights: its count, and its percentage, if any.

    Of several percentages with this size, the roundest are names.

    >>> size_names(15, 49)
    ('15', '30%')
    >>> size_names(10, 300)
    ('10',)
    """
    for step in (10, 5, 1):
        found = [f"{p}%" for p in range(step, 101, step) if percentage(p, pool) == size]
        if found:
            return (str(size), *found)
    return (str(size),)


def check_weights(datasets: Sequence[DatasetScores], weights: Weights) -> None:
    """Raise an error for an unknown name, or for a weight that is not a number from 0."""
    known: dict[str, Iterable[str]] = {
        "datasets": {found.dataset for found in datasets},
        "models": {each.model for found in datasets for each in found.entries},
        "sizes": {
            name
            for found in datasets
            for size in found.sizes
            for name in size_names(size, found.pool)
        },
    }
    check_names(known, weights)


def check_names(known: Mapping[str, Iterable[str]], weights: Weights) -> None:
    """Raise an error for a name that is not known, or for a weight that is not a number from 0."""
    for part, own in weights.items():
        if part not in known:
            raise UnknownName("kind of weights", part, known)
        if not isinstance(own, Mapping):
            raise BadUsage(f"Weights of {part} are numbers by name, found {own!r}.")
        for name, weight in own.items():
            if name != OTHERS and name not in known[part]:
                raise UnknownName(_KINDS[part], name, known[part])
            if not _is_weight(weight):
                raise BadUsage(f"The weight of {name} must be a number from 0, found {weight!r}.")
        if not own.get(OTHERS, 1) and not any(own.values()):
            raise BadUsage(f"At least one weight of {part} must be above 0.")


def _is_weight(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and isfinite(value) and value >= 0
