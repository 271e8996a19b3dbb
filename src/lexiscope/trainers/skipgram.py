"""Each word around foretells the word in the middle (Mikolov et al. 2013).

Negative sampling; the words around one word share the drawn ones.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State
from lexiscope.kernels import skipgram as kernels
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import drawn, rows, width_of


@dataclass(frozen=True)
class Skipgram(Predictive):
    """Skip-gram with negative sampling."""

    paper: ClassVar[str] = "Mikolov, Sutskever, Chen, Corrado and Dean 2013"

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        inputs = drawn(words, self.dimension, rng)
        return {"inputs": inputs, "outputs": rows(words, width_of(self.dimension))}

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives
        kernels.walk(text, piece, *habits, tables["inputs"], tables["outputs"])
