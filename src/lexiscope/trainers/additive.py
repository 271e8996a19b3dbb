"""Additive vectors of terms: the sum of the background vectors of their context words.

The background stays frozen. Every occurrence of a term in the text contributes.
"""

from dataclasses import dataclass
from typing import ClassVar

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.corpus import Corpus
from lexiscope.learners.term_models.additive import Additive as AdditiveModel
from lexiscope.trainers._terms import Indices, NotedModel, Occurrences, TermTrainer


@dataclass(frozen=True)
class Additive(AdditiveModel, TermTrainer):
    """Terms as the sum of the background vectors of their context words."""

    paper: ClassVar[str] = "Lazaridou, Marelli and Baroni 2017"

    def model(
        self, corpus: Corpus, codes: Indices, background: Background, terms: Occurrences
    ) -> NotedModel:
        return self
