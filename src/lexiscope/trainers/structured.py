"""Structured skip-gram: skip-gram with output vectors by position (Ling et al. 2015).

A word has one output vector for each position in the window, so that word order matters.
"""

from dataclasses import dataclass
from typing import ClassVar

from lexiscope.core.contracts.trainer import State
from lexiscope.kernels.predictive import structured as kernels
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._positional import Positional
from lexiscope.trainers._predictive import shared_centres_setting


@dataclass(frozen=True)
class Structured(Positional):
    """Structured skip-gram with negative sampling."""

    paper: ClassVar[str] = "Ling, Dyer, Black and Trancoso 2015"

    shared_centres: int = shared_centres_setting(4)

    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        sizes = self.window, self.dynamic_window, self.negative, self.shared_centres
        kernels.train(text, segment, *sizes, tables["inputs"], tables["outputs"])
