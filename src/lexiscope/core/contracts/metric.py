"""A metric: a named function from predictions and gold values to one number."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined

Values = NDArray[Any]
Floats = NDArray[np.float64]


class UnitInfluence(NamedTuple):
    """The influence of units, and of the items that they share, on a mean over scored units.

    `own` is the influence of each unit by its own score, `partner` that as a partner in the items
    of other units, and `partnerships` the number of other units whose scores it is a partner for.
    """

    own: Floats
    partner: Floats
    items: Floats
    partnerships: Floats


@dataclass(frozen=True)
class Metric:
    """A function of (predicted, gold) with a name, and what is known about its form.

    The function alone is enough: confidence intervals and tests then call it once per resample.
    The optional parameters describe forms that have faster and more powerful methods.

    Parameters
    ----------
    function
        Takes the arrays `predicted` and `gold`, one entry per item, and returns the score. It
        raises `Undefined` if these items have no score. If `per_unit` is given, it takes the
        sampling units as a third argument.
    name
        The name in results and reports. Default: the name of the function.
    per_item
        Returns one number per item. The metric is their mean, as for accuracy.
    per_repeat
        Like `per_item`, with one column for each seeded repetition, such as a clustering.
    per_unit
        Returns one number per sampling unit, such as a correlation for each query word. The
        metric is their mean.
    scored_units
        For units that share items: returns the codes of the units that have a number.
    unit_influence
        For units that share items: returns the influence of each unit and of each item on the
        mean over the given units.
    transform
        The metric is Pearson's correlation of the transformed columns (ranks for Spearman).
    counts, of_totals
        `counts` returns a row of numbers per item, and `of_totals` computes the score from their
        sums over items (F1 over a corpus, micro-averaged F1).
    bounds
        The lowest and the highest possible score; None if there are none. Confidence intervals
        stay within them.
    jackknife
        Standard errors are computed by leaving out one sampling unit at a time: for metrics of
        all items together, such as the agreement of two partitions.
    all_items
        An item that the embedding does not cover counts as 0 instead of being left out.
    reference
        The metric helps to read a score, such as its chance level, and has no confidence interval.
    diagnostic
        The metric cannot be computed from predictions. The task reports it in `Task.diagnose`.

    Examples
    --------
    >>> import numpy as np
    >>> from lexiscope import Metric
    >>> def mean_absolute_error(predicted, gold):
    ...     return float(np.mean(np.abs(predicted - gold)))
    >>> metric = Metric(mean_absolute_error)
    >>> metric.name, metric(np.array([1.0, 3.0]), np.array([1.0, 2.0]))
    ('mean_absolute_error', 0.5)
    """

    function: Callable[..., float]
    name: str = ""
    per_item: Callable[[Values, Values], Floats] | None = None
    per_repeat: Callable[[Values, Values], Floats] | None = None
    per_unit: Callable[[Values, Values, Units | None], Floats] | None = None
    scored_units: Callable[[Values, Values, Units | None], Units] | None = None
    unit_influence: Callable[[Values, Values, Units | None, Units], UnitInfluence] | None = None
    transform: Callable[[Values], Floats] | None = None
    counts: Callable[[Values, Values], Floats] | None = None
    of_totals: Callable[[Floats], Floats] | None = None
    bounds: tuple[float, float] | None = None
    jackknife: bool = False
    all_items: bool = False
    reference: bool = False
    diagnostic: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.function.__name__)
        if (self.counts is None) != (self.of_totals is None):
            raise TypeError(f"{self.name}: counts and of_totals must be given together.")
        if self.all_items and self.per_item is None:
            raise TypeError(
                f"{self.name}: only a mean over items can count items that are not covered as 0."
            )

    def __call__(self, predicted: Values, gold: Values, units: Units | None = None) -> float:
        """Compute the score of these items."""
        if self.per_unit is not None:
            return self.function(predicted, gold, units)
        return self.function(predicted, gold)

    def over_all_items(self, name: str) -> "Metric":
        """Return the same mean with items that are not covered counted as 0."""
        return replace(self, name=name, all_items=True)


def diagnostic(name: str) -> Metric:
    """Return a reference metric that the task itself reports, because it needs the vectors.

    List it in `Task.secondary`, and return its value under this name from `Task.diagnose`.
    """
    return Metric(_needs_vectors, name, reference=True, diagnostic=True)


def _needs_vectors(predicted: Values, gold: Values) -> float:
    raise Undefined("it cannot be computed from the predictions")
