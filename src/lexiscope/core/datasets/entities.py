"""Entities with one or several types each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Dataset, Mask, Units, Words, sampling_units, word_array

TYPE_SEPARATOR = "|"  # between the types of an entity, in gold labels and predictions

# Yaghoobzadeh and Schütze 2016, section 5.2. Entities in between are in neither slice.
_HEAD_ABOVE, _TAIL_BELOW = 100, 5


@dataclass(frozen=True, eq=False)
class EntityTypes(Dataset):
    """Entities with one or several types each, for multi-label classification.

    Parameters
    ----------
    name : str
        Name of the dataset.
    word : ndarray of str
        The entities.
    types : ndarray of str
        The types of each entity, sorted and joined with "|".
    frequency : ndarray of float64
        How often each entity occurs in the corpus of the vectors; NaN if unknown.
    train : EntityTypes, optional
        A training set that is never evaluated, for datasets with a split of their own.

    Examples
    --------
    >>> from lexiscope.core.datasets import EntityTypes
    >>> entities = EntityTypes.example()
    >>> entities.word[0], entities.types[0]
    ('rome', 'city|place')
    """

    word: Words
    types: Words
    frequency: NDArray[np.float64]
    train: Self | None = None

    kind = "entities"
    word_columns = ("word",)
    gold_column = "types"
    training_sets = ("train",)
    read_priority = 30

    @cached_property
    def units(self) -> Units | None:
        """The entity, if it occurs more than once."""
        return sampling_units(self.word)

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Frequent (head) and rare (tail) entities, if frequencies are known."""
        parts = {"head": self.frequency > _HEAD_ABOVE, "tail": self.frequency < _TAIL_BELOW}
        return {name: mask for name, mask in parts.items() if mask.any()}

    @classmethod
    def example(cls) -> Self:
        """Return twelve entities of four types, most of them with two types."""
        rows = [
            *((word, ("city", "place"), 400) for word in ("rome", "oslo", "lima", "cairo")),
            *((word, ("place", "river"), 40) for word in ("nile", "rhine")),
            *((word, ("person",), 3) for word in ("newton", "bohr", "curie", "mozart")),
            *((word, ("city", "person"), 120) for word in ("houston", "sydney")),
        ]
        return cls("example-entities", *entity_columns(rows))


def entity_columns(
    rows: Iterable[tuple[str, Iterable[str], float]],
) -> tuple[Words, Words, NDArray[np.float64]]:
    """Return the columns of rows of entity, types and frequency."""
    word, types, frequency = zip(*rows, strict=True)
    return word_array(word), word_array(map(join_types, types)), np.array(frequency, np.float64)


def join_types(types: Iterable[str]) -> str:
    """Return the distinct types, sorted and joined with the separator."""
    return TYPE_SEPARATOR.join(sorted(set(types)))
