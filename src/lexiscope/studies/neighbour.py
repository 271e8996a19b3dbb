"""Is the nearest word of the same kind? The whole space is looked at, not a part of it.

The first of two tests that Yaghoobzadeh and Schütze 2016 set against theirs, section 4.4.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.grammar import Grammar, Question
from lexiscope.core.study import NO, YES, Replies, Study, must_know
from lexiscope.core.trainer import setting
from lexiscope.studies._cosines import Cosines


@dataclass(frozen=True)
class Neighbour(Study):
    """Whether the nearest neighbour of a word has the facet, too; nothing is learned."""

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    asks: Literal["all", "held out"] = setting(
        "all", "Which words of the question are asked: all, or those held out."
    )
    among: Literal["all", "asked"] = setting(
        "all", "Where neighbours are searched: all words, or those of the question."
    )

    def answer(
        self, embedding: Embedding, grammar: Grammar, question: str, rng: Generator
    ) -> Replies:
        asked = grammar.questions[question]
        classes = {word: YES if asked.is_positive(word) else NO for word in _words(asked)}
        words = asked.held_out if self.asks == "held out" else tuple(classes)
        must_know(embedding, tuple(classes))
        near = Cosines(embedding, classes if self.among == "asked" else embedding.words)
        found = [near.best(near.rows[[near.place[word]]], (word,)) for word in words]
        given = tuple(classes.get(each, "neither") for each in found)
        return Replies(words, given, tuple(classes[word] for word in words))


def _words(asked: Question) -> tuple[str, ...]:
    """The words of a question but for those that only serve as contexts."""
    away = set(asked.contexts)
    return tuple(word for word in (*asked.positive, *asked.negative) if word not in away)
