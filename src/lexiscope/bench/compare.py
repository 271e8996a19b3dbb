"""Which differences are real: every pair of embeddings on the items that both answered."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.cell import generator
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.result import Comparison
from lexiscope.core.task import Answers
from lexiscope.stats.many import alike, holm
from lexiscope.stats.paired import difference, enough_swaps

CHANCE = 0.05  # a difference is real below this, after correction


class Asked(NamedTuple):
    """The answers of one embedding in one column of cells."""

    embedding: str
    items: NDArray[np.int64]
    given: NDArray[Any]


class Column(NamedTuple):
    """One task on one dataset, asked of every embedding."""

    task: str
    dataset: str
    fingerprint: str
    settings: dict[str, Any]
    measure: Measure
    gold: NDArray[Any]
    unit: NDArray[np.int64] | None
    asked: Sequence[Asked]
    seed: int


def compared(
    columns: Iterable[Column], number: int, tick: Callable[[], None] = lambda: None
) -> list[Comparison]:
    """All comparisons of a run, `number` at most, corrected together by Holm's method."""
    found = []
    for column in columns:
        for first, second in combinations(column.asked, 2):
            found.append(_one(column, first, second, enough_swaps(number)))
            tick()
    tested = [place for place, item in enumerate(found) if item.p is not None]
    for place, p in zip(tested, holm([found[i].p or 0.0 for i in tested]).tolist(), strict=True):
        found[place] = replace(found[place], p_holm=p, real=p < CHANCE)
    return found


def _one(column: Column, first: Asked, second: Asked, swaps: int) -> Comparison:
    both, ours, theirs = np.intersect1d(
        first.items, second.items, assume_unique=True, return_indices=True
    )
    blank = Comparison(
        first.embedding, second.embedding, column.task, column.dataset, column.measure.name,
        column.settings, None, None, None, None, None, len(both), "", False,
    )  # fmt: skip
    rng = generator(column.seed, "compare", column.task, column.fingerprint)
    gold, unit = column.gold[both], None if column.unit is None else column.unit[both]
    one, other = (Answers(given, gold, unit) for given in (first.given[ours], second.given[theirs]))
    try:
        if not len(both):
            raise Undefined("the two embeddings share no item that both could be asked")
        found = difference(column.measure, one, other, rng, swaps)
    except Undefined as reason:
        return replace(blank, state=str(reason))
    return replace(
        blank, difference=found.value, low=found.low, high=found.high, p=found.p,
        test=found.test, state=found.state,
    )  # fmt: skip


def groups(
    embeddings: Sequence[str], comparisons: Iterable[Comparison], scores: Mapping[str, float]
) -> list[tuple[str, ...]]:
    """Embeddings that cannot be told apart on one column, the least beaten first.

    Two that could not be compared are not called alike.
    """
    comparisons = list(comparisons)
    losses = Counter(loser for c in comparisons if (loser := beaten(c)))
    order = sorted(embeddings, key=lambda name: (losses[name], -scores.get(name, -np.inf)))
    apart = {frozenset((c.first, c.second)) for c in comparisons if c.real or c.p is None}
    return alike(order, apart)


def beaten(comparison: Comparison) -> str | None:
    """Who is really worse on the items that both answered; None when no one is."""
    if not comparison.real or not comparison.difference:
        return None
    return comparison.second if comparison.difference > 0 else comparison.first
