"""Structured skip-gram: skip-gram with output vectors by position (Ling et al. 2015).

A word has one output vector for each position in the window, so that word order matters.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import structured as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Structured(Predictive):
    """Structured skip-gram with negative sampling."""

    paper: ClassVar[str] = "Ling, Dyer, Black and Trancoso 2015"

    dynamic_window: bool = setting(
        False, "Sample the window size of each centre word uniformly from 1 to the window."
    )

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words, positions = len(corpus.vocabulary), 2 * self.window
        inputs = random_rows(words, self.dimension, rng)
        return {
            "inputs": inputs,
            "outputs": zero_rows(words, positions * padded_width(self.dimension)),
        }

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        kernels.train(text, segment, *sizes, tables["inputs"], tables["outputs"])
