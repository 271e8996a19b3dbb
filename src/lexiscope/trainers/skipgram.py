"""Skip-gram with negative sampling: a word predicts its context words (Mikolov et al. 2013).

As in the word2vec program, a pair is trained with the input vector of the context word and the
output vector of the centre word. All context words of a centre word share its negative samples.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import skipgram as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Skipgram(Predictive):
    """Skip-gram with negative sampling."""

    paper: ClassVar[str] = "Mikolov, Sutskever, Chen, Corrado and Dean 2013"

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        inputs = random_rows(words, self.dimension, rng)
        return {"inputs": inputs, "outputs": zero_rows(words, padded_width(self.dimension))}

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        kernels.train(text, segment, *sizes, tables["inputs"], tables["outputs"])
