"""Word pairs with human ratings of similarity or relatedness."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Dataset, Units, Words, sampling_units, word_array


@dataclass(frozen=True, eq=False)
class WordPairs(Dataset):
    """Word pairs with human ratings of similarity or relatedness.

    Parameters
    ----------
    name : str
        Name of the dataset.
    left, right : ndarray of str
        The two words of each pair.
    rating : ndarray of float64
        The mean human rating of each pair.

    Examples
    --------
    >>> from lexiscope.core.datasets import WordPairs
    >>> pairs = WordPairs.example()
    >>> len(pairs), pairs.labels[0], float(pairs.rating[0])
    (15, 'cat · dog', 9.0)
    """

    left: Words
    right: Words
    rating: NDArray[np.float64]

    kind = "pairs"
    word_columns = ("left", "right")
    gold_column = "rating"
    read_priority = 50

    @cached_property
    def units(self) -> Units | None:
        """The two words, if a word occurs in several pairs."""
        return sampling_units(self.left, self.right)

    @classmethod
    def example(cls) -> Self:
        """Return all fifteen pairs of six words, so that each word has partners to rank."""
        words = ("cat", "dog", "sun", "moon", "cup", "tea")
        ratings = (9.0, 2.5, 2.0, 1.5, 4.5, 3.0, 3.5, 0.5, 1.0, 7.5, 1.2, 2.2, 2.8, 0.8, 6.0)
        pairs = [(*pair, r) for pair, r in zip(combinations(words, 2), ratings, strict=True)]
        left, right, rating = zip(*pairs, strict=True)
        return cls("example-pairs", word_array(left), word_array(right), np.array(rating))
