"""The words around together foretell the word in the middle (Mikolov et al. 2013).

Continuous bag of words, with negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import cbow as kernels
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import drawn, rows, width_of


@dataclass(frozen=True)
class Cbow(Predictive):
    """Continuous bag of words with negative sampling."""

    paper: ClassVar[str] = "Mikolov, Chen, Corrado and Dean 2013"

    rate: float = setting(0.05, "How large the first steps are.", above=0)
    combine: Literal["mean", "sum"] = setting(
        "mean", "Whether the words around are averaged, or added up and share the error."
    )

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        inputs = drawn(words, self.dimension, rng)
        return {"inputs": inputs, "outputs": rows(words, width_of(self.dimension))}

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives, self.combine == "mean"
        kernels.walk(text, piece, *habits, tables["inputs"], tables["outputs"])
