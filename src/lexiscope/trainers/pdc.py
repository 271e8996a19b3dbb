"""PDC: context words and the document each predict the centre word (Sun et al. 2015).

Parallel document context with negative sampling.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexiscope.core.contracts.trainer import State
from lexiscope.kernels.predictive import documents as kernels
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.trainers._documents import DocumentModel
from lexiscope.trainers._predictive import other_default


@dataclass(frozen=True)
class Pdc(DocumentModel):
    """Parallel document context with negative sampling."""

    paper: ClassVar[str] = "Sun, Guo, Lan, Xu and Cheng 2015"

    learning_rate: float = other_default("learning_rate", 0.05)
    space: Literal["input", "output", "both"] = other_default("space", "output")

    def train_segment(self, text: Any, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative
        parameters = tables["inputs"], tables["outputs"], tables["documents"]
        kernels.train_parallel(*text, segment, *sizes, *parameters)
