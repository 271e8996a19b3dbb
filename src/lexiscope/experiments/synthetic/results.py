"""The results of a synthetic experiment: accuracies with intervals, facets and comparisons."""

from dataclasses import asdict, dataclass, field
from typing import Any

from lexiscope.core.notebook import HasCard
from lexiscope.core.result import Comparison
from lexiscope.experiments.synthetic.plan import SyntheticPlan


@dataclass(frozen=True)
class ProbeScore:
    """The accuracy of a model under a probe, with its 95 % confidence interval over trials.

    `at` is a value of a sweep, None for all values together. `main` marks the main variant of a
    probe. `state` says why there is no interval.
    """

    criterion: str
    probe: str
    variant: str
    model: str
    at: float | None
    value: float | None
    low: float | None
    high: float | None
    trials: int
    items: int
    state: str = ""
    main: bool = True
    trial_accuracies: tuple[float, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, without the single trials."""
        found = asdict(self)
        del found["trial_accuracies"]
        return found


@dataclass(frozen=True)
class Facet:
    """Precision (accurate) and recall (consistent) of one class that a model predicts."""

    criterion: str
    model: str
    label: str
    accurate: ProbeScore
    consistent: ProbeScore

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        scores = {"accurate": self.accurate.to_dict(), "consistent": self.consistent.to_dict()}
        return {"criterion": self.criterion, "model": self.model, "label": self.label, **scores}


@dataclass(frozen=True)
class SyntheticResults(HasCard):
    """All results of a synthetic experiment, and what they were computed with."""

    plan: SyntheticPlan
    scores: tuple[ProbeScore, ...]
    facets: tuple[Facet, ...]
    comparisons: tuple[Comparison, ...]
    manifest: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        return {
            "format": "lexiscope probe 1",
            **self.manifest,
            "scores": [each.to_dict() for each in self.scores],
            "facets": [each.to_dict() for each in self.facets],
            "comparisons": [asdict(each) for each in self.comparisons],
        }

    def rows(self, criterion: str, **wanted: Any) -> list[ProbeScore]:
        """Return the scores of a criterion that have these values."""
        return [
            each
            for each in self.scores
            if each.criterion == criterion
            and all(getattr(each, name) == value for name, value in wanted.items())
        ]
