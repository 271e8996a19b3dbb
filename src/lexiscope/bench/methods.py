"""Do the methods of a task agree? One task asked in several ways, on the same dataset."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from lexiscope.bench.results import Results
from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.stats.reversals import Reversal, agreement, reversals


class Turned(NamedTuple):
    """`winner` beats `loser` by `gain` under the first method and loses by `loss` under the other.

    It is real when both differences are real, which is known for whole datasets only.
    """

    winner: str
    loser: str
    gain: float
    loss: float
    real: bool | None


class Methods(NamedTuple):
    """Two ways to ask one question, how far they agree on embeddings, and where they do not."""

    task: str
    dataset: str
    slice: str
    first: str
    second: str
    embeddings: int
    correlation: float | None
    turned: tuple[Turned, ...]


def methods(results: Results) -> list[Methods]:
    """Every two ways that a task was asked in, on each dataset and slice with two scores."""
    return [
        found
        for task, dataset in dict.fromkeys((r.task, r.dataset) for r in results.results)
        for one, other in combinations(_ways(results, task, dataset), 2)
        for found in _compared(results, one, other)
    ]


def _ways(results: Results, task: str, dataset: str) -> list[list[Result]]:
    """The scores of each variant of a task on a dataset."""
    here = [r for r in results.results if r.main and (r.task, r.dataset) == (task, dataset)]
    return [
        [r for r in here if r.variant == name] for name in dict.fromkeys(r.variant for r in here)
    ]


def _compared(results: Results, one: list[Result], other: list[Result]) -> Iterator[Methods]:
    first, second = _names(one[0], other[0])
    for part in dict.fromkeys(r.slice for r in one):
        ours, theirs = (
            {r.embedding: r.value for r in rows if r.slice == part and r.value is not None}
            for rows in (one, other)
        )
        both = [name for name in results.embeddings if name in ours and name in theirs]
        if len(both) < 2:
            continue
        scores = [np.array([scored[name] for name in both]) for scored in (ours, theirs)]
        turned = tuple(
            _turned(results, pair, both, (one[0], other[0]), part) for pair in reversals(*scores)
        )
        yield Methods(
            one[0].task, one[0].dataset, part, first, second, len(both), agreement(*scores), turned
        )


def _names(one: Result, other: Result) -> tuple[str, str]:
    """The settings in which two ways differ: mlp and nearest."""
    keys = [key for key in one.settings if one.settings[key] != other.settings.get(key)]
    if len(keys) == 1:
        return str(one.settings[keys[0]]), str(other.settings[keys[0]])
    first, second = (
        ", ".join(f"{key}={way.settings[key]}" for key in keys) for way in (one, other)
    )
    return first, second


def _turned(
    results: Results, pair: Reversal, names: list[str], ways: tuple[Result, Result], part: str
) -> Turned:
    winner, loser = names[pair.first], names[pair.second]
    if part != WHOLE:
        return Turned(winner, loser, pair.gain, pair.loss, None)
    gains = [_gain(results.compared(way.variant, way.dataset), winner, loser) for way in ways]
    real = gains[0] > 0 > gains[1]
    return Turned(winner, loser, pair.gain, pair.loss, real)


def _gain(comparisons: list[Comparison], winner: str, loser: str) -> float:
    """The difference on shared items, 0 where it may be chance."""
    for each in comparisons:
        if each.real and each.difference and {each.first, each.second} == {winner, loser}:
            return each.difference if each.first == winner else -each.difference
    return 0.0
