"""A la carte vectors of terms: a linear map of their mean context vector.

The map is learned from the words of a text that are in the background: their contexts predict
their vectors.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.term_model import Background
from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.learners.induction_map import InductionMap
from lexiscope.learners.term_models.alacarte import Alacarte as AlacarteModel
from lexiscope.trainers._terms import Indices, NotedModel, Occurrences, TermTrainer


@dataclass(frozen=True)
class Alacarte(AlacarteModel, TermTrainer):
    """Terms as a linear map of the mean sum of their context vectors."""

    paper: ClassVar[str] = "Khodak, Saunshi, Liang, Ma, Stewart and Arora 2018"

    map: InductionMap | Corpus | None = setting(  # type: ignore[assignment]
        None,
        "Map from mean contexts to vectors: a matrix file (.npy or .bin), or a text to learn it "
        "from; by default it is learned from the training text.",
    )

    def model(
        self, corpus: Corpus, codes: Indices, background: Background, terms: Occurrences
    ) -> NotedModel:
        plain = AlacarteModel(self.window, self.weighting, self.map_min_count)
        if isinstance(self.map, InductionMap):
            return AlacarteModel(self.window, self.weighting, self.map_min_count, self.map)
        vocabulary = Vocabulary(background.words)
        text = corpus if self.map is None else self.map
        if self.map is not None:
            codes = vocabulary.find(text.vocabulary.words)[text.tokens]
        # A term must not predict its own vector, unless all words are terms.
        exclude = () if self.terms is None else vocabulary.find(terms.words).tolist()
        starts = np.asarray(text.starts)
        return plain.with_map(text.name, codes, starts, background, exclude)
