"""Metrics of multi-label classification: sets of types compared with gold sets.

A prediction is the types of an entity as one sorted string with separators: "city|place". An empty
string is the empty set.

Examples
--------
>>> import numpy as np
>>> predicted, gold = np.array(["city|place", "person"]), np.array(["place", "person"])
>>> round(item_f1(predicted, gold), 2), micro_f1(predicted, gold), exact_match(predicted, gold)
(0.83, 0.8, 0.5)
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric, Values
from lexiscope.core.datasets.entities import TYPE_SEPARATOR, join_types
from lexiscope.core.errors import Undefined
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.f1 import f1_of_totals, metric_of_totals

Members = NDArray[np.bool_]

_PERMUTATIONS = 50


class LabelSets(NamedTuple):
    """The names of types in order, and which types each item has (items, types)."""

    names: list[str]
    members: Members


def label_sets(texts: Values, names: list[str] | None = None) -> LabelSets:
    """Convert strings to sets, of all types that occur or of the given types."""
    found = [text.split(TYPE_SEPARATOR) if text else [] for text in texts]
    known = sorted({name for row in found for name in row}) if names is None else names
    indices = {name: index for index, name in enumerate(known)}
    members = np.zeros((len(found), len(known)), bool)
    for item, row in enumerate(found):
        members[item, [indices[name] for name in row]] = True
    return LabelSets(known, members)


def _both(predicted: Values, gold: Values) -> tuple[Members, Members]:
    if not len(predicted):
        raise Undefined("no item is covered")
    members = label_sets(np.concatenate([predicted, gold])).members
    return members[: len(predicted)], members[len(predicted) :]


def type_counts(predicted: Values, gold: Values) -> Floats:
    """Count true positives, false positives and false negatives per item (items, 3)."""
    return _counts(*_both(predicted, gold))


def _counts(predicted: Members, gold: Members) -> Floats:
    columns = predicted & gold, predicted & ~gold, gold & ~predicted
    return np.stack([column.sum(axis=1) for column in columns], axis=1).astype(np.float64)


def _f1_of_items(predicted: Values, gold: Values) -> Floats:
    return f1_of_totals(type_counts(predicted, gold))


def _item_f1(predicted: Values, gold: Values) -> float:
    return float(_f1_of_items(predicted, gold).mean())


def _chance_level(predicted: Values, gold: Values) -> float:
    """The mean F1 when the same predictions are randomly permuted over the items."""
    # A metric is a function: the same predictions must give the same number.
    rng = np.random.default_rng(0)
    ours, right = _both(predicted, gold)
    permuted = (rng.permutation(ours) for _ in range(_PERMUTATIONS))
    return float(np.mean([f1_of_totals(_counts(each, right)).mean() for each in permuted]))


class ConstantPrediction(NamedTuple):
    """One prediction for all items, and its mean F1."""

    types: str
    f1: float


def best_constant(gold: Values) -> ConstantPrediction:
    """Find the best constant prediction among the sets of the k most frequent types."""
    if not len(gold):
        raise Undefined("the training set has no entity")
    names, right = label_sets(gold)
    order = np.argsort(-right.sum(axis=0), kind="stable")
    hits = np.cumsum(right[:, order], axis=1)  # (items, k)
    sizes = np.arange(1, hits.shape[1] + 1) + right.sum(axis=1)[:, None]
    scores = (2 * hits / sizes).mean(axis=0)
    best = int(np.argmax(scores))
    types = join_types(names[index] for index in order[: best + 1])
    return ConstantPrediction(types, float(scores[best]))


def _constant(predicted: Values, gold: Values) -> float:
    return best_constant(gold).f1


item_f1 = Metric(_item_f1, "item_f1", per_item=_f1_of_items, bounds=(0.0, 1.0))
micro_f1 = metric_of_totals("micro_f1", type_counts, f1_of_totals)
exact_match = replace(accuracy, name="exact_match")
item_f1_chance_level = Metric(_chance_level, "item_f1_chance_level", reference=True)
item_f1_constant = Metric(_constant, "item_f1_constant", reference=True)
