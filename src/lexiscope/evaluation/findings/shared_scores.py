"""Scores on shared items: comparable side by side, even if embeddings cover different items."""

import numpy as np

from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import Undefined
from lexiscope.core.result import WHOLE, Score, SharedScore
from lexiscope.core.seeding import generator
from lexiscope.evaluation.cell import ScoredItems, score
from lexiscope.evaluation.findings.common_items import CommonItems, Items, StoredCell, common_items
from lexiscope.store.store import Store


def shared_scores(common: CommonItems, store: Store, rule: DecisionRule) -> list[SharedScore]:
    """The main score of every embedding with enough coverage, on the items that all these cover.

    An embedding that covers no other items keeps its own score.
    """
    found = common.evaluation.predictions
    enough = [
        each
        for each in common.cells
        if rule.is_covered(len(each.predictions.items), len(found.gold))
    ]
    if not enough:
        return []
    items = common_items([each.predictions for each in enough])
    return [_shared_score(common, store, each, items) for each in enough]


def _shared_score(
    common: CommonItems, store: Store, stored: StoredCell, items: Items
) -> SharedScore:
    evaluation = common.evaluation.predictions
    names = stored.predictions.embedding, evaluation.variant, evaluation.dataset
    if len(items) == len(stored.predictions.items):
        own = next(s for s in store.scores(stored.cell["id"]) if _is_main(s, stored))
        return SharedScore(*names, own.value, own.low, own.high, len(items))
    try:
        found = _score(common, stored, items)
    except Undefined:
        return SharedScore(*names, None, None, None, len(items))
    return SharedScore(*names, found.value, found.low, found.high, len(items))


def _is_main(found: Score, stored: StoredCell) -> bool:
    return found.metric == stored.cell["metric"] and found.slice == WHOLE


def _score(common: CommonItems, stored: StoredCell, items: Items) -> Score:
    found = common.evaluation.predictions
    data = ScoredItems(
        items, common.on(stored, items).predicted, found.gold, found.units, found.strata,
        found.variance_inflation,
    )  # fmt: skip
    metric, everything = found.metric, np.ones(len(found.gold), bool)
    rng = generator(found.seed, found.task, found.fingerprint, metric.name, WHOLE)
    return score(metric, WHOLE, data, everything, rng)
