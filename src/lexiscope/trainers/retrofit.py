"""Vectors of another trainer, or from a file, pulled towards a lexicon (Faruqui et al. 2015)."""

from dataclasses import dataclass, field
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.retrofitting import retrofitted


@dataclass(frozen=True)
class Retrofit(Trainer):
    """Other vectors, pulled towards those of the words that a lexicon ties them to."""

    paper: ClassVar[str] = "Faruqui et al. 2015"

    base: Trainer | Embedding = field(metadata={"about": "A trainer, or vectors that are there."})
    lexicon: Lexicon = field(metadata={"about": "Which words are pulled together."})
    rounds: int = setting(10, "How often each word moves.", least=1)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        base = self.base
        if isinstance(base, Trainer):
            base = base.train(corpus, rng, tell)
        return retrofitted(base, self.lexicon, self.rounds, tell)

    @property
    def needs_text(self) -> bool:
        """Only a base that is trained first needs a text."""
        return isinstance(self.base, Trainer) and self.base.needs_text
