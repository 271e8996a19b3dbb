"""CBOW with attention: a weighted sum of context words predicts the centre word (Ling et al. 2015).

The attention weights depend on the context word and its position. Trained with negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import attention as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Floats, Predictive, other_default
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Attention(Predictive):
    """Continuous bag of words (CBOW) with attention."""

    paper: ClassVar[str] = (
        "Ling, Lin, Tsvetkov, Amir, Fernandez Astudillo, Dyer, Black and Trancoso 2015"
    )

    dynamic_window: bool = other_default("dynamic_window", False)
    learning_rate: float = other_default("learning_rate", 0.1)

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words, positions = len(corpus.vocabulary), padded_width(2 * self.window)
        return {
            "inputs": random_rows(words, self.dimension, rng),
            "outputs": zero_rows(words, padded_width(self.dimension)),
            "keys": zero_rows(words, positions),
            "positions": zero_rows(1, positions),
        }

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        rates = super().update_rates(corpus)
        return {**rates, "keys": rates["inputs"]}

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        parameters = (tables[name] for name in ("inputs", "outputs", "keys", "positions"))
        kernels.train(text, segment, *sizes, *parameters)
