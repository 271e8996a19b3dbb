"""CWindow: the concatenated context words predict the centre word (Ling et al. 2015).

Continuous window: context vectors are concatenated, not averaged, so that word order matters.
"""

from dataclasses import dataclass
from typing import ClassVar

from lexiscope.core.contracts.trainer import State
from lexiscope.kernels.predictive import cwindow as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._positional import Positional
from lexiscope.trainers._predictive import other_default, shared_centres_setting


@dataclass(frozen=True)
class Cwindow(Positional):
    """Continuous window (CWindow) with negative sampling."""

    paper: ClassVar[str] = "Ling, Dyer, Black and Trancoso 2015"

    learning_rate: float = other_default("learning_rate", 0.05)
    shared_centres: int = shared_centres_setting(2)

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative, self.shared_centres
        kernels.train(text, segment, *sizes, tables["inputs"], tables["outputs"])
