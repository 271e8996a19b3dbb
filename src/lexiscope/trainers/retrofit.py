"""Retrofitting of vectors to a lexicon (Faruqui et al. 2015).

The vectors come from another trainer or from a file.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.progress import Progress, silent
from lexiscope.trainers._retrofitting import retrofitted


@dataclass(frozen=True)
class Retrofit(Trainer):
    """Retrofitting: existing vectors move towards those of related words of a lexicon."""

    paper: ClassVar[str] = "Faruqui et al. 2015"

    base: Trainer | Embedding = setting(
        help="Vectors to retrofit: a vector file, a catalogue name, or a trainer."
    )
    lexicon: Lexicon = setting(help="Lexicon of related words: a file or a name.")
    iterations: int = setting(10, "Number of passes over the vocabulary.", minimum=1)
    normalize: bool = setting(True, "Scale the vectors to unit length first.")

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        base = self.base
        if isinstance(base, Trainer):
            base = base.train(corpus, rng, progress)
        return retrofitted(base, self.lexicon, self.iterations, self.normalize, progress)

    @property
    def needs_text(self) -> bool:
        """Whether the base is trained first, on a corpus."""
        return isinstance(self.base, Trainer) and self.base.needs_text
