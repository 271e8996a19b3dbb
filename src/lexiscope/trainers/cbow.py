"""CBOW: the mean of the context words predicts the centre word (Mikolov et al. 2013).

Continuous bag of words with negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import cbow as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Predictive, other_default, shared_centres_setting
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Cbow(Predictive):
    """Continuous bag of words (CBOW) with negative sampling."""

    paper: ClassVar[str] = "Mikolov, Chen, Corrado and Dean 2013"

    learning_rate: float = other_default("learning_rate", 0.05)
    shared_centres: int = shared_centres_setting(2)
    combine: Literal["mean", "sum"] = setting(
        "mean", "Whether the context vectors are averaged or summed."
    )

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        inputs = random_rows(words, self.dimension, rng)
        return {"inputs": inputs, "outputs": zero_rows(words, padded_width(self.dimension))}

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative, self.shared_centres
        mean = self.combine == "mean"
        kernels.train(text, segment, *sizes, mean, tables["inputs"], tables["outputs"])
