"""The results of a correlation experiment."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.notebook import HasCard
from lexiscope.evaluation.analysis.correlation import Consensus, Correlations, ScoreTable
from lexiscope.experiments.correlation.plan import CorrelationPlan, NotRun
from lexiscope.stats.correlations import CorrelationDifference


class ModelScore(NamedTuple):
    """The mean score of a model's runs in an evaluation.

    `lowest` and `highest` are the extreme scores of the runs. `low` and `high` are the smallest
    interval that contains the 95 % confidence interval of every run; None for averages over
    several datasets.
    """

    model: str
    evaluation: str
    dimension: int
    value: float
    lowest: float
    highest: float
    runs: int
    low: float | None = None
    high: float | None = None


class PredictorDifference(NamedTuple):
    """How much higher the predictor correlates with a downstream task than a rival does."""

    predictor: str
    rival: str
    target: str
    dimension: int
    gap: CorrelationDifference | None

    @property
    def verdict(self) -> str:
        """Whether the predictor's correlation is significantly higher or lower (95 % CI)."""
        if self.gap is None:
            return "unknown"
        if self.gap.low <= 0 <= self.gap.high:
            return "not significantly different"
        return "better" if self.gap.value > 0 else "worse"


@dataclass(frozen=True)
class CorrelationResults(HasCard):
    """Scores of all models, correlations between all evaluations, and consensus rankings.

    `base_correlations` count models that share their vectors as one. `consensus` compares the
    predictor with the consensus ranking of the tasks, of which `rankings` are the optimal ones.
    """

    plan: CorrelationPlan
    correlations: Correlations
    base_correlations: Correlations
    scores: tuple[ModelScore, ...]
    consensus: tuple[Consensus, ...]
    rankings: Mapping[int, tuple[tuple[str, ...], ...]]
    differences: tuple[PredictorDifference, ...]
    not_run: tuple[NotRun, ...]
    failures: tuple[NotRun, ...]
    runs: Mapping[int, str]
    manifest: dict[str, Any]

    @property
    def dimensions(self) -> list[int]:
        """The dimensionalities in increasing order."""
        return [each.dimension for each in self.correlations.scored if each.dimension is not None]

    def scored(self, dimension: int) -> ScoreTable:
        """Return the scores of a dimensionality."""
        return next(s for s in self.correlations.scored if s.dimension == dimension)

    def score(self, model: str, evaluation: str, dimension: int) -> ModelScore | None:
        """Return the score of a model, None if it has none."""
        wanted = (model, evaluation, dimension)
        return next((s for s in self.scores if s[:3] == wanted), None)

    def mean_correlation(self, task: str) -> float | None:
        """Return the mean of the predictor's correlations with a task over dimensionalities."""
        pairs = [self.correlations.between(self.plan.predictor, task, d) for d in self.dimensions]
        values = [p.pearson.value for p in pairs if p and p.pearson.value is not None]
        return float(np.mean(values)) if values else None

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        return {
            "format": "lexiscope correlation 1",
            **self.manifest,
            "scores": [row for each in self.correlations.scored for row in _rows(each)],
            **self.correlations.to_dict(),
            "all": [{**asdict(j), "spearman": j.spearman._asdict()} for j in self.consensus],
            "rankings": {str(d): [list(r) for r in each] for d, each in self.rankings.items()},
            "predictor_differences": [
                {**d._asdict(), "gap": d.gap and d.gap._asdict(), "verdict": d.verdict}
                for d in self.differences
            ],
            "not_run": [each._asdict() for each in (*self.not_run, *self.failures)],
            "runs": {str(dimension): run for dimension, run in self.runs.items()},
        }


def _rows(scored: ScoreTable) -> list[dict[str, Any]]:
    return [
        {"embedding": name, "model": model, "dimension": scored.dimension, "evaluation": evaluation,
         "value": value}
        for name, model, row in zip(scored.embeddings, scored.models, scored.values, strict=True)
        for evaluation, value in zip(scored.evaluations, row.tolist(), strict=True)
    ]  # fmt: skip
