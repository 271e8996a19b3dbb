"""The protocol of learning curves: repeats, test sets and training sizes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np

from lexiscope.core.contracts.learner import Family
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.learners.problems import PairFeatures

FRACTIONS = tuple(range(30, 101, 10))  # per cent of the training items, as in S4
ABSOLUTE = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
_MIN_SIZE = 4
_TEST = {"words": 0.3, "texts": 0.3, "pairs": 0.2, "analogies": 0.2}


@dataclass(frozen=True)
class Protocol:
    """How items are split, and how training sets grow.

    Parameters
    ----------
    repeats : int, default 6
        Number of random splits into training and test items.
    test_fraction : float, optional
        The proportion of test items. The default is 0.3 for words and texts, and 0.2 for items
        with several words, because every training item that shares a word with a test item is
        left out.
    sizes : sequence of str or int, optional
        Training sizes: counts (50) and percentages of the training items ("30%"). The default is
        10, 20, 50, 100, ... below 30 %, then 30 % to 100 % in eight steps.
    max_items : int, default 2000
        A larger dataset is sampled.
    shared_words : bool, default False
        Split items with several words regardless of their words. Test words then occur in
        training items, and scores are too high.
    pair_features : str, default "product-difference"
        The representation of a pair of words: the element-wise product and the absolute
        difference of both vectors, or one of "product", "difference", "sum-product".
    candidates : int, default 30000
        How many words, the most frequent ones, can be predicted in analogies.

    Examples
    --------
    >>> Protocol(repeats=1)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: repeats must be 2 or more, found 1.
    """

    repeats: int = 6
    test_fraction: float | None = None
    sizes: tuple[str | int, ...] = ()
    max_items: int = 2000
    shared_words: bool = False
    pair_features: PairFeatures = "product-difference"
    candidates: int = 30_000

    def __post_init__(self) -> None:
        for name, least in (("repeats", 2), ("max_items", 20), ("candidates", 1)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < least:
                raise BadUsage(f"{name} must be {least} or more, found {value}.")
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise BadUsage(f"test_fraction is between 0 and 1, found {self.test_fraction:g}.")
        if self.pair_features not in get_args(PairFeatures):
            raise UnknownName("pair_features", self.pair_features, get_args(PairFeatures))
        given: Any = self.sizes
        if isinstance(given, str | int):  # one size, or a list as on the command line
            given = str(given).split(",")
        given = () if given is None else given
        object.__setattr__(self, "sizes", tuple(map(str, given)))
        for size in self.sizes:
            _parsed(str(size))

    def test_fraction_of(self, family: Family) -> float:
        """Return the proportion of test items."""
        return self.test_fraction or _TEST[family]

    def training_sizes(self, dataset: str, pool: int) -> tuple[int, ...]:
        """Return the increasing training sizes for so many training items."""
        if not self.sizes:
            fractions = {percentage(percent, pool) for percent in FRACTIONS}
            small = [size for size in ABSOLUTE if size < min(fractions)]
            found = {*small, *fractions}
        else:
            found = {_size(str(size), pool) for size in self.sizes}
        sizes = tuple(sorted(size for size in found if _MIN_SIZE <= size <= pool))
        if len(sizes) < 2:
            raise BadData(f"{dataset}: {self._too_few(pool)}")
        return sizes

    def _too_few(self, pool: int) -> str:
        """Say why there are fewer than two training sizes."""
        if not self.sizes or pool <= _MIN_SIZE:
            return (
                f"{pool} training items are too few for two training sizes (at least {_MIN_SIZE} "
                "items each)."
            )
        return (
            f"at least two of the training sizes ({', '.join(map(str, self.sizes))}) must be "
            f"different and from {_MIN_SIZE} to {pool}, the number of training items."
        )

    def unused_sizes(self, pool: int) -> tuple[str, ...]:
        """Return the given training sizes that cannot be used with so many training items."""
        return tuple(s for s in map(str, self.sizes) if not _MIN_SIZE <= _size(s, pool) <= pool)

    def as_dict(self) -> dict[str, Any]:
        """Return the protocol as plain values."""
        return asdict(self)


def percentage(percent: float, pool: int) -> int:
    """Return the training size that is this percentage of the training items."""
    return int(np.rint(pool * percent / 100))


def paper_sizes(sizes: Sequence[int], pool: int) -> tuple[int, ...]:
    """Return the positions of 30 %, ..., 100 % of the training items, as far as they occur."""
    wanted = {percentage(percent, pool) for percent in FRACTIONS}
    return tuple(position for position, size in enumerate(sizes) if size in wanted)


def _parsed(text: str) -> tuple[float, bool]:
    """A number, and whether it is a percentage."""
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        value = float(number) if percent else int(number)
    except ValueError:
        value = 0
    if not value > 0 or (percent and value > 100):  # NaN is not more than 0
        raise BadUsage(f"A training size is a count (50) or a percentage (30%), found '{text}'.")
    return value, percent


def _size(text: str, pool: int) -> int:
    value, percent = _parsed(text)
    return percentage(value, pool) if percent else int(value)
