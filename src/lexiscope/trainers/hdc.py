"""HDC: the document predicts each word, and the word predicts its context (Sun et al. 2015).

Hierarchical document context with negative sampling.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import documents as kernels
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.trainers._documents import DocumentModel
from lexiscope.trainers._predictive import Floats


@dataclass(frozen=True)
class Hdc(DocumentModel):
    """Hierarchical document context with negative sampling."""

    paper: ClassVar[str] = "Sun, Guo, Lan, Xu and Cheng 2015"

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        rates = super().update_rates(corpus)
        inputs = rates["inputs"] + rates["outputs"]  # documents predict input vectors too
        return {**rates, "inputs": inputs}

    def train_segment(self, text: Any, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        parameters = tables["inputs"], tables["outputs"], tables["documents"]
        kernels.train_hierarchical(*text, segment, *sizes, *parameters)
