"""The contract of a model that learns vectors of terms from few sentences, given a background."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import Configurable

# Codes in a sentence: a word outside the background vocabulary, and an occurrence of the term.
UNKNOWN, TERM = -1, -2

Sentence = NDArray[np.int64]  # rows of the background, UNKNOWN or TERM
Sample = tuple[Sentence, ...]  # the sentences of one term in one sample


@dataclass(frozen=True, eq=False)
class Background:
    """A pretrained space that stays frozen.

    Parameters
    ----------
    words : tuple of str
        The words, most frequent first.
    vectors : ndarray of shape (words, dimension)
        Input vectors, as they were trained.
    counts : ndarray of shape (words,), optional
        Frequencies of the words in the training text; never invented.
    output : ndarray of shape (words, dimension), optional
        Output vectors of a predictive model with negative sampling.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    counts: NDArray[np.int64] | None = None
    output: NDArray[np.float32] | None = None

    @property
    def dimension(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])


@dataclass(frozen=True)
class TermModel(Configurable, ABC):
    """Settings and `vectors`. A model never changes the background.

    Increase `version` when vectors change, so that old and new ones are not mixed.

    Attributes
    ----------
    needs_counts, needs_output
        What the background must have.
    """

    needs_counts: ClassVar[bool] = False
    needs_output: ClassVar[bool] = False
    version: ClassVar[int] = 1

    @abstractmethod
    def vectors(
        self,
        samples: Sequence[Sample],
        background: Background,
        generator: Callable[[int], Generator],
    ) -> Floats:
        """Learn a vector for each sample.

        Parameters
        ----------
        samples : sequence of Sample
            The sentences of one term each.
        background : Background
            The frozen space.
        generator : callable
            Returns the random generator of the sample with this number, so that its vector does
            not depend on the other samples.

        Returns
        -------
        ndarray of shape (samples, dimension); NaN where no context word is known.
        """

    def is_random(self, background: Background) -> bool:
        """Return whether vectors depend on random numbers, given this background."""
        return True

    def notes(self, background: Background) -> tuple[str, ...]:
        """Return what a reader of the vectors should know, as sentences."""
        return ()
