"""Scores of learning curves, and everything that is summarised from them.

`DatasetScores` is what was measured; all other values are computed from it by `summary.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Complexity, Family, Indices
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.estimate import Estimate, plain
from lexiscope.core.notebook import HasCard
from lexiscope.core.result import Outcome
from lexiscope.experiments.curves.protocol import FRACTIONS, percentage

BEST = "best"
BEST_LINEAR = "best linear"
BEST_NON_LINEAR = "best non-linear"
SHARED_WORDS = "test words occur in training items"  # in the warning about it
BEST_OF_CLASS = (BEST, BEST_LINEAR, BEST_NON_LINEAR)

Quantity = Literal["area", "end"]
RankRule = Literal["corrected t-test", "ANOVA"]
Bound = Literal["", "at most", "at least", "unknown"]


@dataclass(frozen=True, eq=False)
class ModelScores:
    """The predictions and scores of one model in the vectors of one embedding.

    Parameters
    ----------
    predicted : tuple of ndarray
        For each repeat, the predictions (sizes, test items).
    scores, validation : ndarray of shape (repeats, sizes)
        Scores of the test items, and mean scores over the inner folds; NaN without folds. The
        Spearman correlation of constant predictions counts as 0.
    bits : ndarray of shape (repeats, sizes)
        Code length of the labels of the following items; NaN where there is none.
    selected : tuple of tuples of dict
        The selected hyperparameters, by repeat and size.
    """

    embedding: str
    control: bool
    model: str
    complexity: Complexity
    predicted: tuple[NDArray[Any], ...]
    scores: Floats
    validation: Floats
    bits: Floats
    selected: tuple[tuple[dict[str, Any], ...], ...]


@dataclass(frozen=True, eq=False)
class DatasetScores:
    """The scores of all models and embeddings on one dataset.

    Parameters
    ----------
    metric : str
        "accuracy" or "spearman".
    classes, balance
        The classes and the number of items of each; empty for ratings and analogies.
    sizes : tuple of int
        Training sizes in increasing order; `pool` is the number of training items at 100 %.
    paper_sizes : tuple of int
        The indices of the sizes 30 % to 100 %.
    tests : tuple of ndarray
        For each repeat, the indices of the test items.
    gold : ndarray of shape (items,)
        Class codes, ratings, or indices of words.
    units : ndarray of shape (items, units per item), optional
        Sampling units, such as the words of a pair.
    chance : float
        The proportion of the most frequent class; 0 for pairs and analogies.
    """

    dataset: str
    family: Family
    metric: str
    items: int
    classes: tuple[str, ...]
    balance: tuple[int, ...]
    sizes: tuple[int, ...]
    pool: int
    paper_sizes: tuple[int, ...]
    tests: tuple[Indices, ...]
    gold: NDArray[Any]
    units: NDArray[np.int64] | None
    chance: float
    entries: tuple[ModelScores, ...]

    @property
    def embeddings(self) -> tuple[str, ...]:
        """The names of all embeddings, controls included."""
        return tuple(dict.fromkeys(each.embedding for each in self.entries))

    @property
    def controls(self) -> tuple[str, ...]:
        """The names of the controls."""
        return tuple(dict.fromkeys(each.embedding for each in self.entries if each.control))

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the embeddings without controls."""
        return tuple(name for name in self.embeddings if name not in self.controls)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest possible score."""
        return (-1.0, 1.0) if self.metric == "spearman" else (0.0, 1.0)

    @property
    def repeats(self) -> int:
        """The number of repeats."""
        return len(self.tests)

    @property
    def test_size(self) -> float:
        """The mean number of test items."""
        return float(np.mean([len(test) for test in self.tests]))

    @property
    def test_ratio(self) -> float:
        """The number of test items divided by that of training items at 100 %."""
        return self.test_size / self.pool

    @property
    def start(self) -> int:
        """The index of the size 30 %; of the smallest size if the sizes do not include 30 %."""
        size = start_size(self.sizes, self.pool)
        return self.sizes.index(size)

    @property
    def covers_paper(self) -> bool:
        """Whether the sizes include 30 and 100 % of the training items."""
        return {percentage(FRACTIONS[0], self.pool), self.pool} <= set(self.sizes)


def start_size(sizes: Sequence[int], pool: int) -> int:
    """Return the size 30 %, or the smallest size if the sizes do not include 30 %."""
    wanted = percentage(FRACTIONS[0], pool)
    return wanted if wanted in sizes else sizes[0]


@dataclass(frozen=True)
class Curve:
    """A learning curve: the mean score over repeats at each training size.

    `model` is the name of a model, or one of `BEST_OF_CLASS`. `area` is the area under the curve
    over the logarithm of all training sizes, `paper_area` that over 30 to 100 % of the training
    items; both are in the unit of the score. `start` and `end` are the scores at 30 and 100 %; if
    the training sizes do not include these, at the smallest and the largest size.
    """

    dataset: str
    family: Family
    metric: str
    embedding: str
    control: bool
    model: str
    complexity: Complexity | Literal["best"]
    sizes: tuple[int, ...]
    points: tuple[Estimate, ...]
    start: Estimate
    end: Estimate
    area: Estimate
    paper_area: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        about = ("dataset", "family", "metric", "embedding", "control", "model", "complexity")
        named = {name: getattr(self, name).to_dict() for name in _SUMMARIES}
        points = [
            {"size": size, **each.to_dict()}
            for size, each in zip(self.sizes, self.points, strict=True)
        ]
        return {**{name: getattr(self, name) for name in about}, **named, "points": points}


_SUMMARIES = ("start", "end", "area", "paper_area")


@dataclass(frozen=True)
class DescriptionLength:
    """The online description length of the labels of the training items, in bits.

    `per_label` is the length per label, `ratio` that of the uniform code divided by this length:
    above 1, the labels are compressed.
    """

    dataset: str
    embedding: str
    control: bool
    model: str
    labels: int
    bits: Estimate
    per_label: Estimate
    ratio: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class DatasetRanks:
    """The ranks of an embedding on a dataset, from 0, at 30 %, at 100 % and by area."""

    dataset: str
    family: Family
    rule: RankRule
    embedding: str
    start: int
    end: int
    area: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Spread:
    """A mean and a standard deviation; None for a single value."""

    mean: float
    sd: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class MeanRanks:
    """The ranks of an embedding, averaged over the datasets of a family or over all."""

    rule: RankRule
    family: Family | Literal["all"]
    embedding: str
    datasets: int
    start: Spread
    end: Spread
    area: Spread

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class RankChange:
    """The mean absolute change of rank between 30 and 100 %, and its deviation over datasets."""

    rule: RankRule
    family: Family | Literal["all"]
    datasets: int
    change: Spread

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class CurveComparison:
    """The best curve of the first embedding minus that of the second, by area or at 100 %.

    `p` is that of the corrected resampled t-test, `p_equivalence` that of two one-sided tests;
    both are also corrected by Holm's method over all comparisons of the same quantity.
    """

    dataset: str
    quantity: Quantity
    first: str
    second: str
    value: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    p_equivalence: float | None
    margin: float
    outcome: Outcome
    state: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class Gap:
    """The normalised difference of the best non-linear and the best linear score at 100 %.

    (N - L) / max(abs(N), abs(L)), from the mean scores over repeats; 0 if both are 0.
    """

    dataset: str
    family: Family
    embedding: str
    control: bool
    linear: float
    non_linear: float
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class MeanGap:
    """The mean normalised difference of an embedding, with its interval over datasets."""

    embedding: str
    control: bool
    datasets: int
    mean: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class LabelsNeeded:
    """The training size at which the best curve of an embedding reaches the target score.

    `bound` is "at most" if the smallest training set is enough, "at least" if the largest is not.
    """

    dataset: str
    embedding: str
    control: bool
    target: float
    value: float
    bound: Bound
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; limits that are not known are null."""
        return plain(self)


@dataclass(frozen=True)
class LabelRatio:
    """The labels that the first embedding needs, divided by those that the second needs.

    Both reach `target`. `low` is 0 and `high` is infinite if the interval has no limit on that
    side, because some curves reach the target before the smallest or after the largest size.
    `bound` says that `value` is a limit.
    """

    dataset: str
    first: str
    second: str
    target: float
    value: float
    bound: Bound
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes 1."""
        return self.high < 1 or self.low > 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; limits that are not known are null."""
        return plain(self)


@dataclass(frozen=True)
class ExpectedLoss:
    """The expected loss of an embedding under weights of datasets, models and training sizes."""

    embedding: str
    control: bool
    datasets: int
    loss: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class DatasetSummary:
    """What a dataset consists of, and the target score of the labels needed."""

    dataset: str
    family: Family
    metric: str
    items: int
    classes: tuple[str, ...]
    balance: tuple[int, ...]
    chance: float
    sizes: tuple[int, ...]
    pool: int
    test_items: float
    repeats: int
    target: float
    target_is_default: bool

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class CurveResults(HasCard):
    """All summaries of learning curves, and what they were computed with.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> words, rng = [f"word{n}" for n in range(60)], np.random.default_rng(0)
    >>> labels = np.array(["even", "odd"] * 30, object)
    >>> data = lexiscope.Categories("parity", np.array(words, object), labels)
    >>> vectors = (words, np.where(labels == "odd", 1.0, -1.0)[:, None] + rng.normal(size=(60, 4)))
    >>> results = lexiscope.curves({"good": vectors}, data, models="logistic_regression")
    >>> results.curve("parity", "good").end.value > 0.8
    True
    >>> [each.bound for each in results.labels if each.control]
    ['at least']
    """

    datasets: tuple[DatasetSummary, ...]
    embeddings: tuple[str, ...]
    controls: tuple[str, ...]
    curves: tuple[Curve, ...]
    description_lengths: tuple[DescriptionLength, ...]
    ranks: tuple[DatasetRanks, ...]
    mean_ranks: tuple[MeanRanks, ...]
    rank_changes: tuple[RankChange, ...]
    comparisons: tuple[CurveComparison, ...]
    gaps: tuple[Gap, ...]
    mean_gaps: tuple[MeanGap, ...]
    labels: tuple[LabelsNeeded, ...]
    ratios: tuple[LabelRatio, ...]
    losses: tuple[ExpectedLoss, ...]
    control_comparisons: tuple[CurveComparison, ...] = ()
    rule: DecisionRule = DEFAULT_RULE
    warnings: tuple[str, ...] = ()
    manifest: dict[str, Any] = field(default_factory=dict)

    def curve(self, dataset: str, embedding: str, model: str = BEST) -> Curve | None:
        """Return one curve, None if there is none."""
        wanted = (dataset, embedding, model)
        return next((c for c in self.curves if (c.dataset, c.embedding, c.model) == wanted), None)

    def of_model(self, dataset: str, model: str = BEST) -> list[Curve]:
        """Return the curves of all embeddings on a dataset."""
        return [c for c in self.curves if (c.dataset, c.model) == (dataset, model)]

    def models(self, dataset: str) -> list[str]:
        """Return the names of the models of a dataset, without the best of each class."""
        names = (c.model for c in self.curves if c.dataset == dataset)
        return [name for name in dict.fromkeys(names) if name not in BEST_OF_CLASS]

    def compared(self, quantity: Quantity = "area") -> list[CurveComparison]:
        """Return the comparisons by area or at 100 %."""
        return [each for each in self.comparisons if each.quantity == quantity]

    def ratio(self, dataset: str, one: str, other: str) -> LabelRatio | None:
        """Return the ratio of labels of two embeddings, in the order that was computed."""
        pair = {one, other}
        found = (r for r in self.ratios if r.dataset == dataset and {r.first, r.second} == pair)
        return next(found, None)

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        return {
            "format": "lexiscope curves 1",
            "manifest": self.manifest,
            "rule": self.rule.as_dict(),
            "warnings": list(self.warnings),
            "embeddings": list(self.embeddings),
            "controls": list(self.controls),
            **{name: _dicts(getattr(self, name)) for name in _PARTS},
        }


_PARTS = (
    "datasets", "curves", "description_lengths", "ranks", "mean_ranks", "rank_changes",
    "comparisons", "control_comparisons", "gaps", "mean_gaps", "labels", "ratios", "losses",
)  # fmt: skip


def _dicts(values: Iterable[Any]) -> list[dict[str, Any]]:
    return [each.to_dict() for each in values]
