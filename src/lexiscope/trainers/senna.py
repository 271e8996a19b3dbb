"""SENNA: windows of text score higher than corrupted windows (Collobert and Weston 2008).

A corrupted window has another word in its centre. The concatenated vectors of a window pass through
a hidden layer to one score, trained with a margin ranking loss.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import senna as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.kernels.simd.lanes import LANES
from lexiscope.kernels.simd.tiles import TILE, UNITS
from lexiscope.trainers._predictive import Floats, Predictive, other_default
from lexiscope.trainers._tables import Table, padded_width, zero_rows

# Departs from the paper: gradients are summed over mini-batches of windows, which share the cost of
# fetching the weights.
_BATCH_SIZE = 48
# Range of the initial word vectors. It is small, because rare words keep much of their initial
# vector: see the trainer's page.
_INITIAL_RANGE = 0.1


@dataclass(frozen=True)
class Senna(Predictive):
    """A neural network that ranks windows above corrupted ones."""

    paper: ClassVar[str] = "Collobert and Weston 2008"
    version: ClassVar[int] = 2  # 2: sums of products in another order

    # No settings of this model: each position of the window has its own weights, and a word has
    # one vector only.
    dynamic_window: ClassVar[bool] = False  # type: ignore[misc]
    space: ClassVar[Literal["input"]] = "input"  # type: ignore[misc]

    dimension: int = other_default("dimension", 50)
    hidden: int = setting(100, "Number of units of the hidden layer.", minimum=1)
    margin: float = setting(
        1.0, "Margin by which a window must score higher than a corrupted one.", exclusive_minimum=0
    )
    negative: int = other_default("negative", 1)
    # Independent of the corpus size: averaged over shards, layers learn too slowly.
    shards: int = other_default("shards", 1)
    learning_rate: float = setting(
        0.1, "Initial learning rate of the word vectors.", exclusive_minimum=0
    )

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        height, columns = self._fan_in, _round_up(LANES, self.hidden)
        tables = {
            "inputs": zero_rows(len(corpus.vocabulary), padded_width(self.dimension)),
            "border": zero_rows(1, padded_width(self.dimension)),
            "weights": zero_rows(_round_up(UNITS, self.hidden), _round_up(TILE, height)),
            "bias": zero_rows(1, columns),
            "scores": zero_rows(1, columns),
        }
        _fill(tables["inputs"][:, : self.dimension], _INITIAL_RANGE, rng)
        _fill(tables["border"][:, : self.dimension], _INITIAL_RANGE, rng)
        _fill(tables["weights"][: self.hidden, :height].T, height**-0.5, rng)
        _fill(tables["bias"][:, : self.hidden], height**-0.5, rng)
        _fill(tables["scores"][:, : self.hidden], self.hidden**-0.5, rng)
        return tables

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.dimension, self.window, self.negative
        # Departs from the paper: the learning rate of a layer is divided by the square root of its
        # fan-in, not by the fan-in. With our number of steps, the hidden layer would otherwise stay
        # nearly linear.
        factors = self._fan_in**-0.5, self.hidden**-0.5
        settings = kernels.Settings(*sizes, self.margin, *factors, _BATCH_SIZE)
        kernels.train(text, segment, settings, kernels.Network(**tables))

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        kept, negative = self.word_probabilities(corpus)
        sampled = self.negative * negative * kept.sum()
        return {"inputs": kept * (2 * self.window + 1) + sampled}

    @property
    def _fan_in(self) -> int:
        """The number of inputs of a hidden unit: the concatenated vectors of a window."""
        return (2 * self.window + 1) * self.dimension


def _round_up(size: int, number: int) -> int:
    """The smallest multiple of `size` that is not below the number."""
    return -(-number // size) * size


def _fill(table: Table, limit: float, rng: Generator) -> None:
    """Fill with uniform random numbers from -limit to limit."""
    table[:] = (rng.random(table.shape, np.float32) * 2 - 1) * limit
