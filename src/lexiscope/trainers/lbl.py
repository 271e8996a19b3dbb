"""The words around foretell the middle, weighed by where they stand (Mnih and Kavukcuoglu 2013).

The vector log-bilinear model, with noise-contrastive estimation or negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import lbl as kernels
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import Table, rows, width_of

_SMALLEST = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Lbl(Predictive):
    """The vector log-bilinear model."""

    paper: ClassVar[str] = "Mnih and Kavukcuoglu 2013"

    dynamic: bool = setting(
        False, "Whether the window is drawn anew for each word, from 1 to the largest."
    )
    loss: Literal["nce", "negative"] = setting(
        "nce", "What tells words from drawn ones: noise-contrastive estimation, or their scores."
    )

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words, width = len(corpus.vocabulary), width_of(self.dimension + 1)
        inputs, outputs = rows(words, width), rows(words, width)
        numbers = rng.random((words, self.dimension), np.float32) * 2 - 1
        inputs[:, : self.dimension] = numbers / self.dimension
        outputs[:, self.dimension] = self.biases(corpus)
        positions = rows(2 * self.window, width)
        positions[:, : self.dimension] = 1.0
        return {"inputs": inputs, "outputs": outputs, "positions": positions}

    def biases(self, corpus: Corpus) -> NDArray[np.float64]:
        """Where biases begin, with what the loss takes from a score.

        That is 0, or the logarithm of the word's share of the words that stay; noise-contrastive
        estimation takes log(k P(w)) from it.
        """
        if self.loss == "negative":
            return np.zeros(len(corpus.vocabulary))
        kept, noise = self.shares(corpus)
        own = np.maximum(kept / kept.sum(), _SMALLEST)
        drawn = self.negatives * np.maximum(noise, _SMALLEST)
        return np.asarray(np.log(own / drawn))

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives, self.loss == "nce"
        learned = tables["inputs"], tables["outputs"], tables["positions"]
        kernels.walk(text, piece, *habits, *learned, self.dimension)

    def vectors(self, state: State) -> Table:
        spaces = ("input", "output") if self.space == "both" else (self.space,)
        parts = [state[f"{space}s"][:, : self.dimension] for space in spaces]
        return np.concatenate(parts, axis=1)
