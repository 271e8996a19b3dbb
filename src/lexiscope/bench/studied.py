"""What a study found: shares of right answers, verdicts on a paper, who is really better."""

from dataclasses import asdict, dataclass
from typing import Any

from lexiscope.bench.studyplan import Published, StudyPlan
from lexiscope.core.result import Comparison


@dataclass(frozen=True)
class Found:
    """A share of right answers with its interval; `at` is a value of a sweep, None for all."""

    criterion: str
    study: str
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


@dataclass(frozen=True)
class Facet:
    """How far a model's word on a facet is right (accurate), and how many words carry it."""

    criterion: str
    model: str
    answer: str
    accurate: Found
    consistent: Found


@dataclass(frozen=True)
class Verdict:
    """What a paper said beside what was found, and whether the two agree.

    `alike` is the share of our trials that came out as the paper's, where it had one.
    """

    published: Published
    found: Found
    alike: float | None
    verdict: str


@dataclass(frozen=True)
class Ordered:
    """Two models of which a paper says that the second is better."""

    criterion: str
    worse: str
    better: str
    comparison: Comparison
    verdict: str


@dataclass(frozen=True)
class Studied:
    """Everything that a sweep found, and what it was made with."""

    plan: StudyPlan
    found: tuple[Found, ...]
    facets: tuple[Facet, ...]
    verdicts: tuple[Verdict, ...]
    orders: tuple[Ordered, ...]
    comparisons: tuple[Comparison, ...]
    manifest: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "format": "lexiscope study 1",
            **self.manifest,
            "found": [asdict(each) for each in self.found],
            "facets": [asdict(each) for each in self.facets],
            "verdicts": [asdict(each) for each in self.verdicts],
            "orders": [asdict(each) for each in self.orders],
            "comparisons": [asdict(each) for each in self.comparisons],
        }

    def rows(self, criterion: str, **wanted: Any) -> list[Found]:
        """The scores of a criterion that have these values."""
        return [
            each
            for each in self.found
            if each.criterion == criterion
            and all(getattr(each, name) == value for name, value in wanted.items())
        ]
