"""The outcome of a check."""

from dataclasses import dataclass
from typing import Literal

from lexiscope.core.result import Comparison

Verdict = Literal[
    "significantly worse",
    "significantly better",
    "not significantly different",
    "not comparable",
    "not evaluated",
]


@dataclass(frozen=True)
class CheckedEvaluation:
    """One evaluation: the scores of the baseline and of the new embedding, and the difference.

    `comparison` is new minus baseline on the items that both cover; `reason` is why there is none.
    `fails` are the rules that fail.
    """

    embedding: str
    task: str
    dataset: str
    metric: str
    baseline_score: float | None
    score: float | None
    baseline_used: int
    used: int
    total: int
    seconds: float
    verdict: Verdict
    reason: str = ""
    comparison: Comparison | None = None
    fails: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """All evaluations of a check against one embedding of a baseline."""

    baseline: str
    embedding: str
    rules: tuple[str, ...]
    evaluations: tuple[CheckedEvaluation, ...]

    @property
    def failed(self) -> list[CheckedEvaluation]:
        """The evaluations for which a rule fails."""
        return [each for each in self.evaluations if each.fails]
