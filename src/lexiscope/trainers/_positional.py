"""Shared base of the models with output vectors by position, so that word order matters."""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.trainers._predictive import Predictive, other_default
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Positional(Predictive):
    """Tables with one output vector per word and position, and a window of fixed size."""

    dynamic_window: bool = other_default("dynamic_window", False)

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words, positions = len(corpus.vocabulary), 2 * self.window
        inputs = random_rows(words, self.dimension, rng)
        outputs = zero_rows(words, positions * padded_width(self.dimension))
        return {"inputs": inputs, "outputs": outputs}
