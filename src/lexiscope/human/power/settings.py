"""What is varied and assumed in an estimate of power, and what is found."""

from dataclasses import dataclass
from typing import Any

from lexiscope.core.estimate import Estimate, plain
from lexiscope.core.notebook import HasCard
from lexiscope.core.study import Kind
from lexiscope.human.simulation import DEFAULT_BEHAVIOUR, Behaviour
from lexiscope.human.workload import SECONDS_PER_ITEM

QUERIES = (25, 50, 100)
JUDGES_PER_ITEM = (3, 5, 7, 10)


@dataclass(frozen=True)
class PowerSettings:
    """What is varied, and what is assumed.

    Parameters
    ----------
    difference : float
        Expected difference of the better embedding's score (win ratio, or precision) from the
        others'.
    queries, judges_per_item : tuple of int
        Numbers of query words and of judges per item; every combination is simulated.
    better : str
        The better embedding; by default the first one.
    replicates : int
        Number of simulated studies for each combination.
    target : float
        The power to reach.
    seconds_per_item, wage : float
        Time of one answer, and pay per hour, for the expected costs.
    behaviour : Behaviour
        Random effects, lapses and opt-outs of judges.
    seed : int
        Seed of all effects and choices.
    """

    difference: float
    queries: tuple[int, ...] = QUERIES
    judges_per_item: tuple[int, ...] = JUDGES_PER_ITEM
    better: str = ""
    replicates: int = 100
    target: float = 0.8
    seconds_per_item: float = SECONDS_PER_ITEM
    wage: float = 0.0
    behaviour: Behaviour = DEFAULT_BEHAVIOUR
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class PowerCell:
    """The power of one design, with a Monte Carlo interval, and what the design costs.

    `found_difference` is the mean difference in the simulated studies.
    """

    queries: int
    judges_per_item: int
    items: int
    judges: int
    judgments: int
    hours: float
    cost: float | None
    power: Estimate
    found_difference: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class PowerResults(HasCard):
    """The power of all designs; `smallest` has the fewest judgments of those that suffice."""

    kind: Kind
    embeddings: int
    settings: PowerSettings
    quality: float
    cells: tuple[PowerCell, ...]
    smallest: PowerCell | None
    currency: str = "USD"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)
