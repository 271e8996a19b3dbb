"""A measure: a named number from answers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined

Values = NDArray[Any]
Floats = NDArray[np.float64]


class Moves(NamedTuple):
    """How much a mean over units moves with each unit, and with each item that units share."""

    units: Floats
    items: Floats


@dataclass(frozen=True)
class Measure:
    """A function of (given, gold) with a name, and what is known about its shape.

    A function alone is enough: intervals and tests then call it once per resample. Some shapes
    are known to be faster and sharper to test:

    - `per_item`: the measure is the mean of one number per item (accuracy);
    - `per_run`: as per_item, one column for each seeded repeat (clusterings), averaged;
    - `per_unit`: the mean of one number per recurring unit (a correlation per query word); where
      units share items, `counted` says which units have a number, and `moves` how much each unit
      and each item moves the mean of some of them;
    - `scale`: the measure is Pearson's correlation of the scaled columns (ranks for Spearman);
    - `counts`: a row of numbers per item, whose sums over items are all that `of_totals` needs
      (F1 over a corpus, micro F1 of sets).

    With `all_items`, an item that could not be asked counts as 0 instead of being left out. A
    `reference` (a chance level) is there to read a score by; it has no interval of its own. One
    that is `told` needs the vectors, so the task tells it (`Task.look`).
    """

    function: Callable[..., float]
    name: str = ""
    per_item: Callable[[Values, Values], Floats] | None = None
    per_run: Callable[[Values, Values], Floats] | None = None
    per_unit: Callable[[Values, Values, Units | None], Floats] | None = None
    counted: Callable[[Values, Values, Units | None], Units] | None = None
    moves: Callable[[Values, Values, Units | None, Units], Moves] | None = None
    scale: Callable[[Values], Floats] | None = None
    counts: Callable[[Values, Values], Floats] | None = None
    of_totals: Callable[[Floats], Floats] | None = None
    all_items: bool = False
    reference: bool = False
    told: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.function.__name__)
        if (self.counts is None) != (self.of_totals is None):
            raise TypeError(f"{self.name}: counts and of_totals belong together.")
        if self.all_items and self.per_item is None:
            raise TypeError(f"{self.name}: only a mean over items can count unasked items as 0.")

    def __call__(self, given: Values, gold: Values, units: Units | None = None) -> float:
        if self.per_unit is not None:
            return self.function(given, gold, units)
        return self.function(given, gold)

    def over_all_items(self, name: str) -> "Measure":
        """The same mean, with unasked items counted as 0."""
        return replace(self, name=name, all_items=True)


def told(name: str) -> Measure:
    """A reference that a task tells itself, because it needs the vectors."""
    return Measure(_of_no_answers, name, reference=True, told=True)


def _of_no_answers(given: Values, gold: Values) -> float:
    raise Undefined("it does not follow from the answers")
