"""Contract of models that compute vectors of out-of-vocabulary words from parts of the words."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Subwords(Protocol):
    """Computes the vector of any word from its parts, such as character n-grams."""

    @property
    def parts(self) -> str:
        """What the vectors are computed from, in the plural."""

    def vectors_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each word; zeros for a word without known parts."""
