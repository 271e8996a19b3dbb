"""LBL: context words, weighted by position, predict the centre word (Mnih and Kavukcuoglu 2013).

The vector log-bilinear model (vLBL) with noise-contrastive estimation or negative sampling, or the
log-bilinear model of the program of Lai et al. 2015.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadUsage
from lexiscope.kernels.predictive import lbl as kernels
from lexiscope.kernels.predictive import lbl_adagrad
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Floats, Predictive, other_default
from lexiscope.trainers._tables import Table, padded_width, zero_rows

Variant = Literal["vlbl", "lai2015"]

_SMALLEST = float(np.finfo(np.float32).tiny)
_LEARNING_RATES: dict[Variant, float] = {"vlbl": 0.025, "lai2015": 0.05}
_INITIAL_SQUARES = 1e-8  # sums of squared gradients in the program of Lai et al. 2015


@dataclass(frozen=True)
class Lbl(Predictive):
    """The log-bilinear model (LBL)."""

    paper: ClassVar[str] = "Mnih and Kavukcuoglu 2013"

    dynamic_window: bool = other_default("dynamic_window", False)
    learning_rate: float = setting(
        0.0, "Initial learning rate; 0 chooses 0.025 for vlbl and 0.05 for lai2015.", minimum=0
    )
    loss: Literal["nce", "negative"] = setting(
        "nce",
        "Loss function of vlbl: noise-contrastive estimation or negative sampling. That of lai2015 "
        "is always negative sampling.",
    )
    variant: Variant = setting(
        "vlbl",
        "Weight vectors by position (vlbl), or one matrix for the whole context, AdaGrad and a "
        "constant learning rate as in the program of Lai et al. 2015 (lai2015).",
    )

    def __post_init__(self) -> None:
        if not self.learning_rate and self.variant in _LEARNING_RATES:
            object.__setattr__(self, "learning_rate", _LEARNING_RATES[self.variant])
        if self.variant == "lai2015":
            # The variant determines these settings. They are stored with the vectors.
            object.__setattr__(self, "min_learning_rate", self.learning_rate)
            object.__setattr__(self, "loss", "negative")
        super().__post_init__()
        if self.variant == "lai2015" and self.dynamic_window:
            raise BadUsage("lbl.dynamic_window must be false with the variant lai2015.")

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        if self.variant == "lai2015":
            return self._adagrad_tables(len(corpus.vocabulary), rng)
        words, width = len(corpus.vocabulary), padded_width(self.dimension + 1)
        inputs, outputs = zero_rows(words, width), zero_rows(words, width)
        numbers = rng.random((words, self.dimension), np.float32) * 2 - 1
        inputs[:, : self.dimension] = numbers / self.dimension
        outputs[:, self.dimension] = self.initial_biases(corpus)
        positions = zero_rows(2 * self.window, width)
        positions[:, : self.dimension] = 1.0
        return {"inputs": inputs, "outputs": outputs, "positions": positions}

    def _adagrad_tables(self, words: int, rng: Generator) -> State:
        """Parameters and sums of squares; all but the outputs are small random numbers."""
        dimension, positions, width = self.dimension, 2 * self.window, padded_width(self.dimension)
        tables = {
            "inputs": _with_squares(words, width),
            "outputs": _with_squares(words, width),
            "border": _with_squares(1, width),
            "weights": _with_squares(width, positions * width),
        }
        for name in ("inputs", "border"):
            tables[name][:, :dimension] = _uniform((len(tables[name]), dimension), dimension, rng)
        weights = tables["weights"][:dimension, : positions * width]
        weights.reshape(dimension, positions, width)[:, :, :dimension] = _uniform(
            (dimension, positions, dimension), dimension, rng
        )
        return tables

    def initial_biases(self, corpus: Corpus) -> NDArray[np.float64]:
        """The initial biases, minus the term that the loss subtracts from a score.

        For negative sampling they are 0. For noise-contrastive estimation they are the log
        relative frequencies after subsampling, minus log(k P(w)).
        """
        if self.loss == "negative":
            return np.zeros(len(corpus.vocabulary))
        kept, negative = self.word_probabilities(corpus)
        own = np.maximum(kept / kept.sum(), _SMALLEST)
        expected = self.negative * np.maximum(negative, _SMALLEST)
        return np.asarray(np.log(own / expected))

    def word_probabilities(self, corpus: Corpus) -> tuple[Floats, Floats]:
        kept, negative = super().word_probabilities(corpus)
        if self.variant == "lai2015":
            # The program counts a mark at the end of each sentence as a word. Where it samples the
            # mark, it takes any word, all with the same probability.
            counts = np.append(corpus.counts, corpus.sentences).astype(np.float64)
            *words, mark = counts**self.ns_exponent / (counts**self.ns_exponent).sum()
            negative = np.array(words) + mark / len(words)
        return kept, negative

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        if self.variant == "lai2015":
            network = lbl_adagrad.Network(**tables)
            sizes = self.window, self.negative, self.dimension
            lbl_adagrad.train(text, segment, *sizes, network)
            return
        nce = self.loss == "nce"
        parameters = tables["inputs"], tables["outputs"], tables["positions"]
        kernels.train(
            text, segment, self.window, self.dynamic_window, self.negative, nce, *parameters,
            self.dimension,
        )  # fmt: skip

    def vectors(self, state: State) -> Table:
        spaces = ("input", "output") if self.space == "both" else (self.space,)
        parts = [state[f"{space}s"][:, : self.dimension] for space in spaces]
        return np.concatenate(parts, axis=1)


def _with_squares(count: int, width: int) -> Table:
    """Rows of parameters, all 0, each followed by the sums of their squared gradients."""
    rows = zero_rows(count, 2 * width)
    rows[:, width:] = _INITIAL_SQUARES
    return rows


def _uniform(shape: tuple[int, ...], dimension: int, rng: Generator) -> Table:
    """Uniform random numbers from -1 / (2 dimension) to 1 / (2 dimension)."""
    return (rng.random(shape, np.float32) - np.float32(0.5)) / np.float32(dimension)
