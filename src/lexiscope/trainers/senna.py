"""A window of words is told from one with another word in its middle (Collobert and Weston 2008).

The vectors of all words of the window, side by side, go through a hidden layer to one score.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import ranking as kernels
from lexiscope.kernels.layers import COLUMNS
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive, Shares
from lexiscope.trainers._tables import Table, rows, width_of

# Departs from the paper: a step is down the slope of so many windows, not of one, because they
# share the cost of fetching the weights.
_BATCH = 48
# What words begin with stays in the vectors of rare ones, so it is small: see the page.
_WORDS = 0.1


@dataclass(frozen=True)
class Senna(Predictive):
    """Ranking of windows with a hidden layer."""

    paper: ClassVar[str] = "Collobert and Weston 2008"

    # Not for this model: every place of the window has weights of its own, and a word has one
    # vector only.
    dynamic: ClassVar[bool] = False  # type: ignore[misc]
    space: ClassVar[Literal["input"]] = "input"  # type: ignore[misc]

    dimension: int = setting(50, "How many numbers a vector has.", least=1)
    hidden: int = setting(100, "How many units the hidden layer has.", least=1)
    margin: float = setting(1.0, "By how much a right window is to score higher.", above=0)
    negatives: int = setting(1, "How many drawn words a right one is told from.", least=1)
    # Not by the length of the text: averaged over shards, layers learn too slowly.
    shards: int = setting(
        1,
        "Parts of the text learned from at once; 0: by its length. They decide the bytes.",
        least=0,
    )
    rate: float = setting(0.1, "How large the first steps of words are.", above=0)

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        height, columns = self._fan_in, _in(COLUMNS, self.hidden)
        tables = {
            "inputs": rows(len(corpus.vocabulary), width_of(self.dimension)),
            "border": rows(1, width_of(self.dimension)),
            "weights": rows(width_of(height), columns),
            "bias": rows(1, columns),
            "scores": rows(1, columns),
        }
        _fill(tables["inputs"][:, : self.dimension], _WORDS, rng)
        _fill(tables["border"][:, : self.dimension], _WORDS, rng)
        _fill(tables["weights"][:height, : self.hidden], height**-0.5, rng)
        _fill(tables["bias"][:, : self.hidden], height**-0.5, rng)
        _fill(tables["scores"][:, : self.hidden], self.hidden**-0.5, rng)
        return tables

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        sizes = self.dimension, self.window, self.negatives
        # Departs from the paper: layers move by the rate over the square root of what comes in,
        # not over its number; so few steps as we take would leave the hidden layer nearly linear.
        shares = self._fan_in**-0.5, self.hidden**-0.5
        habits = kernels.Habits(*sizes, self.margin, *shares, _BATCH)
        kernels.walk(text, piece, habits, kernels.Network(**tables))

    def often(self, corpus: Corpus) -> dict[str, Shares]:
        kept, noise = self.shares(corpus)
        drawn = self.negatives * noise * kept.sum()
        return {"inputs": kept * (2 * self.window + 1) + drawn}

    @property
    def _fan_in(self) -> int:
        """How many numbers a unit of the hidden layer is fed with: those of a window."""
        return (2 * self.window + 1) * self.dimension


def _in(size: int, number: int) -> int:
    """The number, or the next one that `size` divides."""
    return -(-number // size) * size


def _fill(table: Table, limit: float, rng: Generator) -> None:
    """Write uniform random numbers from -limit to limit."""
    table[:] = (rng.random(table.shape, np.float32) * 2 - 1) * limit
