"""Words grouped in categories."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from lexiscope.core.datasets.base import Dataset, Units, Words, sampling_units, word_array


@dataclass(frozen=True, eq=False)
class Categories(Dataset):
    """Words with their gold categories, for clustering or classification.

    Parameters
    ----------
    name : str
        Name of the dataset.
    word : ndarray of str
        The words; a word may occur in several categories.
    category : ndarray of str
        The category of each word.

    Examples
    --------
    >>> from lexiscope.core.datasets import Categories
    >>> sorted(set(Categories.example().category))
    ['animal', 'drink', 'tool']
    """

    word: Words
    category: Words

    kind = "categories"
    word_columns = ("word",)
    gold_column = "category"
    # Almost any table of two columns can be read as categories.
    read_priority = 90

    @cached_property
    def units(self) -> Units | None:
        """The category: words of one category are clustered well or badly together."""
        return sampling_units(self.category)

    @classmethod
    def example(cls) -> Self:
        """Return nine words in three categories of different sizes."""
        rows = [
            *(("animal", word) for word in ("cat", "dog", "horse", "cow")),
            *(("drink", word) for word in ("tea", "milk", "wine")),
            *(("tool", word) for word in ("saw", "axe")),
        ]
        category, word = zip(*rows, strict=True)
        return cls("example-categories", word_array(word), word_array(category))
