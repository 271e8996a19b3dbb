"""Which differences are real: every pair of embeddings on the items that both answered."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.cell import generator
from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.result import Comparison
from lexiscope.core.task import Answers
from lexiscope.stats.many import Ranks, alike, benjamini_hochberg, holm, rank_intervals
from lexiscope.stats.paired import CHANCE, difference, enough_swaps


class Answered(NamedTuple):
    """The answers of one embedding in one column of cells."""

    embedding: str
    items: NDArray[np.int64]
    given: NDArray[Any]


class Column(NamedTuple):
    """One task on one dataset, asked of every embedding.

    `apart` says which two embeddings are not compared, and why.
    """

    task: str
    variant: str
    dataset: str
    fingerprint: str
    settings: dict[str, Any]
    measure: Measure
    gold: NDArray[Any]
    units: Units | None
    answered: Sequence[Answered]
    seed: int
    joint: bool = False
    apart: Mapping[frozenset[str], str] = MappingProxyType({})


def compared(
    columns: Iterable[Column], number: int, tick: Callable[[], None] = lambda: None
) -> list[Comparison]:
    """All comparisons of a run, `number` at most, corrected together."""
    found = []
    for column in columns:
        for first, second in combinations(column.answered, 2):
            found.append(_one(column, first, second, enough_swaps(number)))
            tick()
    return corrected(found)


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with p-values corrected over all of them; Holm's decides what is real."""
    found = list(comparisons)
    tested = [place for place, item in enumerate(found) if item.p is not None]
    ps = [found[place].p or 0.0 for place in tested]
    both = zip(tested, holm(ps).tolist(), benjamini_hochberg(ps).tolist(), strict=True)
    for place, strict, mild in both:
        found[place] = replace(found[place], p_holm=strict, p_bh=mild, real=strict < CHANCE)
    return found


def _one(column: Column, first: Answered, second: Answered, swaps: int) -> Comparison:
    both, ours, theirs = np.intersect1d(
        first.items, second.items, assume_unique=True, return_indices=True
    )
    blank = Comparison(
        first.embedding, second.embedding, column.task, column.dataset, column.measure.name,
        column.settings, None, None, None, None, None, len(both), "", False,
        variant=column.variant,
    )  # fmt: skip
    rng = generator(column.seed, "compare", column.task, column.fingerprint)
    gold, units = column.gold[both], None if column.units is None else column.units[both]
    one, other = (
        Answers(given, gold, units) for given in (first.given[ours], second.given[theirs])
    )
    apart = column.apart.get(frozenset((first.embedding, second.embedding)), "")
    try:
        if apart:
            raise Undefined(apart)
        if not len(both):
            raise Undefined("the two embeddings share no item that both could be asked")
        if column.joint and not len(first.items) == len(second.items) == len(both):
            raise Undefined("asked of other items, every answer may be another one")
        found = difference(column.measure, one, other, rng, swaps)
    except Undefined as reason:
        return replace(blank, state=str(reason))
    return replace(
        blank, difference=found.value, low=found.low, high=found.high, p=found.p,
        test=found.test, state=found.state, detectable=found.detectable, needed=found.needed,
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


def ranks(embeddings: Sequence[str], comparisons: Iterable[Comparison]) -> dict[str, Ranks]:
    """Between which ranks each embedding lies on one column; two not compared decide nothing."""
    pairs = [
        (loser, c.first if loser == c.second else c.second)
        for c in comparisons
        if (loser := beaten(c))
    ]
    return rank_intervals(embeddings, pairs)
