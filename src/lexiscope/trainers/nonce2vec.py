"""Nonce2Vec: skip-gram that trains only the vectors of terms, from the sum of their contexts.

The background needs word counts and output vectors.
"""

from dataclasses import dataclass
from typing import ClassVar

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.learners.term_models.nonce2vec import Nonce2vec as Nonce2vecModel
from lexiscope.learners.term_models.nonce2vec import check_background
from lexiscope.trainers._terms import Indices, NotedModel, Occurrences, TermTrainer


@dataclass(frozen=True)
class Nonce2vec(Nonce2vecModel, TermTrainer):
    """Terms by skip-gram with a high, decreasing learning rate and a frozen background."""

    paper: ClassVar[str] = "Herbelot and Baroni 2017"

    def model(
        self, corpus: Corpus, codes: Indices, background: Background, terms: Occurrences
    ) -> NotedModel:
        if background.output is None and isinstance(self.background, Embedding):
            raise BadData(
                f"{self.background.name}: nonce2vec needs output vectors and word counts, which "
                "GloVe and count-based models do not have. Train a background with 'lexiscope "
                "train skipgram TEXT --space both -o FILE.safetensors', and use it with "
                "--background-space both."
            )
        check_background(background, self.ns_exponent)
        return self
