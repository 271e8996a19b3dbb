"""Agreement of solvers: one task with several settings on the same dataset."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.evaluation.run_data import RunData
from lexiscope.stats.reversals import Reversal, agreement, reversals


class Reversed(NamedTuple):
    """Two embeddings that two solvers rank differently.

    `winner` is better by `gain` with the first solver and worse by `loss` with the second. The
    reversal is significant if both differences are; None on slices, where they are not tested.
    """

    winner: str
    loser: str
    gain: float
    loss: float
    significant: bool | None


class SolverAgreement(NamedTuple):
    """How far two solvers agree on the embeddings, and the pairs that they rank differently."""

    task: str
    dataset: str
    slice: str
    first: str
    second: str
    embeddings: int
    correlation: float | None
    reversals: tuple[Reversed, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {**self._asdict(), "reversals": [each._asdict() for each in self.reversals]}


def solver_agreement(results: RunData) -> list[SolverAgreement]:
    """Every two solvers of a task, on each dataset and slice with two scores."""
    return [
        found
        for task, dataset in dict.fromkeys((r.task, r.dataset) for r in results.results)
        for one, other in combinations(_solvers(results, task, dataset), 2)
        for found in _compared(results, one, other)
    ]


def _solvers(results: RunData, task: str, dataset: str) -> list[list[Result]]:
    """The scores of each variant of a task on a dataset."""
    here = [r for r in results.results if r.main and (r.task, r.dataset) == (task, dataset)]
    return [
        [r for r in here if r.variant == name] for name in dict.fromkeys(r.variant for r in here)
    ]


def _compared(
    results: RunData, one: list[Result], other: list[Result]
) -> Iterator[SolverAgreement]:
    first, second = _names(one[0], other[0])
    for slice_ in dict.fromkeys(r.slice for r in one):
        ours, theirs = (
            {r.embedding: r.value for r in rows if r.slice == slice_ and r.value is not None}
            for rows in (one, other)
        )
        both = [name for name in results.embeddings if name in ours and name in theirs]
        if len(both) < 2:
            continue
        scores = [np.array([scored[name] for name in both]) for scored in (ours, theirs)]
        found = tuple(
            _reversed(results, pair, both, (one[0], other[0]), slice_)
            for pair in reversals(*scores)
        )
        yield SolverAgreement(
            one[0].task, one[0].dataset, slice_, first, second, len(both), agreement(*scores), found
        )


def _names(one: Result, other: Result) -> tuple[str, str]:
    """The settings in which two solvers differ: mlp and nearest."""
    keys = [key for key in one.settings if one.settings[key] != other.settings.get(key)]
    if len(keys) == 1:
        return str(one.settings[keys[0]]), str(other.settings[keys[0]])
    first, second = (
        ", ".join(f"{key}={solver.settings[key]}" for key in keys) for solver in (one, other)
    )
    return first, second


def _reversed(
    results: RunData, pair: Reversal, names: list[str], solvers: tuple[Result, Result], slice_: str
) -> Reversed:
    winner, loser = names[pair.first], names[pair.second]
    if slice_ != WHOLE:
        return Reversed(winner, loser, pair.gain, pair.loss, None)
    gains = [
        _gain(results.comparisons_on(solver.variant, solver.dataset), winner, loser)
        for solver in solvers
    ]
    return Reversed(winner, loser, pair.gain, pair.loss, gains[0] > 0 > gains[1])


def _gain(comparisons: list[Comparison], winner: str, loser: str) -> float:
    """The significant difference on the items of both; 0 if there is none."""
    for each in comparisons:
        if each.significant and each.difference and {each.first, each.second} == {winner, loser}:
            return each.difference if each.first == winner else -each.difference
    return 0.0
