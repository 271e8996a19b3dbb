"""The outcome of a check."""

from dataclasses import dataclass
from typing import Literal

from lexiscope.core.notebook import HasCard
from lexiscope.core.result import Comparison

Verdict = Literal[
    "significantly worse",
    "significantly better",
    "equivalent",
    "undecided",
    "not comparable",
    "not evaluated",
]


@dataclass(frozen=True)
class CheckedEvaluation:
    """One evaluation: the scores of the baseline and of the new embedding, and the difference.

    `comparison` is new minus baseline on the items that both cover. `verdict` is "equivalent" if
    the equivalence test is significant, and "undecided" if neither test is; `reason` is why there
    is no comparison or no test. `fails` are the rules that fail.
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
class Check(HasCard):
    """All evaluations of a check against one embedding of a baseline."""

    baseline: str
    embedding: str
    rules: tuple[str, ...]
    evaluations: tuple[CheckedEvaluation, ...]

    @property
    def margin(self) -> float | None:
        """The equivalence margin; None if no evaluation has one."""
        found = [each.comparison.margin for each in self.evaluations if each.comparison]
        return next((margin for margin in found if margin is not None), None)

    @property
    def failed(self) -> list[CheckedEvaluation]:
        """The evaluations for which a rule fails."""
        return [each for each in self.evaluations if each.fails]
