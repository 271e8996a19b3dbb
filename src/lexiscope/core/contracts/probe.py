"""The contract of a probe: predict labels of words from an embedding of a synthetic language."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.random import Generator

from lexiscope.core.contracts.settings import Configurable
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData

if TYPE_CHECKING:
    from lexiscope.pcfg.grammar import Grammar

YES, NO = "yes", "no"


@dataclass(frozen=True)
class ProbePredictions:
    """Items, predicted labels and gold labels, all as text, one entry per item."""

    items: tuple[str, ...]
    predicted: tuple[str, ...]
    gold: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.items) == len(self.predicted) == len(self.gold):
            raise ValueError(f"{len(self.predicted)} predictions for {len(self.items)} items")


@dataclass(frozen=True)
class Probe(Configurable, ABC):
    """Settings and `predict`. A probe never reads a file, never trains and never averages.

    Increase `version` when predictions change, so that old and new ones are not mixed.

    Examples
    --------
    >>> from lexiscope.pcfg.reader import read
    >>> @dataclass(frozen=True)
    ... class AlwaysNo(Probe):
    ...     paper = "none"
    ...     def predict(self, embedding, grammar, target, rng):
    ...         words = grammar.targets[target]
    ...         gold = tuple(YES if words.is_positive(word) else NO for word in words.held_out)
    ...         return ProbePredictions(words.held_out, (NO,) * len(gold), gold)
    >>> AlwaysNo().predict(None, read("nonconflation"), "nonconflation", None).gold
    ('no', 'no', 'yes', 'yes')
    """

    paper: ClassVar[str]
    version: ClassVar[int] = 1

    @abstractmethod
    def predict(
        self, embedding: Embedding, grammar: "Grammar", target: str, rng: Generator
    ) -> ProbePredictions:
        """Predict the label of every item; `rng` is the same for all embeddings of a trial."""

    def applies_to(self, grammar: "Grammar", target: str) -> bool:
        """Return whether the probe has items for this target."""
        return True


def require_words(embedding: Embedding, words: tuple[str, ...]) -> None:
    """Raise an error if a word that a probe needs is not in the vocabulary."""
    absent = [word for word in words if word not in embedding]
    if absent:
        raise BadData(
            f"The word '{shown(absent[0])}' occurs in none of the sampled sentences. "
            "Sample more sentences, or increase the probability of the word."
        )
