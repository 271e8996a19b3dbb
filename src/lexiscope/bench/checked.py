"""What a check found."""

from dataclasses import dataclass
from typing import Literal

from lexiscope.core.result import Comparison

Verdict = Literal[
    "really worse", "really better", "not told apart", "not comparable", "not answered"
]


@dataclass(frozen=True)
class Checked:
    """One question: what the baseline scored, what the new embedding scores, and the difference.

    `comparison` is new minus baseline on the items that both answered; `reason` says why there is
    none. `fails` are the rules that the question breaks.
    """

    embedding: str
    task: str
    dataset: str
    measure: str
    before: float | None
    now: float | None
    used_before: int
    used: int
    total: int
    seconds: float
    verdict: Verdict
    reason: str = ""
    comparison: Comparison | None = None
    fails: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """All questions of a check against one embedding of a baseline."""

    baseline: str
    embedding: str
    rules: tuple[str, ...]
    questions: tuple[Checked, ...]

    @property
    def failed(self) -> list[Checked]:
        """The questions that break a rule."""
        return [question for question in self.questions if question.fails]
