"""vLBL: context words, weighted by position, predict the centre word (Mnih and Kavukcuoglu 2013).

The vector log-bilinear model with noise-contrastive estimation or negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import lbl as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import Table, padded_width, zero_rows

_SMALLEST = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Lbl(Predictive):
    """The vector log-bilinear model (vLBL)."""

    paper: ClassVar[str] = "Mnih and Kavukcuoglu 2013"

    dynamic_window: bool = setting(
        False, "Sample the window size of each centre word uniformly from 1 to the window."
    )
    loss: Literal["nce", "negative"] = setting(
        "nce", "Loss function: noise-contrastive estimation or negative sampling."
    )

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words, width = len(corpus.vocabulary), padded_width(self.dimension + 1)
        inputs, outputs = zero_rows(words, width), zero_rows(words, width)
        numbers = rng.random((words, self.dimension), np.float32) * 2 - 1
        inputs[:, : self.dimension] = numbers / self.dimension
        outputs[:, self.dimension] = self.initial_biases(corpus)
        positions = zero_rows(2 * self.window, width)
        positions[:, : self.dimension] = 1.0
        return {"inputs": inputs, "outputs": outputs, "positions": positions}

    def initial_biases(self, corpus: Corpus) -> NDArray[np.float64]:
        """The initial biases, minus the term that the loss subtracts from a score.

        For negative sampling they are 0. For noise-contrastive estimation they are the log
        relative frequencies after subsampling, minus log(k P(w)).
        """
        if self.loss == "negative":
            return np.zeros(len(corpus.vocabulary))
        kept, negative = self.word_probabilities(corpus)
        own = np.maximum(kept / kept.sum(), _SMALLEST)
        noise = self.negative * np.maximum(negative, _SMALLEST)
        return np.asarray(np.log(own / noise))

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative, self.loss == "nce"
        parameters = tables["inputs"], tables["outputs"], tables["positions"]
        kernels.train(text, segment, *sizes, *parameters, self.dimension)

    def vectors(self, state: State) -> Table:
        spaces = ("input", "output") if self.space == "both" else (self.space,)
        parts = [state[f"{space}s"][:, : self.dimension] for space in spaces]
        return np.concatenate(parts, axis=1)
