"""Entities and their types: a dataset whose items have several right labels each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Mask, Units, Words, recurring, word_array

MARK = "|"  # between the types of an entity, in gold and answers alike

# Yaghoobzadeh and Schütze 2016, section 5.2. Entities between the two are in neither part.
_HEAD_ABOVE, _TAIL_BELOW = 100, 5


@dataclass(frozen=True, eq=False)
class EntityTypes(Dataset):
    """Entities, each with one or several types.

    `types` are sorted, with a mark between them. `frequency` is how often the entity stands in
    the text that the vectors come from, NaN where nobody said. `train` are entities to learn
    from that are not asked, for sets with a split of their own.
    """

    word: Words
    types: Words
    frequency: NDArray[np.float64]
    train: Self | None = None

    kind = "entities"
    word_columns = ("word",)
    gold_column = "types"
    lessons = ("train",)

    @cached_property
    def units(self) -> Units | None:
        """The entity, where it stands more than once."""
        return recurring(self.word)

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Frequent and rare entities, where frequencies are known."""
        parts = {"head": self.frequency > _HEAD_ABOVE, "tail": self.frequency < _TAIL_BELOW}
        return {name: mask for name, mask in parts.items() if mask.any()}

    @classmethod
    def example(cls) -> Self:
        """Twelve entities of four types, most of them with two."""
        rows = [
            *((word, ("city", "place"), 400) for word in ("rome", "oslo", "lima", "cairo")),
            *((word, ("place", "river"), 40) for word in ("nile", "rhine")),
            *((word, ("person",), 3) for word in ("newton", "bohr", "curie", "mozart")),
            *((word, ("city", "person"), 120) for word in ("houston", "sydney")),
        ]
        return cls("example-entities", *columns_of(rows))


def columns_of(
    rows: Iterable[tuple[str, Iterable[str], float]],
) -> tuple[Words, Words, NDArray[np.float64]]:
    """The columns of rows of entity, types and frequency."""
    word, types, frequency = zip(*rows, strict=True)
    return word_array(word), word_array(map(joined, types)), np.array(frequency, np.float64)


def joined(types: Iterable[str]) -> str:
    """Types as one text: each once, in order."""
    return MARK.join(sorted(set(types)))
