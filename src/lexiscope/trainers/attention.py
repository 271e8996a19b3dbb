"""The words around foretell the middle, each as far as it is worth it (Ling et al. 2015).

Continuous bag of words with attention by word and position, and negative sampling.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import attention as kernels
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive, Shares
from lexiscope.trainers._tables import drawn, rows, width_of


@dataclass(frozen=True)
class Attention(Predictive):
    """Continuous bag of words with attention."""

    paper: ClassVar[str] = (
        "Ling, Lin, Tsvetkov, Amir, Fernandez Astudillo, Dyer, Black and Trancoso 2015"
    )

    dynamic: bool = setting(
        False, "Whether the window is drawn anew for each word, from 1 to the largest."
    )
    rate: float = setting(0.1, "How large the first steps are.", above=0)

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words, breadth = len(corpus.vocabulary), width_of(2 * self.window)
        return {
            "inputs": drawn(words, self.dimension, rng),
            "outputs": rows(words, width_of(self.dimension)),
            "keys": rows(words, breadth),
            "positions": rows(1, breadth),
        }

    def often(self, corpus: Corpus) -> dict[str, Shares]:
        moved = super().often(corpus)
        return {**moved, "keys": moved["inputs"]}

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives
        learned = (tables[name] for name in ("inputs", "outputs", "keys", "positions"))
        kernels.walk(text, piece, *habits, *learned)
