"""PDC: context words and the document each predict the centre word (Sun et al. 2015).

Parallel document context with negative sampling.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import documents as kernels
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.trainers._documents import document_boundaries, with_documents
from lexiscope.trainers._predictive import Floats, Predictive
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


@dataclass(frozen=True)
class Pdc(Predictive):
    """Parallel document context with negative sampling."""

    paper: ClassVar[str] = "Sun, Guo, Lan, Xu and Cheng 2015"

    subsample: float = setting(
        1e-4,
        "Threshold of relative frequency above which words are randomly discarded; 0 disables it.",
        minimum=0,
    )
    learning_rate: float = setting(0.05, "Initial learning rate.", exclusive_minimum=0)
    space: Literal["input", "output", "both"] = setting(
        "output", "Vectors to keep: input (context) vectors, output (predicted) vectors, or both."
    )

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words = len(corpus.vocabulary)
        return {
            "inputs": random_rows(words, self.dimension, rng),
            "outputs": zero_rows(words, padded_width(self.dimension)),
            "documents": random_rows(
                len(document_boundaries(self, corpus)) - 1, self.dimension, rng
            ),
        }

    def text(self, corpus: Corpus) -> Any:
        return with_documents(super().text(corpus), document_boundaries(self, corpus))

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        documents = np.zeros(
            len(document_boundaries(self, corpus)) - 1
        )  # one shard each: never merged
        return {**super().update_rates(corpus), "documents": documents}

    def train_segment(self, text: Any, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        parameters = tables["inputs"], tables["outputs"], tables["documents"]
        kernels.train_parallel(*text, segment, *sizes, *parameters)
