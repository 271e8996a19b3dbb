"""Correlations between evaluations over models: Tsvetkov et al. 2015, section 5.

An evaluation predicts another one if models that score higher on the one score higher on the other.
Repeated runs of a model are not independent, so they count as one: their mean.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.notebook import HasCard
from lexiscope.evaluation.analysis.score_table import ScoreTable, models_of, score_tables
from lexiscope.evaluation.run_data import RunData
from lexiscope.metrics.correlation import average_ranks
from lexiscope.stats.correlations import Correlation, correlation, most_influential
from lexiscope.stats.multiple_comparisons import holm
from lexiscope.stats.rank_aggregation import MAX_MEMBERS, Numbers, borda, kemeny

__all__ = [
    "Consensus",
    "Correlations",
    "Pair",
    "ScoreTable",
    "against_consensus",
    "consensus_rankings",
    "correlate",
    "correlations",
]

_ALPHA = 0.05
MIN_MODELS = 5  # of a prediction: a permutation test over 4 models cannot give a p-value below 5 %


@dataclass(frozen=True)
class Pair:
    """The correlation of two evaluations over models.

    `influential` is the model without which Pearson's correlation changes most, to `without`;
    `as_points` is Pearson's correlation with every run as a point of its own, as in papers.
    """

    first: str
    second: str
    dimension: int | None
    pearson: Correlation
    spearman: Correlation
    p_holm: float | None
    influential: str
    without: float | None
    as_points: float | None
    points: int

    @property
    def verdict(self) -> str:
        """Whether the correlation is significant after Holm's correction; unknown for few."""
        if self.p_holm is None or self.pearson.value is None or self.pearson.number < MIN_MODELS:
            return "unknown"
        if self.p_holm >= _ALPHA:
            return "not significant"
        return "predicts" if self.pearson.value > 0 else "predicts the opposite"


@dataclass(frozen=True)
class Consensus:
    """The correlation of an evaluation with the consensus ranking of the others.

    If several rankings are equally good, models have their mean ranks; the correlation with each
    single ranking is between `least` and `most`.
    """

    evaluation: str
    dimension: int | None
    spearman: Correlation
    least: float | None
    most: float | None
    orders: int
    method: str


@dataclass(frozen=True)
class Correlations(HasCard):
    """Correlations between evaluations, for each score table."""

    scored: tuple[ScoreTable, ...]
    pairs: tuple[Pair, ...]

    @cached_property
    def consensus(self) -> tuple[Consensus, ...]:
        """Each evaluation against the consensus ranking of the others."""
        return tuple(found for each in self.scored for found in _consensus(each))

    def between(self, first: str, second: str, dimension: int | None) -> Pair | None:
        """The pair of two evaluations at a dimension, in either order."""
        return next(
            (
                each
                for each in self.pairs
                if {each.first, each.second} == {first, second} and each.dimension == dimension
            ),
            None,
        )

    def of(self, target: str) -> list[Pair]:
        """The pairs with an evaluation as the second, the best predictors first."""
        found = [
            each if each.second == target else replace(each, first=each.second, second=each.first)
            for each in self.pairs
            if target in (each.first, each.second)
        ]
        return sorted(found, key=lambda p: (p.dimension or 0, -_or_lowest(p.pearson.value)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {
            "models": [
                {
                    "dimension": each.dimension,
                    "embeddings": dict(zip(each.embeddings, each.models, strict=True)),
                    "evaluations": list(each.evaluations),
                    "left_out": list(each.left_out),
                }
                for each in self.scored
            ],
            "pairs": [_plain(each) | {"verdict": each.verdict} for each in self.pairs],
            "consensus": [_plain(each) for each in self.consensus],
        }


def _or_lowest(value: float | None) -> float:
    return -2.0 if value is None else value


def _plain(each: Pair | Consensus) -> dict[str, Any]:
    named = {n: v._asdict() for n, v in vars(each).items() if isinstance(v, Correlation)}
    return asdict(each) | named


def correlate(results: RunData, same_model: Sequence[str] = ()) -> Correlations:
    """The correlations of a run; embeddings that match a pattern are runs of one model."""
    return correlations(score_tables(results, models_of(results, same_model)))


def correlations(scored: Sequence[ScoreTable]) -> Correlations:
    """The correlation of every two evaluations of each table."""
    pairs = [pair for each in scored for pair in _corrected(list(_pairs(each)))]
    return Correlations(tuple(scored), tuple(pairs))


def _pairs(scored: ScoreTable) -> Iterator[Pair]:
    means, model_names = scored.means, scored.model_names
    for i, j in combinations(range(len(scored.evaluations)), 2):
        one, other = means[:, i], means[:, j]
        influence = most_influential(one, other)
        points = correlation(scored.values[:, i], scored.values[:, j], "pearson")
        yield Pair(
            scored.evaluations[i], scored.evaluations[j], scored.dimension,
            correlation(one, other, "pearson"), correlation(one, other, "spearman"), None,
            model_names[influence.member] if influence else "",
            influence.without if influence else None, points.value, points.number,
        )  # fmt: skip


def _corrected(pairs: list[Pair]) -> list[Pair]:
    """Holm's correction over the pairs of one table."""
    tested = [k for k, pair in enumerate(pairs) if pair.pearson.p is not None]
    corrected = holm([float(pairs[k].pearson.p or 0.0) for k in tested])
    for k, p in zip(tested, corrected.tolist(), strict=True):
        pairs[k] = replace(pairs[k], p_holm=p)
    return pairs


def _consensus(scored: ScoreTable) -> Iterator[Consensus]:
    for index, evaluation in enumerate(scored.evaluations):
        others = np.delete(scored.means, index, axis=1)
        if others.shape[1] > 1:
            yield against_consensus(scored, evaluation, others)


def against_consensus(scored: ScoreTable, evaluation: str, others: Floats) -> Consensus:
    """An evaluation against the consensus ranking of other scores (models, evaluations)."""
    own = scored.of(evaluation)
    orders, method = consensus_rankings(others)
    ranks = -np.argsort(orders, axis=1).astype(np.float64)  # higher is better
    if method == "borda":
        ranks = average_ranks(borda(others.T))[None]
    each = [correlation(own, rank, "spearman").value for rank in ranks]
    found = [value for value in each if value is not None]
    whole = correlation(own, ranks.mean(axis=0), "spearman")
    least, most = min(found, default=None), max(found, default=None)
    return Consensus(evaluation, scored.dimension, whole, least, most, len(orders), method)


def consensus_rankings(scores: Floats) -> tuple[Numbers, str]:
    """All best rankings of models by their scores (models, evaluations): Kemeny, else Borda."""
    if len(scores) <= MAX_MEMBERS:
        try:
            return kemeny(scores.T).rankings, "kemeny"
        except Undefined:  # the rankings hardly prefer any model
            pass
    return np.argsort(-borda(scores.T), kind="stable")[None], "borda"
