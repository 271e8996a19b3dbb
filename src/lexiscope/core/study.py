"""A study: settings plus one verb, from an embedding of a made language to replies about words."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from numpy.random import Generator

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.grammar import Grammar
from lexiscope.core.trainer import check_setting

YES, NO = "yes", "no"


@dataclass(frozen=True)
class Replies:
    """What was asked, what was said and what is right: text, an entry for each item."""

    items: tuple[str, ...]
    given: tuple[str, ...]
    gold: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.items) == len(self.given) == len(self.gold):
            raise ValueError(f"{len(self.given)} replies for {len(self.items)} items")


@dataclass(frozen=True)
class Study(ABC):
    """Settings plus one verb. A study never reads a file, never trains and never averages.

    A change of the replies raises `version`, so that old ones are not mixed in.
    """

    paper: ClassVar[str]
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for each in fields(self):
            check_setting(type(self), each.name, getattr(self, each.name))

    @abstractmethod
    def answer(
        self, embedding: Embedding, grammar: Grammar, question: str, rng: Generator
    ) -> Replies:
        """One reply per item; the generator is the same for every embedding of a trial."""

    def suits(self, grammar: Grammar, question: str) -> bool:
        """Whether there is anything to ask."""
        return True

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def must_know(embedding: Embedding, words: tuple[str, ...]) -> None:
    """Refuse an embedding of a text in which a word that is needed never stood."""
    absent = [word for word in words if word not in embedding]
    if absent:
        raise BadData(
            f"The word '{shown(absent[0])}' stands in none of the sampled sentences. "
            "Sample more of them, or make the word more likely."
        )
