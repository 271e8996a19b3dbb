"""Leaderboard: the order of the embeddings, and their significant differences pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lexiscope.evaluation.analysis.comparable_scores import EvaluationScores, comparable_scores
from lexiscope.evaluation.analysis.recommendation import (
    PairComparison,
    Recommendation,
    every_pair,
)
from lexiscope.evaluation.run_data import RunData


class WinLoss(NamedTuple):
    """The datasets on which one embedding is significantly better than another, and worse.

    A dataset with two evaluations that contradict each other is in both. `equivalent` datasets
    are equivalent within the margin, `tested` is the number of datasets that count for the pair.
    """

    won: int
    lost: int
    equivalent: int
    tested: int

    @property
    def reversed(self) -> "WinLoss":
        """The same datasets, seen from the other embedding."""
        return WinLoss(self.lost, self.won, self.equivalent, self.tested)


class Standing(NamedTuple):
    """An embedding among the others.

    `better` and `worse` are the numbers of other candidates that it beats and is beaten by;
    `mean_rank` is over the evaluations in which it has a comparable score, None if there is none.
    """

    embedding: str
    better: int
    worse: int
    mean_rank: float | None
    is_candidate: bool = True


@dataclass(frozen=True)
class Leaderboard:
    """The embeddings in order, the scores of every evaluation, and the record of every pair.

    The recommended embeddings come first, then the others by the number of embeddings that they
    beat minus that of those that beat them (Copeland), then by mean rank.
    """

    standings: tuple[Standing, ...]
    evaluations: tuple[EvaluationScores, ...]
    pairs: Mapping[tuple[str, str], WinLoss]

    @property
    def embeddings(self) -> list[str]:
        """The names of the embeddings, in order."""
        return [each.embedding for each in self.standings]


def leaderboard(results: RunData, found: Recommendation) -> Leaderboard:
    """Order the embeddings of a run by its recommendation."""
    evaluations = tuple(comparable_scores(results, *each) for each in results.evaluations)
    ranks = _mean_ranks(evaluations)
    standings = [
        _standing(name, found.pairs, ranks.get(name))._replace(
            is_candidate=name not in found.excluded
        )
        for name in results.embeddings
    ]
    standings.sort(key=lambda each: _order(each, found))
    pairs: dict[tuple[str, str], WinLoss] = {}
    for pair in every_pair(results):
        record = _win_loss(pair)
        pairs[pair.first, pair.second] = record
        pairs[pair.second, pair.first] = record.reversed
    return Leaderboard(tuple(standings), evaluations, pairs)


def _order(standing: Standing, found: Recommendation) -> tuple[bool, bool, int, float]:
    name = standing.embedding
    rank = float("inf") if standing.mean_rank is None else standing.mean_rank
    is_named = name in found.embeddings
    return name in found.excluded, not is_named, standing.worse - standing.better, rank


def _standing(name: str, pairs: Sequence[PairComparison], rank: float | None) -> Standing:
    better = sum(_wins(pair, name) for pair in pairs)
    worse = sum(
        _wins(pair, other)
        for pair in pairs
        if name in (pair.first, pair.second)
        for other in {pair.first, pair.second} - {name}
    )
    return Standing(name, better, worse, rank)


def _wins(pair: PairComparison, name: str) -> bool:
    """Whether an embedding beats the other one of a pair over all datasets."""
    return name == {"first": pair.first, "second": pair.second}.get(pair.outcome)


def _win_loss(pair: PairComparison) -> WinLoss:
    outcomes = [each.outcome for each in pair.datasets]
    won, lost = (outcomes.count(side) + outcomes.count("mixed") for side in ("first", "second"))
    tested = sum(not each.reason for each in pair.datasets)
    return WinLoss(won, lost, outcomes.count("equivalent"), tested)


def _mean_ranks(evaluations: Sequence[EvaluationScores]) -> dict[str, float]:
    """The mean rank of each embedding over its comparable scores; equal scores share a rank."""
    found: dict[str, list[float]] = {}
    for each in evaluations:
        scored = {row.embedding: row.value for row in each.scores if row.value is not None}
        values = sorted(scored.values(), reverse=True)
        for name, value in scored.items():
            rank = values.index(value) + (values.count(value) + 1) / 2
            found.setdefault(name, []).append(rank)
    return {name: sum(ranks) / len(ranks) for name, ranks in found.items()}
