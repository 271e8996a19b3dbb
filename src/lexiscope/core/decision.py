"""Decision rule: how differences between embeddings become outcomes and a recommendation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from lexiscope.core.errors import BadUsage


@dataclass(frozen=True)
class DecisionRule:
    """How comparisons become a recommendation.

    Parameters
    ----------
    margin : float, default 0.05
        Two embeddings are equivalent if the true difference of their scores is below this margin
        (two one-sided tests). It applies to metrics whose scores have bounds.
    min_coverage : float, default 0.5
        A pair of embeddings counts on a dataset if both cover at least this proportion of its
        items.
    primary : mapping of str to float, optional
        The datasets that decide, with their weights. "TASK on DATASET" lets only one of the
        evaluations on a dataset decide. The default is every dataset, with weight 1.
    alpha : float, default 0.05
        The level of all tests, after correction.

    Examples
    --------
    >>> from lexiscope import DecisionRule
    >>> DecisionRule(margin=0.02, primary={"ws353": 2.0, "men": 1.0}).weight("ws353")
    2.0
    >>> DecisionRule().weight("simlex999")
    1.0
    """

    margin: float = 0.05
    min_coverage: float = 0.5
    primary: Mapping[str, float] = field(default_factory=dict)
    alpha: float = 0.05

    def __post_init__(self) -> None:
        self._check("margin", float("inf"))
        self._check("min_coverage", 1.0)
        self._check("alpha", 1.0)
        for dataset, weight in self.primary.items():
            if not _is_number(weight) or not weight > 0:
                raise BadUsage(f"The weight of {dataset} must be above 0, found {weight!r}.")

    def _check(self, name: str, high: float) -> None:
        value = getattr(self, name)
        if not _is_number(value):
            raise BadUsage(f"{name} must be a number, found {value!r}.")
        if not 0 < value <= high:
            limit = f" and at most {high:g}" if isfinite(high) else ""
            raise BadUsage(f"{name} must be above 0{limit}, found {value:g}.")

    def weight(self, dataset: str, task: str = "") -> float:
        """The weight of a dataset's vote, for a task evaluated on it: 0 if it does not decide."""
        if not self.primary:
            return 1.0
        of_dataset = self.primary.get(dataset, 0.0)
        return float(self.primary.get(f"{task} on {dataset}", of_dataset))

    def is_covered(self, items: int, total: int) -> bool:
        """Whether so many of all items are enough for a comparison to count."""
        return not total or items / total >= self.min_coverage

    def as_dict(self) -> dict[str, Any]:
        """The rule as plain data."""
        return {
            "margin": self.margin,
            "min_coverage": self.min_coverage,
            "primary": dict(self.primary),
            "alpha": self.alpha,
        }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


DEFAULT_RULE = DecisionRule()
