"""The words around together, and the document, each foretell the word in the middle.

Parallel document context (Sun et al. 2015), with negative sampling.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.trainer import State, setting
from lexiscope.kernels import documents as kernels
from lexiscope.kernels.walking import Piece
from lexiscope.trainers._documents import documented, parts
from lexiscope.trainers._predictive import Predictive, Shares
from lexiscope.trainers._tables import drawn, rows, width_of


@dataclass(frozen=True)
class Pdc(Predictive):
    """Parallel document context with negative sampling."""

    paper: ClassVar[str] = "Sun, Guo, Lan, Xu and Cheng 2015"

    subsample: float = setting(
        1e-4, "Words with a larger share of the text are left out at times; 0: never.", least=0
    )
    rate: float = setting(0.05, "How large the first steps are.", above=0)
    space: Literal["input", "output", "both"] = setting(
        "output", "Which vectors to keep: of words as contexts, as what is foretold, or both."
    )

    def tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        return {
            "inputs": drawn(words, self.dimension, rng),
            "outputs": rows(words, width_of(self.dimension)),
            "documents": drawn(len(parts(self, corpus)) - 1, self.dimension, rng),
        }

    def text(self, corpus: Corpus) -> Any:
        return documented(super().text(corpus), parts(self, corpus))

    def often(self, corpus: Corpus) -> dict[str, Shares]:
        documents = np.zeros(len(parts(self, corpus)) - 1)  # of one shard each: no need to merge
        return {**super().often(corpus), "documents": documents}

    def walk(self, text: Any, piece: Piece, tables: State) -> None:
        habits = self.window, self.dynamic, self.negatives
        learned = tables["inputs"], tables["outputs"], tables["documents"]
        kernels.walk_parallel(*text, piece, *habits, *learned)
