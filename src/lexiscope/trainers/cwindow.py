"""The words around, each in its place, foretell the word in the middle (Ling et al. 2015).

Continuous window: the vectors around are set side by side, not added up, so that order counts.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import cwindow as kernels
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._predictive import Predictive
from lexiscope.trainers._tables import drawn, rows, width_of


@dataclass(frozen=True)
class Cwindow(Predictive):
    """Continuous window with negative sampling."""

    paper: ClassVar[str] = "Ling, Dyer, Black and Trancoso 2015"

    dynamic: bool = setting(
        False, "Whether the window is drawn anew for each word, from 1 to the largest."
    )
    rate: float = setting(0.05, "How large the first steps are.", above=0)

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words, places = len(corpus.vocabulary), 2 * self.window
        inputs = drawn(words, self.dimension, rng)
        return {"inputs": inputs, "outputs": rows(words, places * width_of(self.dimension))}

    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives
        kernels.walk(text, piece, *habits, tables["inputs"], tables["outputs"])
